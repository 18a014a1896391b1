// The dialogs that wait for the user, the last one on top.
import type { AskRequest, PickRequest } from "../desk.ts";
import { type Dialog, Picker, Question } from "../dialogs/index.ts";
import type { Bindings, Press } from "../input/index.ts";

export interface DialogPorts {
  readonly bindings: Bindings;
  /** Whether nobody is writing just now. */
  readonly isFree: () => boolean;
  /** Where keys go that a question does not take yet. */
  readonly pass: (press: Press) => void;
  /** Draws anew: at once, or with what else comes. */
  readonly draw: () => void;
  readonly changed: () => void;
}

export class DialogStack {
  readonly #ports: DialogPorts;
  readonly #dialogs: Dialog[] = [];

  constructor(ports: DialogPorts) {
    this.#ports = ports;
  }

  get top(): Dialog | undefined {
    return this.#dialogs.at(-1);
  }

  dismissAll(): void {
    for (const dialog of this.#dialogs.toReversed()) dialog.dismiss();
  }

  pick<T>({ title, load, choose, alternate }: PickRequest<T>): Promise<T | undefined> {
    const { bindings, draw } = this.#ports;
    const keys = [
      `${bindings.keyFor("submit")}: ${choose}`,
      ...(alternate === undefined ? [] : [`${bindings.keyFor("alternate")}: ${alternate.name}`]),
      `${bindings.keyFor("cancel")}: back`,
    ];
    return new Promise((resolve) => {
      const picker: Picker<T> = new Picker<T>({
        title,
        load,
        hint: keys.join(" · "),
        alternate: alternate?.act,
        onChange: draw,
        answer: (value) => this.#close(picker, () => resolve(value)),
      });
      this.#show(picker);
    });
  }

  /** @input signal: aborted when nobody wants to know any more: the question goes away */
  ask<T>(
    { title, answers, otherwise }: AskRequest<T>,
    signal?: AbortSignal,
  ): Promise<{ value: T; words: string }> {
    return new Promise((resolve) => {
      const question: Question<T> = new Question<T>({
        title,
        answers,
        otherwise,
        isArmed: this.#ports.isFree(),
        pass: this.#ports.pass,
        answer: (value, words) => this.#close(question, () => resolve({ value, words })),
      });
      signal?.addEventListener("abort", () => question.dismiss());
      this.#show(question);
    });
  }

  #show(dialog: Dialog): void {
    this.#dialogs.push(dialog);
    this.#ports.changed();
  }

  #close(dialog: Dialog, then: () => void): void {
    const at = this.#dialogs.indexOf(dialog);
    if (at < 0) return;
    this.#dialogs.splice(at, 1);
    then();
    this.#ports.changed();
  }
}
