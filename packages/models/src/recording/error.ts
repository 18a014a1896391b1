// The one error type of this room.

/** A recording that cannot be replayed; the message names the line. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
  /** From 1. */
  readonly line: number;

  constructor(line: number, problem: string, options?: ErrorOptions) {
    super(`line ${line} of the recording: ${problem}`, options);
    this.line = line;
  }
}
