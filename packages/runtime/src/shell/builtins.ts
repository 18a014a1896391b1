// Bash's own commands that run texts, or change what later words mean. Data where it can be, a handler where not.
import type { ShellWord } from "./analysis.ts";
import { baseName } from "./findings.ts";
import { type Handler, joinedText } from "./scene.ts";
import { decidesPrograms } from "./variables.ts";
import { couldBeFlag } from "./words.ts";

const identifier = /^[A-Za-z_]\w*$/u;

const evalText: Handler = (args, walker, scene, name) => {
  const words = args[0]?.value === "--" ? args.slice(1) : args;
  joinedText(words, walker, { ...scene, via: [...scene.via, name] }, name);
};

const source: Handler = (args, walker, scene, name) => {
  const [file] = args[0]?.value === "--" ? args.slice(1) : args;
  if (file !== undefined) runsFile(file, walker, name);
  walker.findings.mentionWords(args, scene.via);
};

/** A file whose content the text does not say; of a device or a computed name, nothing is known at all. */
export function runsFile(file: ShellWord, { findings }: Parameters<Handler>[1], name: string): void {
  const path = file.value;
  findings.obstacle("interpreter", `${name} runs the file ${file.text}`);
  findings.runsFiles(`${name} ${file.text}`);
  // /dev/stdin and /dev/fd/3 are data of this command, under whatever name they are reached.
  if (
    path === undefined ||
    /^\/+(?:dev|proc)\b|^-$/u.test(path) ||
    /^(?:stdin|\d+|exe)$/u.test(baseName(path))
  ) {
    findings.anyProgram("interpreter", `${name} runs ${file.text}, which can hold anything`);
  }
}

const trap: Handler = (args, walker, scene, name) => {
  const words = args.filter(({ value }) => value !== "--");
  const [text] = words;
  if (text === undefined || (text.value?.startsWith("-") ?? false)) return;
  walker.findings.obstacle("shell_state", `${name} keeps a text to run later`);
  joinedText([text], walker, { ...scene, via: [...scene.via, name] }, name);
};

/** Names of variables: a subscript in one is computed, and computing it can run commands. */
const variableNames: Handler = (args, { findings }, scene, name) => {
  findings.obstacle("shell_state", `${name} changes variables`);
  for (const word of args) {
    const value = word.value ?? word.prefix;
    const flag = word.value?.startsWith("-") ?? false;
    const [variable = "", ...rest] = (value ?? "").split("=");
    const bare = variable.replace(/\+$/u, "");
    if (flag && /[aA]/u.test(word.value ?? "")) findings.makesArray();
    if (flag && !/[nif]/u.test(word.value ?? "")) continue;
    if (flag || !identifier.test(bare) || (word.value === undefined && !(value ?? "").includes("="))) {
      findings.anyProgram("shell_state", `${name} ${word.text} can run commands on its way`);
    } else if (decidesPrograms(bare)) {
      findings.anyProgram("assignment", `${bare} decides which programs run`);
    }
    // A value in brackets is an array's, quoted or not, and its subscripts are computed.
    if (rest[0]?.startsWith("(") === true) {
      findings.anyProgram("shell_state", `${name} ${word.text} can run commands on its way`);
    } else if (word.value === undefined) findings.fillsVariable(`${name} ${word.text}`);
    findings.mention(rest.join("="), scene.via);
  }
};

const opens =
  (reason: string): Handler =>
  (args, { findings }, scene, name) => {
    findings.mentionWords(args, scene.via);
    findings.anyProgram("shell_state", `${name} ${reason}`);
  };

/** `read`, `mapfile`, `printf`, `test`: harmless unless one of their words names a variable with a subscript. */
const flagged =
  (risky: RegExp, unlessPlain: (args: readonly ShellWord[]) => boolean): Handler =>
  (args, { findings }, scene, name) => {
    if (!args.some((word) => risky.test(word.value ?? "-")) && unlessPlain(args)) return;
    findings.mentionWords(args, scene.via);
    findings.anyProgram("shell_state", `${name} can run commands with such words`);
  };

const unaryTest = /^-[a-hknoprstuwxzGLNOS]$|^!$|^\($/u;
const binaryTest = /^(?:=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/u;

function isPlainTest(args: readonly ShellWord[]): boolean {
  return args.every((word, at) => {
    if (word.value !== undefined) return true;
    if (word.splits === true) return false;
    const [before, after] = [args[at - 1]?.value, args[at + 1]?.value];
    return unaryTest.test(before ?? "") || binaryTest.test(before ?? "") || binaryTest.test(after ?? "");
  });
}

const allKnown = (args: readonly ShellWord[]) => args.every(({ value }) => value !== undefined);

const allNames = (args: readonly ShellWord[]) =>
  args.every(
    ({ value }) =>
      value !== undefined && (value.startsWith("-") || (/^[\w.]+$/u.test(value) && !decidesPrograms(value))),
  );

const fillsArray =
  (inner: Handler): Handler =>
  (args, walker, scene, name) => {
    if (name !== "read" || args.some(({ value }) => /^-.*a/u.test(value ?? "-a")))
      walker.findings.makesArray();
    inner(args, walker, scene, name);
  };

/** Options of `set -o` that change what later words mean: `!!` runs an earlier line, any word may set a variable. */
export const openingOption = /^(?:hist\w*|keyword)$/u;

export const builtins: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["eval", evalText],
  ["source", source],
  [".", source],
  ["trap", trap],
  ...["export", "declare", "typeset", "local", "readonly", "unset", "getopts"].map(
    (name): [string, Handler] => [name, variableNames],
  ),
  ["read", fillsArray(flagged(/^-.*[ei]|\[/u, allNames))],
  ["mapfile", fillsArray(flagged(/^-.*C|\[/u, allNames))],
  ["readarray", fillsArray(flagged(/^-.*C|\[/u, allNames))],
  // `jobs -x` runs its words.
  ["jobs", flagged(/^-.*x/u, allKnown)],
  ["wait", flagged(/^-.*p/u, () => true)],
  [
    "printf",
    flagged(/^(?!)/u, ([format]) => format === undefined || format.value === "--" || !couldBeFlag(format)),
  ],
  ["test", flagged(/^-[vR]$/u, isPlainTest)],
  ["[", flagged(/^-[vR]$/u, isPlainTest)],
  ["let", opens("computes, which can run commands in subscripts")],
  ["alias", opens("changes what later words mean")],
  ["enable", opens("can load code")],
  ["bind", opens("can run commands")],
  ["complete", opens("can run commands")],
  ["compgen", opens("can run commands")],
  ["compopt", opens("can run commands")],
  ["fc", opens("runs earlier commands")],
  ["history", opens("changes what fc runs")],
  ["hash", flagged(/^-.*p/u, allKnown)],
  [
    "set",
    flagged(
      /^[-+][A-Za-z]*[Hk]/u,
      ([first, ...rest]) =>
        (first === undefined || first.value !== undefined) &&
        [first, ...rest].every((word) => !openingOption.test(word?.value ?? "")),
    ),
  ],
  [
    "shopt",
    flagged(/^(?!)/u, (args) =>
      args.every(({ value }) => value !== "expand_aliases" && !openingOption.test(value ?? "history")),
    ),
  ],
  ["unalias", () => undefined],
]);
