// What the parts of the walk hand to each other: where a command stands, and the way back into the walk.
import type { ShellWord } from "./analysis.ts";
import type { Findings } from "./findings.ts";

/** Where a command's standard input comes from. `inherit`: from around it, which may be anything. */
export type Stdin =
  | { readonly kind: "inherit" }
  | { readonly kind: "other" }
  /** `start`: how many programs had been found where the pipeline starts. */
  | { readonly kind: "pipe"; readonly start: number }
  | { readonly kind: "text"; readonly text: string };

export interface Scene {
  /** The programs around, outermost first. */
  readonly via: readonly string[];
  readonly stdin: Stdin;
  /** How many texts are around (`sh -c "sh -c …"`). */
  readonly depth: number;
}

export interface Walker {
  readonly findings: Findings;
  /** A text that a shell will read. */
  text(text: string, scene: Scene): void;
  /** The words of one simple command. */
  words(words: readonly ShellWord[], scene: Scene): void;
}

export type Handler = (args: readonly ShellWord[], walker: Walker, scene: Scene, name: string) => void;

// Where shells other than bash read a text differently: `[[ a || rm ]]` runs rm there.
const dialects = /\$'|\[\[|\(\(/u;

/** A text for a shell that may not be bash. */
export function anyShellText(text: string, walker: Walker, scene: Scene): void {
  if (dialects.test(text)) {
    walker.findings.mention(text, scene.via);
    walker.findings.anyProgram("unparsable", "a shell other than bash may read the text differently");
  }
  walker.text(text, scene);
}

/** Words that are joined by spaces and read as a shell text, as eval does. */
export function joinedText(words: readonly ShellWord[], walker: Walker, scene: Scene, name: string): void {
  walker.findings.mentionWords(words, scene.via);
  const values = words.flatMap((word) => (word.value === undefined ? [] : [word.value]));
  if (values.length === words.length) anyShellText(values.join(" "), walker, scene);
  else walker.findings.anyProgram("computed_program", `${name} runs a text that is computed`);
}

/** What a shell or an interpreter reads as its program when nothing else is given. */
export function programFromStdin(walker: Walker, scene: Scene, name: string, readsShell: boolean): void {
  const { findings } = walker;
  const { stdin } = scene;
  if (stdin.kind === "pipe") findings.mentionSince(stdin.start, scene.via);
  if (stdin.kind === "text") findings.mention(stdin.text, scene.via);
  if (stdin.kind === "text" && readsShell) anyShellText(stdin.text, walker, scene);
  else findings.anyProgram("interpreter", `${name} runs what it reads from its input`);
}
