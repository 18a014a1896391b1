// Programs that run what a text or a file says. Data: how the text gets in.
import type { FlagTable } from "./flags.ts";

/** Shells whose texts the grammar can read. Others (zsh, fish…) speak another language. */
const posixShell = /^(?:bash|rbash|sh|dash|ash)(?:[-.\d].*)?$/u;

export function isPosixShell(name: string): boolean {
  return posixShell.test(name);
}

export interface Interpreter {
  /** Flags that leave it with a script file and run no text. Any other flag may bring a text. */
  readonly harmless: FlagTable;
}

const nothing: Interpreter = { harmless: "" };

const byName: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
  ["python", { harmless: "-B -E -I -O -OO -s -S -u -v -V -q -h -b -P --version --help" }],
  ["pypy", nothing],
  ["perl", { harmless: "-w -W -t -T -v -c" }],
  ["ruby", { harmless: "-w -v --version -c" }],
  ["node", { harmless: "-v -h -c --version --help --check --test" }],
  ["php", { harmless: "-v -i -m -l --version -n" }],
  ["lua", { harmless: "-v -W" }],
  ["Rscript", { harmless: "--version" }],
  ["tclsh", nothing],
  ["wish", nothing],
  ["expect", nothing],
  ["osascript", nothing],
  ["groovy", nothing],
  ["scala", nothing],
  ["julia", { harmless: "-v --version" }],
  ["elixir", nothing],
  ["guile", nothing],
  ["jshell", nothing],
  ["gawk", nothing],
]);

/** @output the entry for `python3.12`, `perl5.36`, `lua5.4` and the like too */
export function interpreterOf(name: string): Interpreter | undefined {
  const plainName = name.replace(/[-.\d]+$/u, "") || name;
  return byName.get(name) ?? byName.get(plainName);
}

/** Programs whose texts, files or inputs can start programs in ways that no table here follows. */
const opaque: ReadonlySet<string> = new Set(
  (
    "zsh ksh ksh93 mksh lksh pdksh posh yash hush bosh fish csh tcsh nu elvish xonsh pwsh powershell rc es " +
    "vi vim vim.basic vim.tiny vim.nox nvim view vimdiff rvim rview ex ed red emacs emacsclient nano pico joe mcedit " +
    "micro kak hx editor sensible-editor sensible-pager sensible-browser " +
    "at batch crontab systemd-run start-stop-daemon daemonize run-parts run0 logrotate anacron " +
    "parallel sem entr nodemon watchexec hyperfine perf gdb lldb gdbserver rr fzf " +
    "script screen tmux byobu zellij dtach abduco mosh openvt xterm uxterm x-terminal-emulator " +
    "socat nc ncat netcat telnet ftp lftp sqlite3 sqlite psql mysql mariadb mongosh gnuplot octave maxima " +
    "bc dc m4 tcpdump debugfs mail mailx mutt w3m lynx elinks " +
    "irb pry ghci runghc ocaml sbcl clisp ecl racket scheme mit-scheme csi gsi gforth swipl gprolog erl iex clojure " +
    "clj bb janet ts-node tsx qjs jrunscript original-awk bpftrace stap dtrace " +
    "proot fakechroot firejail bwrap capsh cgexec newgrp login sshpass ssh-agent gpg-agent xvfb-run catchsegv " +
    "nix-shell direnv msgexec msgfilter xdg-open run-mailcap see compose edit print prove perldoc cpan pydoc pydoc3 pdb pdb3 " +
    "busctl dbus-send gio update-alternatives debconf debconf-communicate ucf zless zmore bzless xzless lzless lesspipe"
  ).split(" "),
);

export function isOpaque(name: string): boolean {
  return opaque.has(name);
}
