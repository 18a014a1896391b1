// Programs that mostly work on data, but run programs when certain flags ask for it. Data: those flags, per program.

export interface Carrier {
  /** With one of these, abbreviated or bundled too, any program can run. */
  readonly risky: readonly string[];
  /** Reads files that say what to run (Makefile, package.json…): counts when the same command writes files. */
  readonly runsFiles?: true;
  /** Puts content into files, which something later may run. */
  readonly writesFiles?: true;
  /** Flags that name a file to write. */
  readonly writeFlags?: readonly string[];
  /** A first word that makes it risky: tar takes its flags without a dash there. */
  readonly riskyFirst?: RegExp;
  /** Gives files other names, under which they may be run. */
  readonly copies?: true;
  /** A word that makes it risky whatever flag it belongs to. */
  readonly riskyWord?: RegExp;
}

const compiler: Carrier = {
  risky: ["-B", "--specs"],
  riskyWord: /^-(?:wrapper|specs|fplugin|B|no-canonical|fuse|run|Xclang)|^@|^-Wl,|^-Xlinker|^-Wp,|^-Wa,/u,
  writesFiles: true,
};
const writer: Carrier = { risky: [], writesFiles: true };
const pager: Carrier = {
  risky: [
    "-k",
    "-o",
    "-O",
    "-t",
    "-T",
    "-p",
    "-P",
    "--lesskey-src",
    "--lesskey-file",
    "--lesskey-content",
    "--log-file",
    "--LOG-FILE",
  ],
  riskyWord: /^\+/u,
};

export const carriers: ReadonlyMap<string, Carrier> = new Map<string, Carrier>([
  ["sort", { risky: ["--compress-program"], writeFlags: ["-o", "--output"] }],
  ["rg", { risky: ["--pre", "--hostname-bin", "--search-zip", "-z"] }],
  ["ag", { risky: ["--pager", "--search-zip", "-z"] }],
  ["ack", { risky: ["--pager", "--ackrc"] }],
  ["fd", { risky: ["-x", "-X", "--exec", "--exec-batch"] }],
  ["fdfind", { risky: ["-x", "-X", "--exec", "--exec-batch"] }],
  [
    "tar",
    {
      risky: [
        "-I",
        "-F",
        "--to-command",
        "--checkpoint-action",
        "--use-compress-program",
        "--rsh-command",
        "--rmt-command",
        "--info-script",
        "--new-volume-script",
      ],
      riskyFirst: /^[A-Za-z]*[IF]/u,
      riskyWord: /:/u,
      writesFiles: true,
    },
  ],
  ["bsdtar", { risky: ["--use-compress-program"], writesFiles: true }],
  ["cpio", { risky: ["--rsh-command", "--to-stdout-command"], riskyWord: /:/u, writesFiles: true }],
  [
    "rsync",
    {
      risky: ["-e", "-M", "--rsh", "--rsync-path", "--remote-option", "--daemon", "--server"],
      writesFiles: true,
    },
  ],
  ["scp", { risky: ["-S", "-o", "-F", "-J", "-D"], writesFiles: true }],
  ["sftp", { risky: ["-S", "-o", "-F", "-J", "-D", "-b"], writesFiles: true }],
  ["split", { risky: ["--filter"], writesFiles: true }],
  ["csplit", writer],
  ...["cp", "mv", "ln", "link"].map((name): [string, Carrier] => [name, { risky: [], copies: true }]),
  ["zip", { risky: ["-T", "-TT", "--test", "--unzip-command"], writesFiles: true }],
  ["install", { risky: ["--strip-program", "-s", "--strip"], copies: true }],
  ["wget", { risky: ["--use-askpass", "--config", "-e", "--execute"], writesFiles: true }],
  ["curl", { risky: ["-K", "--config", "--engine"], writesFiles: true }],
  [
    "man",
    {
      risky: [
        "-P",
        "-H",
        "-C",
        "-l",
        "-X",
        "-T",
        "-t",
        "--pager",
        "--html",
        "--gxditview",
        "--config-file",
        "--local-file",
        "--preprocessor",
        "-p",
      ],
    },
  ],
  ["less", pager],
  ["more", { risky: [], riskyWord: /^\+/u }],
  ["most", { risky: [] }],
  ["info", { risky: ["--restore", "--init-file", "-v"] }],
  [
    "make",
    {
      risky: ["--eval", "-E", "--file", "--makefile", "-f", "-I", "--include-dir"],
      runsFiles: true,
      riskyWord: /^[^-].*=.*\$|^(?:SHELL|MAKEFLAGS|MAKEFILES|\.SHELLFLAGS)\b.*=|^-f|^-$/u,
    },
  ],
  [
    "gmake",
    { risky: ["--eval", "-E", "--file", "--makefile", "-f"], runsFiles: true, riskyWord: /=.*\$|^SHELL/u },
  ],
  ...["gcc", "g++", "cc", "c++", "clang", "clang++", "c99", "c89", "cpp", "ld", "gcc-12"].map(
    (name): [string, Carrier] => [name, compiler],
  ),
  ...[
    "tee",
    "dd",
    "truncate",
    "patch",
    "gunzip",
    "gzip",
    "bzip2",
    "xz",
    "zstd",
    "unzip",
    "openssl",
    "uudecode",
    "shred",
    "mkfifo",
    "mknod",
    "objcopy",
    "xxd",
    "yq",
    "shuf",
    "iconv",
  ].map((name): [string, Carrier] => [name, writer]),
  ["file", { risky: ["-C", "-m", "--compile", "--magic-file"] }],
  ["date", { risky: ["-s", "--set"] }],
  ["uniq", writer],
  ["bat", { risky: ["--pager", "--config-file"] }],
  ["tree", { risky: ["-o"], writesFiles: true }],
  ["apt", { risky: ["-o", "-c", "--option", "--config-file"] }],
  ["apt-get", { risky: ["-o", "-c", "--option", "--config-file"] }],
  ["apt-cache", { risky: ["-o", "-c", "--option", "--config-file"] }],
  ["dpkg", { risky: ["--pre-invoke", "--post-invoke", "--status-logger"] }],
  ["sdiff", { risky: ["-o", "--output", "--diff-program"] }],
  ["diff3", { risky: ["--diff-program"] }],
  ["systemctl", { risky: ["-p", "--property", "-H"], runsFiles: true, riskyWord: /^edit$/u }],
  ["ip", { risky: ["-b", "-batch"], riskyWord: /^(?:netns|vrf)$|^-b/u }],
]);

/** Programs that only work on data: their arguments are never programs, whatever they say. */
export const inert: ReadonlySet<string> = new Set(
  (
    "true false : echo cat tac head tail wc nl cut paste tr rev fold fmt expand unexpand column comm join cmp " +
    "diff grep egrep fgrep ls dir vdir pwd basename dirname realpath readlink stat du df id whoami who groups " +
    "users uname arch hostname cal sleep seq yes factor expr md5sum sha1sum sha224sum sha256sum sha384sum " +
    "sha512sum b2sum cksum sum od hexdump base64 base32 strings jq touch mkdir rmdir rm unlink chmod chown chgrp sync " +
    "mktemp which whereis type ps pgrep pidof kill pkill killall uptime free vmstat nproc lscpu lsblk lsof ss netstat " +
    "ping host dig nslookup tput clear tty stty printenv locale getconf getent cd pushd popd dirs exit return break " +
    "continue shift times umask ulimit wait fg bg disown caller logout suspend help numfmt tsort " +
    "zcat bzcat xzcat zstdcat sha3sum pathchk logname dircolors pr ptx exa eza lsd"
  ).split(" "),
);
