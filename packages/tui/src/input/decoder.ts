// What comes from the keyboard, as presses: keys by name, text, and pastes as a whole.

import type { TuiAction } from "@codelia/shared-types";
import { decodeKittyPrintable, isKeyRelease, parseKey, StdinBuffer } from "@earendil-works/pi-tui";
import type { Bindings } from "./bindings.ts";

export interface Press {
  readonly kind: "key" | "text" | "paste";
  /** Of a key. */
  readonly actions: readonly TuiAction[];
  /** Of a text or a paste. */
  readonly text: string;
}

// A lone Escape is told from the start of a sequence by what follows; over ssh the rest may come later.
const escapeTimeoutMs = { near: 20, far: 100 };

export class InputDecoder {
  readonly #buffer: StdinBuffer;

  constructor(bindings: Bindings, isFar: boolean, onPress: (press: Press) => void) {
    this.#buffer = new StdinBuffer({ escapeTimeout: isFar ? escapeTimeoutMs.far : escapeTimeoutMs.near });
    this.#buffer.on("data", (data) => {
      const press = pressOf(data, bindings);
      if (press !== undefined) onPress(press);
    });
    this.#buffer.on("paste", (text) => onPress({ kind: "paste", actions: [], text }));
  }

  take(input: string): void {
    this.#buffer.process(input);
  }

  close(): void {
    this.#buffer.destroy();
  }
}

function pressOf(data: string, bindings: Bindings): Press | undefined {
  if (isKeyRelease(data)) return undefined;
  // A line feed is what terminals without a protocol for keys send for Ctrl-J; Enter is a carriage return.
  const key = data === "\n" ? "ctrl+j" : parseKey(data);
  const actions = key === undefined ? [] : bindings.actionsOf(key);
  if (actions.length > 0) return { kind: "key", actions, text: "" };
  const text = decodeKittyPrintable(data) ?? data;
  // What is neither known nor printable, such as the answer to a question that somebody else asked, is left out.
  return /^[^\p{Cc}]+$/u.test(text) ? { kind: "text", actions: [], text } : undefined;
}
