// Commands that only look, or seem to: safe programs with flags and patterns, some of which write after all.
import type { Random } from "./random.ts";

type Reader = (random: Random) => string;

const programs: Readonly<Record<string, readonly string[]>> = {
  ls: ["-l", "-la", "--color=auto", "-R", "--zero"],
  cat: ["-n", "-A"],
  head: ["-n 1", "-1", "-c 3", "--lines=2"],
  tail: ["-n 1", "-2", "-c 3"],
  wc: ["-l", "-c"],
  grep: ["-r zap .", "zap", "-c a", "-n -e zap", "-l zap -r", "-f list.txt"],
  sort: [
    "-r",
    "-u",
    "-o made",
    "-omade",
    "-no made",
    "--output=made",
    "--out made",
    "-k 1",
    "-T .",
    "--compress-program=zap",
  ],
  uniq: ["-c", "-d", "list.txt made", "- made"],
  cut: ["-c 1", "-d: -f1"],
  find: [
    ". -name '*.txt'",
    ". -delete",
    ". -fprint made",
    ". -exec zap \\;",
    "src -type f",
    ". -fls made",
    "-maxdepth 1",
    ". -fprintf made x",
    ". -ok zap \\;",
    ". -newermt 2000-01-01",
  ],
  sed: [
    "-n 1p",
    "-n '1,2p'",
    "-i s/a/b/",
    "-n 'w made'",
    "-n '1!p'",
    "-n /a/p",
    "-n -e 1p -e 2p",
    "-n '1p;2w made'",
    "-n -s 1p",
    "'1e zap'",
    "-n --in-place 1p",
    "-n 'p;e zap'",
  ],
  tree: ["-o made", "-L 1", ""],
  date: ["+%s", "-u", "-s 2020-01-01", "010100002020"],
  tr: ["a b", "-d a"],
  diff: ["-u notes.txt", "-r src", "--brief"],
  cmp: ["-s notes.txt"],
  comm: ["notes.txt"],
  stat: ["-c %n", ""],
  file: ["-b", "-C -m", "-m"],
  du: ["-sh", "-a"],
  printf: ["'%s\\n' zap", "-v x zap", "%d 3", "x"],
  echo: ["zap", "-e '\\x7aap'", "-n a", "'$(zap)'", "\\$\\(zap\\)", '"\\$(zap)"', "'`zap`'"],
  test: ["-f", "-n zap -a", "-v"],
  sha256sum: ["", "-b", "-c"],
  jq: [".", "-r .a", "-n env", "-c '.a[]'"],
  git: [
    "status",
    "log --oneline",
    "diff --output=made",
    "diff --no-index --output=made list.txt",
    "-c core.pager=zap log",
    "branch -a",
    "grep -Ozap a",
    "show",
    "diff --ext-diff",
    "--version",
    "init",
    "rev-parse --show-toplevel",
    "log --out=made",
    "stash list",
  ],
  basename: ["a/zap", "-a"],
  realpath: ["-m", ""],
  seq: ["3", "-s , 3"],
  column: ["-t", "-o made -t"],
  nl: ["-b a", ""],
  od: ["-c", "-An -tx1"],
  cd: ["src", ""],
  pwd: ["", "-P"],
  which: ["zap", "ls"],
  type: ["zap", "-a ls"],
  true: ["zap", ""],
  expr: ["1 + 1", "length zap"],
  rev: [""],
  fold: ["-w 3"],
  paste: ["-s", "-d, list.txt"],
};

const operands = [
  "notes.txt",
  "list.txt",
  "src/a.txt",
  "./*",
  "*",
  "src/*.txt",
  "src/?.txt",
  "*.txt",
  "[nl]*.txt",
  "-- notes.txt",
  "",
  "'a b'",
  "'-o'",
  "-",
  "made",
  "./-o",
  "data.json",
];
const joints = [" && ", " || ", " ; ", " | ", " | ", "; ", "&&", "|"];

function simple(random: Random): string {
  const name = random.pick(Object.keys(programs));
  const flags = random.pick(programs[name] ?? [""]);
  return `${name} ${flags} ${random.pick(operands)}`.trim();
}

const list: Reader = (random) => {
  let text = simple(random);
  while (random.chance(0.4)) text += random.pick(joints) + simple(random);
  return text;
};

export const readers: readonly Reader[] = [
  list,
  list,
  list,
  (random) =>
    `${simple(random)} ${random.pick(["> /dev/null", "2>&1", "2>/dev/null", ">made", ">>made", "< notes.txt", "&>made", "2>made", ">|made", "<>made", "1>&2"])}`,
  (random) => `${simple(random)} # zap`,
  (random) =>
    `${simple(random)} ${random.pick(["zap", "'zap'", "$'\\x7aap'", "z\\ap", "'; zap'", '"; zap"', "\\; zap", "'&& zap'", "'$(zap)'", "\\`zap\\`"])}`,
];
