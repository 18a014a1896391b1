// find, git, sed and awk: everyday programs with a small language of their own that can start programs.
import type { ShellWord } from "./analysis.ts";
import { runsFile } from "./builtins.ts";
import { givesFlag, readFlags } from "./flags.ts";
import type { Handler } from "./scene.ts";
import { onlyTransforms } from "./sed-text.ts";
import { couldBeFlag, unknownWord } from "./words.ts";

const maxFindPrograms = 8;

const find: Handler = (args, walker, scene, name) => {
  const { findings } = walker;
  if (args.some((word) => word.value === undefined && couldBeFlag(word))) {
    findings.mentionWords(args, scene.via);
    findings.anyProgram("computed_program", `${name} can run programs, and one of its words is computed`);
  }
  let programs = 0;
  args.forEach(({ value }, at) => {
    if (value?.startsWith("-fprint") === true || value === "-fls") findings.writes(name);
    if (!/^-(?:exec|execdir|ok|okdir)$/u.test(value ?? "")) return;
    programs += 1;
    if (programs > maxFindPrograms) {
      findings.anyProgram("too_long", `${name} runs too many programs to look at`);
      return;
    }
    const rest = args.slice(at + 1);
    const end = rest.findIndex((word) => word.value === ";" || word.value === "+");
    const words = (end < 0 ? rest : rest.slice(0, end)).map((word) =>
      word.value?.includes("{}") === true ? unknownWord : word,
    );
    findings.obstacle("wrapper", `${name} ${value} runs a program`);
    walker.words(words, { ...scene, stdin: { kind: "other" }, via: [...scene.via, name] });
  });
};

const gitGlobals =
  "-C= -P -h -v --git-dir= --work-tree= --namespace= --no-pager --no-replace-objects --bare --no-optional-locks " +
  "--literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --version --help --html-path --man-path --info-path";
const gitKnown: ReadonlySet<string> = new Set(
  (
    "add am apply archive blame branch bundle cat-file check-attr check-ignore checkout cherry cherry-pick clean clone " +
    "commit commit-tree count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck " +
    "gc grep hash-object init log ls-files ls-remote ls-tree merge merge-base mktree mv name-rev notes pack-refs " +
    "prune pull push range-diff read-tree rebase reflog remote reset restore rev-list rev-parse revert rm shortlog show " +
    "show-branch show-ref sparse-checkout stash status switch symbolic-ref tag update-index update-ref var version " +
    "verify-commit verify-tag whatchanged worktree write-tree"
  ).split(" "),
);
const gitRisky = [
  "--upload-pack",
  "--receive-pack",
  "--exec",
  "--extcmd",
  "--open-files-in-pager",
  "--config",
  "--config-env",
  "--template",
  "--server-option",
  "--ext-diff",
  "--textconv",
];
// Short flags that name programs or config, per subcommand: `-x` of clean is harmless, that of rebase is not.
const gitRiskyShort: ReadonlyMap<string, readonly string[]> = new Map([
  ["clone", ["-c", "-u"]],
  ["rebase", ["-x", "-i"]],
  ["grep", ["-O"]],
  ["fetch", ["-u"]],
]);

const git: Handler = (args, walker, scene, name) => {
  const { findings } = walker;
  const opens = (why: string) => {
    findings.mentionWords(args, scene.via);
    findings.anyProgram("wrapper", `${name} can run any program: ${why}`);
  };
  findings.runsGit();
  const read = readFlags(args, gitGlobals, { stopAtOperand: true });
  if (typeof read === "string") return opens(read);
  const [subcommand, ...rest] = read.operands;
  if (subcommand?.value === undefined) return;
  const risky = [...gitRisky, ...(gitRiskyShort.get(subcommand.value) ?? [])];
  const odd = rest.find((word) =>
    word.value === undefined
      ? couldBeFlag(word)
      : givesFlag(word.value, risky) || word.value.startsWith("ext::"),
  );
  if (odd !== undefined) return opens(`the word ${odd.text}`);
  if (/^(?:apply|am)$/u.test(subcommand.value)) findings.writes(`${name} ${subcommand.value}`);
  if (subcommand.value === "config" && isGitRead(rest)) return;
  if (!gitKnown.has(subcommand.value)) opens(`${subcommand.value} is not one of its plain commands`);
};

function isGitRead(args: readonly ShellWord[]): boolean {
  return /^(?:--get(?:-all|-regexp)?|--list|-l|get|list)$/u.test(args[0]?.value ?? "");
}

const sedFlags =
  "-n -E -r -s -u -z -l= -e= -f= --quiet --silent --regexp-extended --expression= --file= --separate --unbuffered " +
  "--null-data --line-length= --posix --sandbox --debug -i=? --in-place=?";

const sed: Handler = (args, walker, scene, name) => {
  const { findings } = walker;
  const opens = (why: string) => {
    findings.mentionWords(args, scene.via);
    findings.anyProgram("interpreter", `${name} can run programs: ${why}`);
  };
  const read = readFlags(args, sedFlags);
  if (typeof read === "string") return opens(read);
  const scripts = read.flags
    .filter(({ flag }) => flag === "-e" || flag === "--expression")
    .map(({ value }) => value);
  const files = read.flags.filter(({ flag }) => flag === "-f" || flag === "--file");
  for (const { value } of files) if (value !== undefined) runsFile(value, walker, name);
  if (read.flags.some(({ flag }) => flag === "-i" || flag === "--in-place")) findings.writes(name);
  if (scripts.length === 0 && files.length === 0) scripts.push(read.operands[0]);
  // Several -e texts are joined by newlines, so that one could end inside the other.
  const text = scripts.map((script) => script?.value ?? "\0").join("\n");
  if (scripts.length > 0 && !onlyTransforms(text)) opens("its script does more than transform lines");
};

const awkFlags = "-F= -v= -f= --field-separator= --assign= --file=";

const awk: Handler = (args, walker, scene, name) => {
  const { findings } = walker;
  const opens = (why: string) => {
    findings.mentionWords(args, scene.via);
    findings.anyProgram("interpreter", `${name} can run programs: ${why}`);
  };
  const read = readFlags(args, awkFlags, { stopAtOperand: true });
  if (typeof read === "string") return opens(read);
  const files = read.flags.filter(({ flag }) => flag === "-f" || flag === "--file");
  for (const { value } of files) if (value !== undefined) runsFile(value, walker, name);
  if (files.length > 0) return;
  const script = read.operands[0]?.value;
  if (script === undefined) return opens("its script is computed");
  if (/system|getline|[>@|]|\\\n/u.test(script.replaceAll("||", "")))
    opens("its script uses pipes, files or system()");
};

export const specialPrograms: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["find", find],
  ["git", git],
  ["sed", sed],
  ["gsed", sed],
  ["awk", awk],
  ["gawk", awk],
  ["mawk", awk],
  ["nawk", awk],
]);
