// What both engines report: files with their matching lines and the context around them, in order.

export interface FoundLine {
  /** From 1. */
  readonly number: number;
  /** Without its line end. A very long line may come without its end. */
  readonly text: string;
  readonly isMatch: boolean;
}

export interface LineSink {
  line(line: FoundLine): void;
  /** @output whether to go on with the next file */
  endFile(path: string, isBinary: boolean): Promise<boolean>;
}

/** Longer files are not searched: their longest line must fit into memory. */
export const maxFileSize = 64 * 1024 * 1024;
