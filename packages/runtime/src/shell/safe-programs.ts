// Programs that only read, with the flags under which that is known. Data: a flag that is not here is not safe. Those
// that follow links on the way through a folder are left out, and those with which a file names what is read: both lead
// out of the project.
import type { FlagTable } from "./flags.ts";

export interface SafeProgram {
  readonly flags: FlagTable;
  /** More operands than this would write (`uniq IN OUT`), or are not known to be harmless. */
  readonly maxOperands?: number;
  /** No flag at all writes or runs anything, so a file name that becomes one does no harm. */
  readonly onlyReads?: true;
  /** All words are data: nothing is a flag that matters (echo). */
  readonly anyWords?: true;
}

// Without --check: it reads the files that a file names.
const checksums: SafeProgram = {
  onlyReads: true,
  flags: "-b -t -z --binary --tag --text --zero",
};
const anyWords: SafeProgram = { flags: "", anyWords: true };
const noFlags: SafeProgram = { flags: "" };

export const safePrograms: ReadonlyMap<string, SafeProgram> = new Map<string, SafeProgram>([
  ["true", anyWords],
  ["false", anyWords],
  ["echo", anyWords],
  ["pwd", { flags: "-L -P" }],
  ["cd", { flags: "-L -P", maxOperands: 1 }],
  [
    "ls",
    {
      onlyReads: true,
      flags:
        "-a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -I= -k -l -m -n -N -o -p -q -Q -r -R -s -S -t -T= -u -U -v -w= -x -X -Z -1 " +
        "--all --almost-all --author --escape --block-size= --ignore-backups --color=? --directory --classify=? --file-type --format= --full-time " +
        "--group-directories-first --no-group --human-readable --si --hide= --hyperlink=? --indicator-style= --inode --ignore= " +
        "--numeric-uid-gid --literal --quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --width= --context --zero",
    },
  ],
  [
    "cat",
    {
      onlyReads: true,
      flags:
        "-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting",
    },
  ],
  ["tac", { onlyReads: true, flags: "-b -r -s= --before --regex --separator=" }],
  [
    "nl",
    {
      onlyReads: true,
      flags:
        "-b= -d= -f= -h= -i= -l= -n= -p -s= -v= -w= --body-numbering= --number-width= --number-format= --number-separator=",
    },
  ],
  ["rev", noFlags],
  [
    "head",
    {
      onlyReads: true,
      flags: "-NUM -c= -n= -q -v -z --bytes= --lines= --quiet --silent --verbose --zero-terminated",
    },
  ],
  [
    "tail",
    {
      onlyReads: true,
      flags: "-NUM -c= -n= -q -v -z --bytes= --lines= --quiet --silent --verbose --zero-terminated",
    },
  ],
  [
    "wc",
    {
      onlyReads: true,
      flags: "-c -m -l -L -w --bytes --chars --lines --max-line-length --words",
    },
  ],
  [
    "grep",
    {
      onlyReads: true,
      flags:
        "-NUM -E -F -G -P -e= -f= -i -y -v -w -x -c -L -l -m= -o -q -s -b -H -h -n -T -Z -z -A= -B= -C= -a -I -r -d= -D= -u -U " +
        "--extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp= --file= --ignore-case --no-ignore-case --invert-match --word-regexp " +
        "--line-regexp --count --color=? --colour=? --files-without-match --files-with-matches --max-count= --only-matching --quiet --silent --no-messages " +
        "--byte-offset --with-filename --no-filename --label= --line-number --initial-tab --null --null-data --after-context= --before-context= --context= " +
        "--text --binary-files= --exclude= --exclude-from= --exclude-dir= --include= --recursive --line-buffered",
    },
  ],
  [
    "rg",
    {
      flags:
        "-NUM -A= -B= -C= -E= -F -H -I -M= -N -P -S -T= -U -a -b -c -d= -e= -f= -g= -h -i -j= -l -m= -n -o -p -q -r= -s -t= -u -v -V -w -x -0 -. " +
        "--after-context= --before-context= --context= --encoding= --fixed-strings --with-filename --no-filename --max-columns= --no-line-number " +
        "--pcre2 --smart-case --type-not= --multiline --multiline-dotall --text --byte-offset --count --count-matches --max-depth= --regexp= --file= --glob= --iglob= " +
        "--ignore-case --threads= --files-with-matches --files-without-match --max-count= --line-number --only-matching --pretty --quiet --replace= " +
        "--case-sensitive --type= --type-list --unrestricted --invert-match --version --word-regexp --line-regexp --null --hidden --no-hidden --no-ignore " +
        "--no-ignore-vcs --no-ignore-parent --no-ignore-dot --files --json --stats --sort= --sortr= --color= --column --no-heading --heading --trim --vimgrep " +
        "--no-messages --passthru --crlf --no-config --one-file-system --glob-case-insensitive --max-filesize= --context-separator= --field-match-separator=",
    },
  ],
  [
    "cut",
    {
      onlyReads: true,
      flags:
        "-b= -c= -d= -f= -n -s -z --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated",
    },
  ],
  ["tr", { flags: "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1", maxOperands: 2 }],
  [
    "sort",
    {
      flags:
        "-b -c -C -d -f -g -h -i -k= -m -M -n -r -R -s -t= -u -V -z --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort " +
        "--ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --sort= --version-sort --check=? --key= --merge --stable --field-separator= --unique --zero-terminated",
    },
  ],
  [
    "uniq",
    {
      flags:
        "-c -d -D -f= -i -s= -u -z -w= --count --repeated --all-repeated=? --skip-fields= --ignore-case --skip-chars= --unique --zero-terminated --check-chars=",
      maxOperands: 1,
    },
  ],
  [
    "comm",
    {
      onlyReads: true,
      flags: "-1 -2 -3 -z --check-order --nocheck-order --output-delimiter= --total --zero-terminated",
      maxOperands: 2,
    },
  ],
  [
    "cmp",
    {
      onlyReads: true,
      flags: "-b -i= -l -n= -s --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent",
    },
  ],
  [
    "diff",
    {
      onlyReads: true,
      flags:
        "-q -s -c -C= -u -U= -e -n -y -W= -p -F= -t -T -r -N -x= -X= -S= -i -E -Z -b -w -B -I= -a -d " +
        "--brief --report-identical-files --context=? --unified=? --normal --ed --rcs --side-by-side --width= --left-column --suppress-common-lines " +
        "--show-c-function --show-function-line= --expand-tabs --initial-tab --recursive --no-dereference --new-file --unidirectional-new-file --exclude= " +
        "--ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= " +
        "--text --strip-trailing-cr --minimal --color=? --label=",
      maxOperands: 2,
    },
  ],
  ["basename", { onlyReads: true, flags: "-a -s= -z --multiple --suffix= --zero" }],
  ["dirname", { onlyReads: true, flags: "-z --zero" }],
  [
    "realpath",
    {
      onlyReads: true,
      flags:
        "-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to= --relative-base= --strip --no-symlinks --zero",
    },
  ],
  [
    "readlink",
    {
      onlyReads: true,
      flags:
        "-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero",
    },
  ],
  [
    "stat",
    { onlyReads: true, flags: "-L -f -c= -t --dereference --file-system --format= --printf= --terse" },
  ],
  [
    "file",
    {
      flags:
        "-b -e= -E -F= -h -i -k -L -n -N -p -r -s -S -v -0 --brief --exclude= --separator= --mime --mime-type --mime-encoding --keep-going --dereference --no-dereference --no-pad --raw --print0 --version",
    },
  ],
  [
    "du",
    {
      onlyReads: true,
      flags:
        "-0 -a -b -B= -c -d= -D -h -H -k -l -m -P -S -s -t= -x -X= --null --all --apparent-size --block-size= --bytes --total --max-depth= --human-readable --si --separate-dirs --summarize --threshold= --time=? --exclude= --one-file-system",
    },
  ],
  [
    "df",
    {
      flags:
        "-a -B= -h -H -i -k -l -P -t= -T -x= --all --block-size= --human-readable --si --inodes --local --output=? --portability --total --type= --print-type --exclude-type=",
    },
  ],
  ["which", { flags: "-a -s" }],
  ["type", { flags: "-a -f -p -P -t" }],
  ["id", { flags: "-G -g -n -r -u -z --groups --group --name --real --user --zero" }],
  ["whoami", noFlags],
  ["groups", noFlags],
  [
    "uname",
    {
      flags:
        "-a -s -n -r -v -m -p -i -o --all --kernel-name --kernel-release --kernel-version --machine --operating-system",
      maxOperands: 0,
    },
  ],
  ["arch", { flags: "", maxOperands: 0 }],
  ["nproc", { flags: "--all --ignore=" }],
  ["seq", { flags: "-f= -s= -w --format= --separator= --equal-width" }],
  ["expr", { flags: "" }],
  ["fold", { onlyReads: true, flags: "-b -s -w= --bytes --spaces --width=" }],
  ["fmt", { flags: "-c -p= -s -t -u -w= -g= --width= --goal=" }],
  ["paste", { onlyReads: true, flags: "-d= -s -z --delimiters= --serial --zero-terminated" }],
  [
    "join",
    { flags: "-a= -e= -i -j= -o= -t= -v= -1= -2= -z --header --check-order --nocheck-order", maxOperands: 2 },
  ],
  ["expand", { flags: "-i -t= --initial --tabs=" }],
  ["unexpand", { flags: "-a -t= --all --first-only --tabs=" }],
  [
    "column",
    {
      flags:
        "-t -s= -o= -c= -x -n= -N= -R= -H= -J -L -e --table --separator= --output-separator= --json --table-name= --table-columns= --table-right=",
    },
  ],
  [
    "od",
    {
      flags:
        "-A= -a -b -c -d -f -i -j= -l -N= -o -s -S= -t= -v -w=? -x --address-radix= --skip-bytes= --read-bytes= --format= --output-duplicates --width=?",
    },
  ],
  ["hexdump", { flags: "-b -c -C -d -n= -o -s= -v -x" }],
  [
    "tree",
    {
      flags:
        "-a -d -f -i -x -L= -P= -I= -s -h -u -g -p -D -F -q -N -Q -r -t -c -U -v -n -C -A -S -J -X --noreport --dirsfirst --filelimit= --gitignore --prune --du --si --matchdirs --ignore-case --inodes --device --charset= --filesfirst --sort=?",
    },
  ],
  ["printenv", { flags: "-0 --null" }],
  ["sleep", noFlags],
  ...["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum"].map(
    (name): [string, SafeProgram] => [name, checksums],
  ),
]);

export function hasOnlyReadingFlags(name: string): boolean {
  const program = safePrograms.get(name);
  return program?.onlyReads === true || program?.anyWords === true;
}
