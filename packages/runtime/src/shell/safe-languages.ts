// Programs of the safe list whose words are a small language: find, git, jq, sed, printf, test.
import type { ShellWord } from "./analysis.ts";
import { type FlagTable, readFlags } from "./flags.ts";
import { onlyPrints } from "./sed-text.ts";

/** @output for people: what is not known to be harmless */
export type WordCheck = (args: readonly ShellWord[]) => string | undefined;

// Tests and actions of find that only look. `-exec`, `-delete`, `-fprint`, `-files0-from`… are not among them.
const findAlone: ReadonlySet<string> = new Set(
  "-H -P -print -print0 -prune -ls -quit -depth -daystart -empty -mount -xdev -readable -writable -executable -nouser -nogroup -true -false -not -and -or -a -o ! ( ) ,".split(
    " ",
  ),
);
const findValue: ReadonlySet<string> = new Set(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -size -perm -user -group -uid -gid -links -inum -samefile -newer -anewer -cnewer -newermt -newerct -newerat -mtime -atime -ctime -mmin -amin -cmin -used -fstype -maxdepth -mindepth -printf".split(
    " ",
  ),
);

const find: WordCheck = (args) => {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    const value = word?.value;
    if (value === undefined) {
      if (word?.glob !== true) return `${word?.text ?? ""} is computed`;
    } else if (findValue.has(value)) {
      at += 1;
      if (args[at]?.value === undefined) return `the value of ${value} is computed`;
    } else if (/^[-(),!]/u.test(value) && !findAlone.has(value)) {
      return `the word ${value} is not known to be harmless`;
    }
  }
  return undefined;
};

const diffFlags =
  "-NUM -p -u -U= -s -z -w -b -R -a -W -M=? -C=? -B=? -D -S= -G= -l= -q --patch --no-patch --unified= --raw --stat=? --numstat --shortstat --dirstat=? --summary " +
  "--name-only --name-status --color=? --no-color --word-diff=? --word-diff-regex= --no-renames --find-renames=? --check --full-index --abbrev=? --binary " +
  "--minimal --patience --histogram --diff-algorithm= --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --function-context " +
  "--relative=? --text --exit-code --quiet --no-ext-diff --no-textconv --cached --staged --merge-base --diff-filter= --pickaxe-regex --pickaxe-all --no-prefix --ignore-submodules=?";
const logFlags =
  `${diffFlags} -n= -i -E -F -P -g -L= -c --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep= --all-match --invert-grep ` +
  "--merges --no-merges --first-parent --all --branches=? --tags=? --remotes=? --oneline --pretty=? --format= --abbrev-commit --no-abbrev-commit --decorate=? " +
  "--no-decorate --graph --date= --relative-date --reverse --topo-order --date-order --follow --left-right --cherry-pick --show-signature=? --not --full-history --no-walk --parents --children --regexp-ignore-case --extended-regexp --fixed-strings --walk-reflogs --notes=? --no-notes --source --cc -m";

interface GitCommand {
  readonly flags: FlagTable;
  readonly maxOperands?: number;
  /** One of these has to be given, or operands would make it write. */
  readonly needs?: readonly string[];
}

const gitCommands: ReadonlyMap<string, GitCommand> = new Map<string, GitCommand>([
  [
    "status",
    {
      flags:
        "-s -b -v -z -u=? --short --branch --show-stash --porcelain=? --long --verbose --untracked-files=? --ignored=? --ignore-submodules=? --column=? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames=?",
    },
  ],
  ["log", { flags: logFlags }],
  ["show", { flags: logFlags }],
  ["diff", { flags: diffFlags }],
  [
    "shortlog",
    { flags: "-n -s -e -c --numbered --summary --email --since= --until= --all --no-merges --group=" },
  ],
  [
    "rev-parse",
    {
      flags:
        "-q --abbrev-ref=? --short=? --verify --quiet --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree --is-bare-repository --symbolic-full-name --symbolic --all --branches --tags --remotes --is-inside-git-dir --show-superproject-working-tree",
    },
  ],
  [
    "ls-files",
    {
      flags:
        "-c -d -m -o -i -s -u -k -z -t -v -x= -X= --cached --deleted --modified --others --ignored --stage --unmerged --killed --exclude= --exclude-standard --full-name --error-unmatch --abbrev=? --eol --deduplicate --directory",
    },
  ],
  [
    "ls-tree",
    {
      flags:
        "-d -r -t -l -z --name-only --name-status --object-only --full-name --full-tree --abbrev=? --long --format=",
    },
  ],
  [
    "blame",
    {
      flags:
        "-b -c -l -t -f -n -s -e -w -p -L= -M=? -C=? --root --show-stats --porcelain --line-porcelain --show-name --show-number --show-email --date= --since= --first-parent --color-lines",
    },
  ],
  [
    "grep",
    {
      flags:
        "-NUM -a -I -i -w -v -h -H -E -G -P -F -n -l -L -z -o -c -p -W -q -e= -f= -A= -B= -C= --cached --untracked --no-index --text --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color=? --no-color --break --heading --show-function --function-context --max-depth= --threads= --and --or --not --all-match --quiet",
    },
  ],
  [
    "branch",
    {
      flags:
        "-a -r -v -l --list --all --remotes --verbose --show-current --contains= --no-contains= --merged=? --no-merged=? --points-at= --sort= --format= --color=? --no-color --column=? --no-column --abbrev= --ignore-case",
      needs: ["--list"],
    },
  ],
  [
    "tag",
    {
      flags:
        "-l -n=? --list --contains= --no-contains= --merged=? --no-merged=? --points-at= --sort= --format= --color=? --column=? --ignore-case",
      needs: ["-l", "--list"],
    },
  ],
  ["remote", { flags: "-v --verbose", maxOperands: 0 }],
  ["stash", { flags: "" }],
  [
    "describe",
    {
      flags:
        "--all --tags --contains --always --long --abbrev= --candidates= --exact-match --match= --exclude= --first-parent --dirty=? --broken=?",
    },
  ],
  ["cat-file", { flags: "-t -s -e -p", maxOperands: 2 }],
  [
    "rev-list",
    {
      flags:
        "-n= --count --max-count= --all --since= --until= --author= --no-merges --merges --first-parent --reverse --left-right --branches=? --tags=? --remotes=? --objects --parents --topo-order --date-order",
    },
  ],
  ["merge-base", { flags: "-a --all --octopus --is-ancestor --independent --fork-point" }],
  [
    "show-ref",
    { flags: "-d -s -q --head --tags --heads --branches --dereference --hash=? --verify --quiet --abbrev=?" },
  ],
  [
    "for-each-ref",
    {
      flags:
        "--count= --sort= --format= --points-at= --merged=? --no-merged=? --contains=? --no-contains=? --ignore-case",
    },
  ],
  ["check-ignore", { flags: "-q -v -z -n --quiet --verbose --non-matching --no-index" }],
  ["count-objects", { flags: "-v -H --verbose --human-readable" }],
  ["version", { flags: "--build-options", maxOperands: 0 }],
]);

const git: WordCheck = (args) => {
  const read = readFlags(args, "-P --no-pager --no-optional-locks --version --literal-pathspecs", {
    stopAtOperand: true,
  });
  if (typeof read === "string") return read;
  const [subcommand, ...rest] = read.operands;
  if (subcommand === undefined) return undefined;
  const known = gitCommands.get(subcommand.value ?? "");
  if (known === undefined) return `git ${subcommand.text} is not known to only read`;
  if (subcommand.value === "stash")
    return rest[0]?.value === "list" && rest.length === 1 ? undefined : "git stash changes files";
  const inner = readFlags(rest, known.flags);
  if (typeof inner === "string") return inner;
  if (inner.operands.length > (known.maxOperands ?? Number.POSITIVE_INFINITY))
    return `git ${subcommand.value} with names changes things`;
  // A short value flag such as -O is refused by the table; `--output` too.
  if (known.needs === undefined || inner.operands.length === 0) return undefined;
  return inner.flags.some(({ flag }) => known.needs?.includes(flag))
    ? undefined
    : `git ${subcommand.value} with names changes things`;
};

const sed: WordCheck = (args) => {
  const read = readFlags(
    args,
    "-n -E -r -s -u -z -e= --quiet --silent --regexp-extended --expression= --separate --unbuffered --null-data",
  );
  if (typeof read === "string") return read;
  if (!read.flags.some(({ flag }) => /^(?:-n|--quiet|--silent)$/u.test(flag)))
    return "sed is only known to be harmless with -n";
  const texts = read.flags
    .filter(({ flag }) => flag === "-e" || flag === "--expression")
    .map(({ value }) => value);
  const script = texts.length === 0 ? [read.operands[0]] : texts;
  return script.every((word) => word?.value !== undefined && onlyPrints(word.value))
    ? undefined
    : "the script does more than print lines";
};

const printf: WordCheck = ([format]) =>
  format?.value === undefined || format.value.startsWith("-")
    ? "the format is a flag, or computed"
    : undefined;

const test: WordCheck = (args) =>
  args.every(({ value }) => (value !== undefined && !/^-[vR]$|\[/u.test(value)) || value === "]")
    ? undefined
    : "a word names a variable";

const jqFlags =
  "-c -r -j -a -S -C -M -s -n -R -e --compact-output --raw-output --join-output --ascii-output --sort-keys --color-output " +
  "--monochrome-output --slurp --null-input --raw-input --exit-status --tab --indent=";

/** A filter that imports reads files of its choice, wherever they are. */
const jq: WordCheck = (args) => {
  const rest = [...args];
  for (let at = 0; at < rest.length; at += 1) {
    // These take a name and a value.
    if (/^--arg(?:json)?$/u.test(rest[at]?.value ?? "")) {
      const [, ...given] = rest.splice(at, 3);
      if (given.length < 2 || given.some(({ value }) => value === undefined)) return "--arg lacks its value";
      at -= 1;
    }
  }
  const read = readFlags(rest, jqFlags);
  if (typeof read === "string") return read;
  return read.operands.some(({ value, text }) => /(?<![.\w$@])(?:import|include)(?!\w)/u.test(value ?? text))
    ? "the filter may import a file"
    : undefined;
};

/** A word without `+` in front would set the clock. */
const date: WordCheck = (args) => {
  const flags =
    "-d= -I=? -r= -R -u --date= --iso-8601=? --reference= --rfc-email --rfc-3339= --utc --universal";
  const read = readFlags(args, flags);
  if (typeof read === "string") return read;
  return read.operands.every(({ value }) => value?.startsWith("+"))
    ? undefined
    : "a word without + sets the clock";
};

export const safeLanguages: ReadonlyMap<string, WordCheck> = new Map<string, WordCheck>([
  ["date", date],
  ["find", find],
  ["git", git],
  ["jq", jq],
  ["sed", sed],
  ["printf", printf],
  ["test", test],
  ["[", test],
]);
