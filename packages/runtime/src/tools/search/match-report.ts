// Writes found lines as `path:line:text`, context as `path-line-text`, and stops at a number of matches.
// Lines of a file are held back until its end, because only there it is known to be no binary.
import type { OutputWriter } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import type { FoundLine, LineSink } from "./lines.ts";

export interface MatchReportOptions {
  readonly context: number;
  readonly max: number;
  readonly output: OutputWriter;
  /** A path of the search as the model knows it. */
  readonly nameOf: (path: string) => string;
  /** Whether the file really has these lines; absent: that is known. */
  readonly confirm?: (path: string, lines: readonly FoundLine[]) => Promise<boolean>;
  /** What is shown of a line, in characters. */
  readonly maxLine?: number;
}

const defaultMaxLine = 500;

export class MatchReport implements LineSink {
  readonly #options: MatchReportOptions;
  #held: FoundLine[] = [];
  /** Of the file that is being read. */
  #matches = 0;
  #lastMatch = 0;
  #written = 0;
  #isFirstGroup = true;
  /** Files that were not what they seemed, or changed meanwhile. */
  #leftOut = 0;
  /** There are matches that were not written. */
  #more = false;

  constructor(options: MatchReportOptions) {
    this.#options = options;
  }

  line(line: FoundLine): void {
    if (line.isMatch) {
      this.#matches += 1;
      if (this.#matches + this.#written > this.#options.max) return;
      this.#lastMatch = line.number;
    } else if (this.#matches + this.#written > this.#options.max) return;
    this.#held.push({ ...line, text: line.text.slice(0, this.#maxLine + 1) });
  }

  async endFile(path: string, isBinary: boolean): Promise<boolean> {
    const { max, context } = this.#options;
    const lines = this.#held;
    const last = this.#lastMatch;
    const matches = this.#matches;
    this.#held = [];
    this.#matches = 0;
    this.#lastMatch = 0;
    if (isBinary) return true;
    // Context that belongs to a match which is not shown.
    const shown = lines.filter((line) => line.number <= last + context);
    if (last > 0 && (await this.#options.confirm?.(path, shown)) === false) {
      this.#leftOut += 1;
      return true;
    }
    this.#more = this.#written + matches > max;
    if (last > 0) await this.#write(this.#options.nameOf(path), shown);
    this.#written = Math.min(max, this.#written + matches);
    return !this.#more;
  }

  /** The last line: what was found, or what was left out. */
  async finish(): Promise<void> {
    if (this.#more) {
      const hint = "narrow path, glob or pattern, or raise max";
      await this.#options.output.write(`[${this.#options.max} matches shown, there are more: ${hint}]\n`);
    } else if (this.#written === 0) await this.#options.output.write("No matches.\n");
    if (this.#leftOut === 0) return;
    const files = this.#leftOut === 1 ? "1 file is" : `${this.#leftOut} files are`;
    await this.#options.output.write(`[${files} left out: changed or replaced while being searched]\n`);
  }

  get #maxLine(): number {
    return this.#options.maxLine ?? defaultMaxLine;
  }

  async #write(name: string, lines: readonly FoundLine[]): Promise<void> {
    let text = "";
    let previous: number | undefined;
    for (const { number, text: content, isMatch } of lines) {
      if (this.#options.context > 0 && previous !== number - 1 && !this.#isFirstGroup) text += "--\n";
      this.#isFirstGroup = false;
      previous = number;
      const mark = isMatch ? ":" : "-";
      text += `${visibleName(name)}${mark}${number}${mark}${cutLine(content, this.#maxLine)}\n`;
    }
    await this.#options.output.write(text);
  }
}

function cutLine(text: string, maxLine: number): string {
  if (text.length <= maxLine) return text;
  // Not between the halves of a character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxLine - 1)) ? maxLine - 1 : maxLine;
  return `${text.slice(0, end)} [cut: the line is longer than ${maxLine} characters]`;
}
