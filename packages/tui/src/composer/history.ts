// What was asked before, to be asked again.
const maxEntries = 500;

export class PromptHistory {
  #entries: string[] = [];
  /** How far back the user has gone; 0: not at all. */
  #back = 0;
  #draft = "";

  add(text: string): void {
    this.#back = 0;
    if (text.trim() === "" || this.#entries.at(-1) === text) return;
    this.#entries.push(text);
    if (this.#entries.length > maxEntries) this.#entries.shift();
  }

  /** Prompts from before this start, oldest first. */
  load(texts: readonly string[]): void {
    this.#entries = [...texts.filter((text) => text.trim() !== ""), ...this.#entries].slice(-maxEntries);
  }

  /** @input current: kept as a draft when the user leaves it @output undefined: there is nothing further back */
  previous(current: string): string | undefined {
    if (this.#back >= this.#entries.length) return undefined;
    if (this.#back === 0) this.#draft = current;
    this.#back += 1;
    return this.#entries.at(-this.#back);
  }

  next(): string | undefined {
    if (this.#back === 0) return undefined;
    this.#back -= 1;
    return this.#back === 0 ? this.#draft : this.#entries.at(-this.#back);
  }

  /** The text was changed: going on from it begins anew. */
  reset(): void {
    this.#back = 0;
  }
}
