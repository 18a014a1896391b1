// What a check of this repository reports: where, which rule, and what to do about it.
// Every check prints its violations in one form and exits with 1, or one line and exits with 0.

export interface Position {
  line: number;
  column: number;
}

export interface Violation extends Position {
  /** Relative to the repository, with forward slashes. */
  file: string;
  rule: string;
  message: string;
}

/** Line and column count from 1; an offset below 0 (a text that was not found) is the file's beginning. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, Math.max(0, offset));
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
}

export function sortViolations(violations: readonly Violation[]): Violation[] {
  return violations.toSorted(
    (a, b) =>
      compare(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      compare(a.rule, b.rule) ||
      compare(a.message, b.message),
  );
}

/**
 * @input  violations, and the line that says what was checked when there are none
 * @effect prints, and sets the exit code to 1 when there are violations
 */
export function report(violations: readonly Violation[], summary: string): void {
  for (const { file, line, column, rule, message } of violations) {
    console.error(`${file}:${line}:${column} ${rule}: ${message}`);
  }
  if (violations.length === 0) console.log(summary);
  else process.exitCode = 1;
}

// Not localeCompare: the order must be the same on every machine.
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
