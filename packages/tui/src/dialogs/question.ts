// A question with a few answers, of which one may take some words. What it is about is printed above.
import type { Press } from "../input/index.ts";
import { type LivePart, type Style, shownText, visibleWidth, wrapped } from "../screen/index.ts";
import type { Dialog } from "./dialog.ts";
import { LineInput } from "./line-input.ts";
import { optionLines, Selection } from "./options.ts";

export interface Answer<T> {
  readonly value: T;
  /** Harmless already. */
  readonly label: string;
  /** What the user is asked for once this is chosen. */
  readonly words?: string | undefined;
}

export interface QuestionOptions<T> {
  readonly title: string;
  readonly answers: readonly Answer<T>[];
  /** Escape gives this one. */
  readonly otherwise: T;
  /**
   * Whether keys count from the start. Who is writing when a question comes up must not answer it by accident: then
   * only a key that moves the selection makes it listen.
   */
  readonly isArmed: boolean;
  /** Keys that the question does not take yet. */
  readonly pass: (press: Press) => void;
  readonly answer: (value: T, words: string) => void;
}

export class Question<T> implements Dialog {
  readonly #options: QuestionOptions<T>;
  readonly #selection = new Selection();
  #isArmed: boolean;
  #words: LineInput | undefined;

  constructor(options: QuestionOptions<T>) {
    this.#options = options;
    this.#isArmed = options.isArmed;
  }

  render(width: number, _maxRows: number, style: Style): LivePart {
    const { title, answers } = this.#options;
    const selected = this.#isArmed ? this.#selection.index : -1;
    const lines = [
      ...wrapped(style.bold(title), width),
      ...optionLines(
        answers.map(({ label }) => label),
        selected,
        width,
        style,
      ),
    ];
    const chosen = answers[this.#selection.index];
    if (this.#words !== undefined) {
      const row = lines.length;
      const text = `  ${chosen?.words ?? ""}: ${shownText(this.#words.text)}`;
      const shown = wrapped(text, width - 1);
      const last = shown.at(-1) ?? "";
      return {
        lines: [...lines, ...shown],
        cursor: { row: row + shown.length - 1, column: Math.min(width - 1, visibleWidth(last)) },
      };
    }
    const hint = this.#isArmed ? "enter answers · esc: no" : "you were writing: ↑ or ↓ to answer";
    return { lines: [...lines, style.dim(`  ${hint}`)] };
  }

  press(press: Press): void {
    if (this.#words !== undefined) this.#write(press);
    else if (this.#isArmed) this.#choose(press);
    else if (press.actions.includes("up") || press.actions.includes("down")) this.#isArmed = true;
    else this.#options.pass(press);
  }

  dismiss(): void {
    this.#options.answer(this.#options.otherwise, "");
  }

  #choose(press: Press): void {
    const { answers } = this.#options;
    if (this.#selection.move(press, answers.length, answers.length)) return;
    const digit = press.kind === "text" ? Number(press.text) : Number.NaN;
    if (Number.isInteger(digit) && digit >= 1 && digit <= answers.length) {
      this.#selection.set(digit - 1);
      this.#take();
    } else if (press.actions.includes("submit")) this.#take();
    else if (press.actions.includes("cancel")) this.dismiss();
  }

  #take(): void {
    const chosen = this.#options.answers[this.#selection.index];
    if (chosen === undefined) return;
    if (chosen.words === undefined) this.#options.answer(chosen.value, "");
    else this.#words = new LineInput();
  }

  #write(press: Press): void {
    const chosen = this.#options.answers[this.#selection.index];
    if (this.#words === undefined || chosen === undefined || this.#words.press(press)) return;
    if (press.actions.includes("submit")) this.#options.answer(chosen.value, this.#words.text.trim());
    else if (press.actions.includes("cancel")) this.#words = undefined;
  }
}
