// The list below the composer: what the word at the cursor could become.
import { fitted, type Style, visibleWidth } from "../screen/index.ts";

export interface CompletionItem {
  /** What takes the place of the word. */
  readonly insert: string;
  /** Harmless already. */
  readonly label: string;
  readonly note?: string | undefined;
}

export interface Completion {
  readonly start: number;
  readonly end: number;
  readonly items: readonly CompletionItem[];
}

/** @output undefined: nothing to complete here */
export type CompletionSource = (text: string, cursor: number) => Promise<Completion | undefined>;

const maxRows = 8;

export class CompletionMenu {
  readonly #source: CompletionSource;
  readonly #onChange: () => void;
  #shown: Completion | undefined;
  #selected = 0;
  #asked = 0;

  constructor(source: CompletionSource, onChange: () => void) {
    this.#source = source;
    this.#onChange = onChange;
  }

  get isOpen(): boolean {
    return this.#shown !== undefined;
  }

  /** Asks anew; what was asked before and comes later is not shown. */
  update(text: string, cursor: number): void {
    this.#asked += 1;
    const number = this.#asked;
    const settle = (found: Completion | undefined) => {
      if (number !== this.#asked) return;
      const was = this.#shown;
      this.#shown = found === undefined || found.items.length === 0 ? undefined : found;
      this.#selected = 0;
      if (was !== undefined || this.#shown !== undefined) this.#onChange();
    };
    // A list that cannot be made is no reason to stop typing.
    this.#source(text, cursor).then(settle, () => settle(undefined));
  }

  close(): void {
    this.#asked += 1;
    this.#shown = undefined;
  }

  move(direction: -1 | 1): void {
    const count = this.#shown?.items.length ?? 1;
    this.#selected = (this.#selected + direction + count) % count;
  }

  /** What the selected item does to the text. */
  get chosen(): { start: number; end: number; insert: string } | undefined {
    const item = this.#shown?.items[this.#selected];
    if (this.#shown === undefined || item === undefined) return undefined;
    return { start: this.#shown.start, end: this.#shown.end, insert: item.insert };
  }

  lines(width: number, style: Style): string[] {
    const items = this.#shown?.items ?? [];
    const first = Math.max(0, Math.min(this.#selected - maxRows + 1, items.length - maxRows));
    const visible = items.slice(first, first + maxRows);
    const column = Math.min(40, Math.max(0, ...visible.map(({ label }) => visibleWidth(label))));
    const lines = visible.map(({ label, note }, index) => {
      const isSelected = first + index === this.#selected;
      const name = fitted(label, width - 2);
      const space = " ".repeat(Math.max(0, column - visibleWidth(name)));
      const rest = note === undefined ? "" : `${space}  ${style.dim(fitted(note, width - column - 6))}`;
      return `${isSelected ? style.accent("›") : " "} ${isSelected ? style.bold(name) : name}${rest}`;
    });
    const more = items.length - visible.length;
    return more > 0 ? [...lines, style.dim(`  ${this.#selected + 1} of ${items.length}`)] : lines;
  }
}
