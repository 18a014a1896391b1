// Collects what the walk finds: programs, obstacles, redirections, and what the command does to files on the way.
import type {
  CommandAnalysis,
  Obstacle,
  ObstacleKind,
  ProgramUse,
  RedirectionUse,
  ShellWord,
} from "./analysis.ts";

// More than a person reads; past it only the first of each kind is of use.
const maxObstacles = 50;

export class Findings {
  readonly #programs: ProgramUse[] = [];
  readonly #mentioned = new Set<string>();
  readonly #obstacles = new Map<string, Obstacle>();
  readonly #redirections: RedirectionUse[] = [];
  readonly #assigned: ShellWord[] = [];
  /** A file gets content that the text decides; something later may run it. */
  #writes: string | undefined;
  /** Something runs what is in files. */
  #runsFiles: string | undefined;
  /** Git runs what its folder and its config say. */
  #runsGit = false;
  /** A variable gets a value that is computed; in an array its subscripts are computed again. */
  #filled: string | undefined;
  #makesArray = false;
  readonly #copied: { readonly words: readonly ShellWord[]; readonly via: readonly string[] }[] = [];

  use(words: readonly ShellWord[], via: readonly string[], certainty: ProgramUse["certainty"]): void {
    const [first] = words;
    if (first === undefined) return;
    const program = first.value ?? first.text;
    this.#programs.push({ words, program, name: baseName(program), certainty, via });
  }

  /** Every word of a text could be a program. */
  mention(text: string, via: readonly string[]): void {
    for (const program of programLikeWords(text)) {
      if (this.#mentioned.has(program)) continue;
      this.#mentioned.add(program);
      this.#programs.push({ words: [], program, name: baseName(program), certainty: "possible", via });
    }
  }

  mentionWords(words: readonly ShellWord[], via: readonly string[]): void {
    for (const word of words) this.mention(word.value ?? word.text, via);
  }

  /** The words of the programs found since, such as those before a pipe. */
  mentionSince(start: number, via: readonly string[]): void {
    for (const { words } of this.#programs.slice(start)) this.mentionWords(words, via);
  }

  get count(): number {
    return this.#programs.length;
  }

  obstacle(kind: ObstacleKind, text: string, anyProgram = false): void {
    const key = `${kind}:${anyProgram}:${this.#obstacles.size < maxObstacles ? text : ""}`;
    if (!this.#obstacles.has(key)) this.#obstacles.set(key, { kind, text, anyProgram });
  }

  /** What this runs is not in the text: a rule about any program applies. */
  anyProgram(kind: ObstacleKind, text: string): void {
    this.obstacle(kind, text, true);
  }

  assigns(word: ShellWord): void {
    this.#assigned.push(word);
  }

  redirection(use: RedirectionUse): void {
    this.#redirections.push(use);
  }

  writes(what: string): void {
    this.#writes ??= what;
  }

  runsFiles(what: string): void {
    this.#runsFiles ??= what;
  }

  runsGit(): void {
    this.#runsGit = true;
  }

  makesArray(): void {
    this.#makesArray = true;
  }

  fillsVariable(what: string): void {
    this.#filled ??= what;
  }

  /** Programs get other names: they count if something runs files. */
  copies(words: readonly ShellWord[], via: readonly string[]): void {
    this.#copied.push({ words, via });
  }

  /** Whether what is written could lie where git looks for config and hooks. */
  #touchesGit(): boolean {
    const odd = (text: string | undefined) =>
      text === undefined ||
      /\.git(?!ignore|attributes|keep|hub|lab)|git\/config/u.test(text) ||
      // Any folder with such files in it is a repository for git, which --git-dir or -C can lead to.
      /(?:^|\/)(?:config(?:\.worktree)?|commondir|gitdir|HEAD|hooks\/[^/]+)$/u.test(text);
    return (
      this.#redirections.some(({ path }) => odd(path)) ||
      this.#programs.some(
        ({ name, words }) => /^(?:cd|pushd)$/u.test(name) || words.some(({ value }) => odd(value)),
      )
    );
  }

  /** Git puts messages and names of branches into files of its own; they are texts like any other for a shell. */
  #runsGitsFiles(): boolean {
    const gits = /(?:^|\/)\.git(?:\/|$)|(?:^|\/)(?:[A-Z_]*HEAD|[A-Z]+_(?:EDIT)?MSG|packed-refs)$/u;
    return this.#programs.some(({ words }) => words.some(({ value }) => gits.test(value ?? "")));
  }

  analysis(): CommandAnalysis {
    if (this.#runsGit && this.#runsFiles !== undefined && this.#runsGitsFiles()) {
      this.anyProgram(
        "written_then_run",
        `git writes files, and ${this.#runsFiles} could run what they hold`,
      );
    }
    if (this.#runsGit && this.#touchesGit()) this.runsFiles("git");
    if (this.#filled !== undefined && this.#makesArray) {
      this.anyProgram("shell_state", `${this.#filled} may fill an array, whose subscripts can run commands`);
    }
    if (this.#runsFiles !== undefined) {
      for (const { words, via } of this.#copied) this.mentionWords(words, via);
    }
    if (this.#writes !== undefined && this.#runsFiles !== undefined) {
      const text = `${this.#writes} writes a file, and ${this.#runsFiles} could run what it holds`;
      this.anyProgram("written_then_run", text);
    }
    return {
      programs: this.#programs,
      obstacles: [...this.#obstacles.values()],
      assigned: this.#assigned,
      redirections: this.#redirections,
    };
  }
}

export function baseName(program: string): string {
  const trimmed = program.replace(/\/+$/u, "");
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

/** Names that a text could be run under, flags with glued values (`-Irm`) and words with quotes in them included. */
function programLikeWords(text: string): readonly string[] {
  const texts = /["'\\]/u.test(text) ? [text, text.replaceAll(/\\?["'\\]|\\\n/gu, "")] : [text];
  const words = texts
    .flatMap((one) => one.split(/[^\p{L}\p{N}_./+-]+/u))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.flatMap((word) => {
    const bare = word.replace(/\.+$/u, "");
    return bare.startsWith("-")
      ? [bare.replace(/^-+/u, ""), bare.slice(2)].filter((part) => part !== "")
      : [bare];
  });
}
