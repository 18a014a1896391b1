// Says what the words of one simple command run, by the tables: builtins, wrappers, interpreters, carriers, data.
import type { ShellWord } from "./analysis.ts";
import { builtins, runsFile } from "./builtins.ts";
import { carriers, inert } from "./carriers.ts";
import { baseName } from "./findings.ts";
import { givesFlag, readFlags } from "./flags.ts";
import { interpreterOf, isOpaque, isPosixShell } from "./interpreters.ts";
import { runShell } from "./run-shell.ts";
import { runWrapper } from "./run-wrapper.ts";
import { type Handler, programFromStdin, type Scene, type Walker } from "./scene.ts";
import { specialPrograms } from "./special-programs.ts";
import { couldBeFlag } from "./words.ts";
import { wrapperOf } from "./wrappers.ts";

/** @effect adds the program, and those that it would start, to the findings */
export function runWords(words: readonly ShellWord[], walker: Walker, scene: Scene): void {
  const { findings } = walker;
  const [program, ...args] = words;
  if (program === undefined) return;
  findings.use(words, scene.via, "certain");
  if (program.value === undefined) {
    findings.mentionWords(words, scene.via);
    findings.anyProgram("computed_program", `the program ${program.text} is computed`);
    return;
  }
  const name = baseName(program.value);
  if (program.value.includes("/")) {
    findings.runsFiles(program.value);
    if (name === "exe" || /^\/+proc\b|\.\.?\/proc\//u.test(program.value)) {
      findings.anyProgram("interpreter", `${program.value} can be any program`);
    }
  }
  handlerOf(name)(args, walker, scene, name);
}

function handlerOf(name: string): Handler {
  const own = builtins.get(name) ?? specialPrograms.get(name);
  if (own !== undefined) return own;
  const wrapper = wrapperOf(name);
  if (wrapper !== undefined) return (args, walker, scene) => runWrapper(wrapper, args, walker, scene, name);
  if (isPosixShell(name)) return runShell;
  if (isOpaque(name)) return runOpaque;
  const interpreter = interpreterOf(name);
  if (interpreter !== undefined) {
    return (args, walker, scene) => runInterpreter(interpreter.harmless, args, walker, scene, name);
  }
  if (carriers.has(name)) return runCarrier;
  return inert.has(name) ? () => undefined : runUnknown;
}

const runOpaque: Handler = (args, { findings }, scene, name) => {
  findings.mentionWords(args, scene.via);
  if (args.length === 1 && /^--(?:version|help)$/u.test(args[0]?.value ?? "")) return;
  if (scene.stdin.kind === "pipe") findings.mentionSince(scene.stdin.start, scene.via);
  findings.anyProgram("interpreter", `${name} can start any program`);
};

function runInterpreter(
  harmless: string,
  args: readonly ShellWord[],
  walker: Walker,
  scene: Scene,
  name: string,
): void {
  const { findings } = walker;
  findings.obstacle("interpreter", `${name} is an interpreter`);
  findings.mentionWords(args, scene.via);
  if (args[0]?.value === "-m" && isModule(args[1])) {
    runUnknown(args.slice(2), walker, scene, name);
    return;
  }
  const read = readFlags(args, harmless, { stopAtOperand: true });
  if (typeof read === "string") {
    findings.anyProgram("interpreter", `${name} runs a text: ${read}`);
    return;
  }
  const [file, ...rest] = read.operands;
  if (file === undefined) {
    if (read.flags.some(({ flag }) => /^(?:-v|-V|-h|--version|--help)$/u.test(flag))) return;
    programFromStdin(walker, scene, name, false);
    return;
  }
  runsFile(file, walker, name);
  runUnknown(rest, walker, scene, name);
}

/** Modules of Python that do one known thing. */
function isModule(word: ShellWord | undefined): boolean {
  return /^(?:pytest|unittest|pip|venv|http\.server|json\.tool|compileall|build|mypy|ruff|black|isort|flake8)$/u.test(
    word?.value ?? "",
  );
}

const runCarrier: Handler = (args, walker, scene, name) => {
  const { findings } = walker;
  const carrier = carriers.get(name);
  if (carrier === undefined) return;
  if (carrier.writesFiles === true) findings.writes(name);
  if (args.some(({ value }) => givesFlag(value ?? "", carrier.writeFlags ?? []))) findings.writes(name);
  if (carrier.copies === true) copyFiles(args, walker, scene, name);
  if (carrier.runsFiles === true) {
    findings.runsFiles(name);
    findings.mentionWords(args, scene.via);
  }
  if (carrier.risky.length === 0 && carrier.riskyWord === undefined) return;
  const odd = args.find((word) =>
    word.value === undefined
      ? couldBeFlag(word)
      : givesFlag(word.value, carrier.risky) || carrier.riskyWord?.test(word.value) === true,
  );
  const first = args[0]?.value ?? "";
  if (odd === undefined && carrier.riskyFirst?.test(first) !== true) return;
  findings.mentionWords(args, scene.via);
  findings.anyProgram("wrapper", `${name} can run a program because of ${odd?.text ?? first}`);
};

/** Under a new name a program is not known by its name any more. */
function copyFiles(args: readonly ShellWord[], { findings }: Walker, scene: Scene, name: string): void {
  const runs = args.some(({ value }) => value === undefined || startsPrograms(baseName(value)));
  if (runs) findings.writes(name);
  else findings.copies(args, scene.via);
}

function startsPrograms(name: string): boolean {
  return name === "exe" || !(inert.has(name) || carriers.has(name) || handlerOf(name) === runUnknown);
}

// What an interpreter that no table knows would take a text by.
const textFlags = [
  "-c",
  "-e",
  "-E",
  "-r",
  "-x",
  "--eval",
  "--exec",
  "--execute",
  "--command",
  "--call",
  "--run",
  "--script",
];

/** A program that no table knows: any word of it could be a program, or a text with one in it. */
const runUnknown: Handler = (args, { findings }, scene, name) => {
  findings.runsFiles(name);
  findings.mentionWords(args, scene.via);
  if (scene.stdin.kind === "pipe") findings.mentionSince(scene.stdin.start, scene.via);
  if (scene.stdin.kind === "text") findings.mention(scene.stdin.text, scene.via);
  args.forEach((word, at) => {
    if (word.value === undefined) {
      if (word.glob === true && !couldBeFlag(word)) return;
      findings.anyProgram("computed_program", `${name} may run ${word.text}, which is computed`);
    } else if (/^\/+(?:dev\/(?!null$)|proc\/)/u.test(word.value) || word.value === "-") {
      findings.anyProgram("interpreter", `${name} may run what ${word.text} holds`);
    } else if (looksLikeText(word.value) && (isTextFlag(args[at - 1]?.value) || isTextFlag(word.value))) {
      findings.anyProgram("interpreter", `${name} may run the text ${word.text}`);
    }
  });
};

function isTextFlag(value: string | undefined): boolean {
  return value === "eval" || value === "exec" || (value !== undefined && givesFlag(value, textFlags));
}

function looksLikeText(value: string): boolean {
  return /[^\w./:@,+=-]/u.test(value);
}
