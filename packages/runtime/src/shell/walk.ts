// Walks the syntax tree of a command and reports every simple command, expansion and redirection in it.
import type { ShellWord } from "./analysis.ts";
import type { Findings } from "./findings.ts";
import {
  type Assignment,
  type Command,
  excessOf,
  type Grammar,
  type Pipeline,
  type Redirection,
  type SyntaxNode,
  scriptDefect,
  type Word,
} from "./parser.ts";
import { reportRedirection } from "./redirections.ts";
import { runWords } from "./run-words.ts";
import { hasOnlyReadingFlags } from "./safe-programs.ts";
import type { Scene, Stdin, Walker } from "./scene.ts";
import { decidesPrograms } from "./variables.ts";
import { reportPart } from "./word-parts.ts";
import { assignmentWord, couldBeFlag, misreadText, shellWord } from "./words.ts";

// Texts in texts in texts: nobody writes more by hand.
const maxDepth = 8;
// A wrapper in a wrapper…
const maxWrappers = 16;
// Every word of every command that is looked at costs one, again inside each wrapper; past it the rest is not looked at.
const maxSteps = 20_000;

const controlNodes: ReadonlySet<SyntaxNode["type"]> = new Set([
  ...(["If", "For", "ArithmeticFor", "Select", "While", "Subshell", "BraceGroup", "Case"] as const),
  ...(["TestCommand", "ArithmeticCommand", "Coproc", "Function"] as const),
]);

export class Walk implements Walker {
  readonly findings: Findings;
  readonly #grammar: Grammar;
  #steps = 0;

  constructor(grammar: Grammar, findings: Findings) {
    this.#grammar = grammar;
    this.findings = findings;
  }

  text(text: string, scene: Scene): void {
    const excess = scene.depth >= maxDepth ? "holds texts in texts in texts" : excessOf(text);
    if (excess !== undefined || this.#isExhausted(1)) {
      this.findings.mention(text.slice(0, 64 * 1024), scene.via);
      this.findings.anyProgram("too_long", `the text ${excess ?? "is too much to look at"}`);
      return;
    }
    const { script, defect } = this.#grammar.parse(text);
    if (defect !== undefined) {
      this.findings.mention(text, scene.via);
      this.findings.anyProgram("unparsable", `the text is not understood: ${defect}`);
    }
    this.#node(script, { ...scene, depth: scene.depth + 1 });
  }

  words(words: readonly ShellWord[], scene: Scene): void {
    if (scene.via.length > maxWrappers || this.#isExhausted(words.length))
      this.findings.anyProgram("too_long", "the command is too much to look at");
    else runWords(words, this, scene);
  }

  #isExhausted(cost: number): boolean {
    this.#steps += cost;
    return this.#steps > maxSteps;
  }

  #children(node: SyntaxNode, scene: Scene): void {
    this.#grammar.forEachChild(node, (child) => this.#node(child, scene));
  }

  #node(node: SyntaxNode, scene: Scene): void {
    if (node.type === "Pipeline") this.#pipeline(node, scene);
    else if (node.type === "Command") this.#command(node, scene);
    else if (node.type === "Assignment") this.#assignment(node, scene);
    else if (node.type === "Redirected") {
      this.#node(node.command, { ...scene, stdin: this.#redirections(node.redirects, scene) });
    } else if (node.type === "Script" || node.type === "Statement") {
      const defect = node.type === "Script" ? scriptDefect(node) : undefined;
      if (defect !== undefined) this.findings.anyProgram("unparsable", `a part is not understood: ${defect}`);
      if (node.type === "Statement" && node.background === true) {
        this.findings.obstacle("background", "& runs a command in the background");
      }
      this.#children(node, scene);
    } else this.#other(node, scene);
  }

  #other(node: SyntaxNode, scene: Scene): void {
    if (controlNodes.has(node.type)) {
      const kind = node.type === "Function" ? "function" : "control";
      this.findings.obstacle(kind, `${node.type.toLowerCase()} is more than a plain command`);
    }
    reportPart(node, this.findings);
    if (node.type === "For" || node.type === "Select") {
      if (decidesPrograms(node.name.text))
        this.findings.anyProgram("assignment", `${node.name.text} decides which programs run`);
      for (const word of node.wordlist ?? []) {
        this.#plainText(word);
        this.findings.assigns(shellWord(word));
      }
    }
    if (node.type === "Case") this.#plainText(node.word);
    // What runs inside shares the input of what is around it, which then is no text of its own.
    this.#children(node, scene.stdin.kind === "text" ? { ...scene, stdin: { kind: "other" } } : scene);
  }

  #pipeline(node: Pipeline, scene: Scene): void {
    if (node.prefixes.length > 0) this.findings.obstacle("control", "! or time before a command");
    if (node.operators.includes("|&")) this.findings.obstacle("control", "|& also pipes what goes to stderr");
    const start = this.findings.count;
    node.commands.forEach((command, at) => {
      this.#node(command, at === 0 ? scene : { ...scene, stdin: { kind: "pipe", start } });
    });
  }

  #command(node: Command, scene: Scene): void {
    for (const part of node.prefix) if (part.type === "Assignment") this.#assignment(part, scene);
    const stdin = this.#redirections(node.redirects, scene);
    const words: ShellWord[] = [];
    for (const word of [...(node.name === undefined ? [] : [node.name]), ...node.args]) {
      const made = word.type === "Assignment" ? assignmentWord(word) : shellWord(word);
      words.push(made);
      if (word.type === "Word") this.#plainText(word);
      this.#children(word, scene);
      if (made.value === undefined) this.#openWord(made, words[0]?.value ?? "");
    }
    if (words.length > 0) this.words(words, { ...scene, stdin });
  }

  #plainText(word: Word): void {
    const odd = misreadText(word);
    if (odd === undefined) return;
    this.findings.mention(odd, []);
    this.findings.anyProgram("unparsable", `${odd} is not understood`);
  }

  #openWord(word: ShellWord, program: string): void {
    if (word.glob !== true) this.findings.obstacle("expansion", `${word.text} is computed`);
    else if (couldBeFlag(word) && !hasOnlyReadingFlags(program)) {
      this.findings.obstacle("glob", `${word.text} could become a flag`);
    }
  }

  #assignment(node: Assignment, scene: Scene): void {
    this.findings.obstacle("assignment", `${node.name} is set`);
    if (decidesPrograms(node.name)) {
      this.findings.anyProgram("assignment", `${node.name} decides which programs run`);
    }
    const elements = node.value.type === "ArrayValue" ? node.value.elements : [];
    if (node.value.type === "ArrayValue" || node.index !== undefined) this.findings.makesArray();
    // `a=([x]=1)`: whether it is a name or a computation depends on what `a` was before.
    const isComputed = elements.some(({ text }) => text.startsWith("[") && !/^\[\d+\]\+?=/u.test(text));
    if (isComputed || (node.index !== undefined && !/^\d+$/u.test(node.index.text))) {
      this.findings.anyProgram("expansion", "a subscript is computed, which can run commands");
    }
    this.findings.mention(node.text.slice(node.name.length), scene.via);
    for (const word of node.value.type === "Word" ? [node.value] : node.value.elements) {
      this.#plainText(word);
      this.findings.assigns(shellWord(word));
    }
    if (node.value.type === "Word") {
      const { value } = shellWord(node.value);
      if (value !== undefined) this.findings.mention(value, scene.via);
    }
    this.#children(node, scene);
  }

  #redirections(redirections: readonly Redirection[], scene: Scene): Stdin {
    const inputs: Stdin[] = [];
    for (const redirection of redirections) {
      const stdin = reportRedirection(redirection, this.findings);
      if (stdin !== undefined) inputs.push(stdin);
      if (redirection.type !== "HereDoc" && redirection.target !== undefined)
        this.#plainText(redirection.target);
      this.#children(redirection, scene);
    }
    return inputs.length > 1 ? { kind: "other" } : (inputs[0] ?? scene.stdin);
  }
}
