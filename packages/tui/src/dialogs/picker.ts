// A list to choose from, with a search that narrows it.
import type { Press } from "../input/index.ts";
import { fitted, type LivePart, type Style, shownText, visibleWidth } from "../screen/index.ts";
import type { Dialog } from "./dialog.ts";
import { LineInput } from "./line-input.ts";
import { Selection, windowOf } from "./options.ts";

export interface PickerItem<T> {
  readonly value: T;
  /** Harmless already, one line. */
  readonly label: string;
  readonly note?: string | undefined;
}

export interface PickerOptions<T> {
  readonly title: string;
  /** What fits, the best first. */
  readonly load: (query: string) => Promise<readonly PickerItem<T>[]>;
  /** What Enter does, and the key of `alternate`, in words. */
  readonly hint: string;
  /** A second thing that can be done with an item; the list is loaded again after it. */
  readonly alternate?: ((value: T) => Promise<"stay" | "close">) | undefined;
  readonly onChange: () => void;
  readonly answer: (value: T | undefined) => void;
}

const otherRows = 4;

export class Picker<T> implements Dialog {
  readonly #options: PickerOptions<T>;
  readonly #selection = new Selection();
  readonly #query = new LineInput();
  #items: readonly PickerItem<T>[] = [];
  #problem: string | undefined;
  #isLoading = true;
  #asked = 0;
  #page = 10;

  constructor(options: PickerOptions<T>) {
    this.#options = options;
    this.#load();
  }

  render(width: number, maxRows: number, style: Style): LivePart {
    const { title, hint } = this.#options;
    this.#page = Math.max(1, maxRows - otherRows);
    const { first, last } = windowOf(this.#items.length, this.#selection.index, this.#page);
    const search = `  search: ${shownText(this.#query.text)}`;
    const rows = this.#items.slice(first, last).map((item, index) => {
      const isSelected = first + index === this.#selection.index;
      const label = fitted(item.label, width - 2);
      const room = width - 4 - visibleWidth(label);
      const note = item.note === undefined || room < 8 ? "" : `  ${style.dim(fitted(item.note, room))}`;
      return `${isSelected ? style.accent("› ") : "  "}${isSelected ? style.bold(label) : label}${note}`;
    });
    const count = this.#items.length;
    const foot = count === 0 ? hint : `${this.#selection.index + 1} of ${count} · ${hint}`;
    return {
      lines: [
        style.bold(title),
        fitted(search, width - 1),
        ...(rows.length > 0 ? rows : [style.dim(`  ${this.#emptyText()}`)]),
        style.dim(fitted(`  ${foot}`, width)),
      ],
      cursor: { row: 1, column: Math.min(width - 1, visibleWidth(search)) },
    };
  }

  press(press: Press): void {
    const { answer, alternate } = this.#options;
    const current = this.#items[this.#selection.index];
    if (this.#selection.move(press, this.#items.length, this.#page)) return;
    if (this.#query.press(press)) {
      this.#selection.set(0);
      this.#load();
    } else if (press.actions.includes("cancel")) this.dismiss();
    else if (current === undefined) return;
    else if (press.actions.includes("submit")) answer(current.value);
    else if (press.actions.includes("alternate") && alternate !== undefined) {
      void this.#alternate(alternate, current.value);
    }
  }

  dismiss(): void {
    this.#options.answer(undefined);
  }

  async #alternate(alternate: (value: T) => Promise<"stay" | "close">, value: T): Promise<void> {
    try {
      if ((await alternate(value)) === "close") this.dismiss();
      else this.#load();
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.#options.onChange();
  }

  #emptyText(): string {
    if (this.#problem !== undefined) return shownText(this.#problem);
    if (this.#isLoading) return "…";
    return this.#query.text === "" ? "there is none" : "nothing fits";
  }

  #load(): void {
    this.#asked += 1;
    const number = this.#asked;
    const settle = (items: readonly PickerItem<T>[], problem?: string) => {
      if (number !== this.#asked) return;
      this.#isLoading = false;
      this.#items = items;
      this.#problem = problem;
      this.#selection.set(Math.min(this.#selection.index, Math.max(0, items.length - 1)));
      this.#options.onChange();
    };
    this.#options.load(this.#query.text).then(settle, (error: unknown) => {
      settle([], error instanceof Error ? error.message : String(error));
    });
  }
}
