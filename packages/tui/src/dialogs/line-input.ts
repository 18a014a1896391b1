// One line of text in a dialog: written at its end, and deleted from there.
import { TextBuffer } from "../composer/index.ts";
import type { Press } from "../input/index.ts";

export class LineInput {
  readonly #buffer = new TextBuffer();

  get text(): string {
    return this.#buffer.text;
  }

  /** @output true: the text has changed */
  press({ kind, text, actions }: Press): boolean {
    if (kind !== "key") this.#buffer.insert(text.replace(/\s+/g, " "));
    else if (actions.includes("delete_backward")) return this.#buffer.delete("left");
    else if (actions.includes("delete_word")) return this.#buffer.delete("word_left");
    else if (actions.includes("delete_to_start")) return this.#buffer.delete("line_start");
    else return false;
    return true;
  }
}
