// Finds the program that a wrapper runs, by the wrapper's entry in the table.
import type { ShellWord } from "./analysis.ts";
import { readFlags } from "./flags.ts";
import { joinedText, programFromStdin, type Scene, type Walker } from "./scene.ts";
import { decidesPrograms } from "./variables.ts";
import { unknownWord } from "./words.ts";
import type { Wrapper } from "./wrappers.ts";

const assignment = /^([A-Za-z_]\w*(?:%%|\(\))?)=/u;

export function runWrapper(
  wrapper: Wrapper,
  args: readonly ShellWord[],
  walker: Walker,
  scene: Scene,
  name: string,
): void {
  const { findings } = walker;
  const inside: Scene = { ...scene, via: [...scene.via, name] };
  findings.obstacle("wrapper", `${name} runs another program`);
  const read = readFlags(args, wrapper.flags, { stopAtOperand: wrapper.permutes !== true });
  if (typeof read === "string") {
    findings.mentionWords(args, inside.via);
    findings.anyProgram("wrapper", `what ${name} runs is not clear: ${read}`);
    return;
  }
  const asked = (flags: readonly string[] | undefined) =>
    read.flags.find(({ flag }) => flags?.includes(flag) ?? false);
  if (asked(wrapper.lookFlags) !== undefined) return;
  findings.mentionWords(args, inside.via);
  const text = asked(wrapper.textFlags);
  if (text?.value !== undefined) joinedText([text.value], walker, inside, name);
  const joins = wrapper.joins === true || asked(wrapper.shellFlags) !== undefined;
  const words = withoutFlags(afterSkipped(read.operands, wrapper, walker, inside), wrapper);
  if (typeof words === "string") {
    findings.anyProgram("wrapper", `what ${name} runs is not clear: ${words}`);
    return;
  }
  if (words.length === 0) {
    if (text !== undefined || (wrapper.aloneIsShell !== true && asked(wrapper.shellFlags) === undefined))
      return;
    programFromStdin(walker, inside, name, true);
  } else if (wrapper.textFlags?.includes(words[0]?.value ?? "") === true) {
    // flock FILE -c TEXT: the flag stands after the operand.
    joinedText(words.slice(1), walker, inside, name);
  } else if (wrapper.permutes === true) {
    findings.anyProgram("wrapper", `${name} gives ${words[0]?.text ?? ""} to a shell`);
  } else if (joins) {
    joinedText(words, walker, inside, name);
  } else if (wrapper.appends === true) {
    runWithAppended(
      words,
      read.flags.some(({ flag }) => /^(?:-[iI]|--replace)$/u.test(flag)),
      walker,
      inside,
    );
  } else {
    walker.words(words, inside);
  }
}

/** setarch takes flags after its operand too. */
function withoutFlags(words: readonly ShellWord[], wrapper: Wrapper): readonly ShellWord[] | string {
  const first = words[0]?.value ?? "";
  if (wrapper.skip === undefined || !first.startsWith("-") || wrapper.textFlags?.includes(first) === true)
    return words;
  const read = readFlags(words, wrapper.flags, { stopAtOperand: true });
  return typeof read === "string" ? read : read.operands;
}

/** xargs: what it reads is appended, or put in wherever the mark stands, which can be any word. */
function runWithAppended(words: readonly ShellWord[], replaces: boolean, walker: Walker, scene: Scene): void {
  const inner: Scene = { ...scene, stdin: { kind: "other" } };
  if (!replaces) {
    walker.words([...words, unknownWord], inner);
    return;
  }
  const marked = words.map((word) => (/^[\w./-]+$/u.test(word.value ?? "{}") ? word : unknownWord));
  walker.words(marked, inner);
  // The mark can be chosen, so a plain word can be one too.
  walker.findings.anyProgram("wrapper", "xargs puts what it reads in the place of a mark");
}

function afterSkipped(
  operands: readonly ShellWord[],
  wrapper: Wrapper,
  { findings }: Walker,
  scene: Scene,
): readonly ShellWord[] {
  // env - and su - start afresh.
  let rest = operands[0]?.value === "-" ? operands.slice(1) : operands;
  if (wrapper.assignments === true) {
    while (rest[0] !== undefined && assignment.test(rest[0].value ?? rest[0].prefix ?? "")) {
      const name = assignment.exec(rest[0].value ?? rest[0].prefix ?? "")?.[1] ?? "";
      if (decidesPrograms(name)) {
        const by = scene.via.at(-1) ?? "";
        findings.anyProgram("assignment", `${by} sets ${name}, which decides which programs run`);
      }
      rest = rest.slice(1);
    }
    // env takes any name before the first `=`.
    if (rest[0]?.value?.includes("=") === true) {
      findings.anyProgram("assignment", `${rest[0].text} is an odd assignment`);
    }
  }
  const skipped = rest.slice(0, wrapper.skip ?? 0);
  if (skipped.some(({ value, splits }) => value === undefined && splits === true)) {
    findings.anyProgram("computed_program", "where the wrapped program starts is computed");
  }
  return rest.slice(wrapper.skip ?? 0);
}
