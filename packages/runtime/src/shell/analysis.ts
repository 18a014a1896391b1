// What the shell room tells about a command. Plain data: it can be printed as JSON and compared as a whole.

/** One word of a simple command, as far as the text says what bash makes of it. */
export interface ShellWord {
  /** As written. */
  readonly text: string;
  /** After quote removal; absent when an expansion decides. */
  readonly value?: string;
  /** The known beginning of a word that is not wholly known. */
  readonly prefix?: string;
  /** Bash may make several words, or none, out of this one. */
  readonly splits?: true;
  /** Bash looks for file names that match; nothing else about the word is unknown. */
  readonly glob?: true;
}

/** A program that a command runs, or could run. */
export interface ProgramUse {
  /** The program's word first. Empty for a name that was only found in a text. */
  readonly words: readonly ShellWord[];
  /** As written, after quote removal; of a computed name, its text. */
  readonly program: string;
  /** Base name. */
  readonly name: string;
  /** `possible`: a word that could be a program, such as one in a text for an interpreter. */
  readonly certainty: "certain" | "possible";
  /** The programs it is started by, outermost first. */
  readonly via: readonly string[];
}

export type ObstacleKind =
  | "substitution"
  | "redirection"
  | "background"
  | "newline"
  | "heredoc"
  | "wrapper"
  | "interpreter"
  | "assignment"
  | "expansion"
  | "glob"
  | "control"
  | "function"
  | "computed_program"
  | "shell_state"
  | "written_then_run"
  | "unparsable"
  | "too_long"
  | "odd_characters";

/** Why a command is more than plain words joined by `&& || ; |`. */
export interface Obstacle {
  readonly kind: ObstacleKind;
  /** For people. May quote the command: show it through visibleText. */
  readonly text: string;
  /** The text does not say which program this runs: it can be any. */
  readonly anyProgram: boolean;
}

export interface RedirectionUse {
  readonly access: "read" | "write" | "append" | "read_write";
  /** The file's name, where it is plain. */
  readonly path?: string;
  readonly text: string;
}

export interface CommandAnalysis {
  /** In order of appearance, with those inside wrappers, substitutions, functions and `-c` texts. */
  readonly programs: readonly ProgramUse[];
  /** Empty: the command is plain. */
  readonly obstacles: readonly Obstacle[];
  /** Words that variables get, of assignments and loops, and those of here-strings. */
  readonly assigned: readonly ShellWord[];
  /** Files that are opened by redirections. /dev/null and copies of descriptors (2>&1) are left out. */
  readonly redirections: readonly RedirectionUse[];
}
