// Gives every tool call of a conversation an id of its own, the same one each time the same answer arrives.
import type { Message } from "@codelia/shared-types";

/** Starts the ids that an adapter makes up because the provider sent none. */
export const madeUpPrefix = "made-up-";

/**
 * Ids come from the wire as they are, until one was used before: in this response, or in the conversation (local
 * servers start over at `call_0` each time). Then it gets a number. Made-up ids are replaced by counted ones.
 */
export class ToolIds {
  readonly #history: readonly Message[];
  /** In this response. */
  readonly #used = new Set<string>();
  /** Adapter's id → our ids of calls that have started and not ended. */
  readonly #open = new Map<string, string[]>();
  readonly #fromWire: Set<string> | undefined;

  /** @input `fromWire`, where the adapter makes up ids that cannot be told from real ones: those seen on the wire */
  constructor(messages: readonly Message[], fromWire?: Set<string>) {
    this.#fromWire = fromWire;
    this.#history = messages;
  }

  start(id: string): string {
    const unique = this.#unique(this.#isMadeUp(id) ? "call" : id);
    this.#open.set(id, [...(this.#open.get(id) ?? []), unique]);
    return unique;
  }

  /** Of two open calls with one id, a delta belongs to the one that started last. */
  current(id: string): string | undefined {
    return this.#open.get(id)?.at(-1);
  }

  /** The id of the call that is whole now; undefined when it was never announced. */
  end(id: string): string | undefined {
    const [first, ...rest] = this.#open.get(id) ?? [];
    this.#open.set(id, rest);
    return first;
  }

  #isMadeUp(id: string): boolean {
    return id.trim() === "" || id.startsWith(madeUpPrefix) || this.#fromWire?.has(id) === false;
  }

  // Looked up when a call arrives: a set of a long conversation's ids, made for every request, would cost far more.
  #isUsed(id: string): boolean {
    const isCall = (message: Message) =>
      message.role === "assistant" &&
      message.content.some((part) => part.type === "tool_call" && part.id === id);
    return this.#used.has(id) || this.#history.some(isCall);
  }

  #unique(wanted: string): string {
    let id = wanted;
    for (let number = 2; this.#isUsed(id); number += 1) id = `${wanted}_${number}`;
    this.#used.add(id);
    return id;
  }
}
