// A list of which one line is selected, and the part of it that fits.
import type { Press } from "../input/index.ts";
import { type Style, wrapped } from "../screen/index.ts";

export class Selection {
  #index = 0;

  get index(): number {
    return this.#index;
  }

  /** @output true: the key moved it */
  move({ actions }: Press, count: number, page: number): boolean {
    const steps: Partial<Record<string, number>> = { up: -1, down: 1, page_up: -page, page_down: page };
    const step = actions.map((action) => steps[action]).find((each) => each !== undefined);
    if (step === undefined || count === 0) return false;
    const next = this.#index + step;
    // A page stops at an end, a single step goes round.
    this.#index = Math.abs(step) === 1 ? (next + count) % count : Math.max(0, Math.min(count - 1, next));
    return true;
  }

  set(index: number): void {
    this.#index = index;
  }
}

/** The window of a long list in which the selected line is. */
export function windowOf(count: number, selected: number, rows: number): { first: number; last: number } {
  const first = Math.max(0, Math.min(selected - Math.floor(rows / 2), count - rows));
  return { first, last: Math.min(count, first + rows) };
}

export function optionLines(
  labels: readonly string[],
  selected: number,
  width: number,
  style: Style,
): string[] {
  return labels.flatMap((label, index) => {
    const mark = index === selected ? style.accent("› ") : "  ";
    return wrapped(`${index + 1} ${label}`, width - 2).map((line, row) => {
      const start = row === 0 ? mark : "    ";
      return `${start}${index === selected ? style.bold(line) : line}`;
    });
  });
}
