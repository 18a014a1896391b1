// Which key does what: the usual keys, and the user's own in their place.
import { type TuiAction, TuiActionSchema, type TuiSettings } from "@codelia/shared-types";

/** Where two actions have a key in common, what is on the screen decides which of them is meant. */
const usualKeys: Readonly<Record<TuiAction, readonly string[]>> = {
  submit: ["enter"],
  newline: ["shift+enter", "alt+enter", "ctrl+j"],
  queue: ["tab"],
  cancel: ["escape"],
  interrupt: ["ctrl+c"],
  leave: ["ctrl+d"],
  suspend: ["ctrl+z"],
  complete: ["tab"],
  alternate: ["tab"],
  show_output: ["ctrl+o"],
  paste_image: ["ctrl+v"],
  up: ["up", "ctrl+p"],
  down: ["down", "ctrl+n"],
  page_up: ["pageUp"],
  page_down: ["pageDown"],
  left: ["left", "ctrl+b"],
  right: ["right", "ctrl+f"],
  word_left: ["alt+left", "ctrl+left", "alt+b"],
  word_right: ["alt+right", "ctrl+right", "alt+f"],
  line_start: ["home", "ctrl+a"],
  line_end: ["end", "ctrl+e"],
  delete_backward: ["backspace", "shift+backspace"],
  delete_forward: ["delete", "ctrl+d"],
  delete_word: ["ctrl+w", "alt+backspace", "ctrl+backspace"],
  delete_to_start: ["ctrl+u"],
  delete_to_end: ["ctrl+k"],
  yank: ["ctrl+y"],
  undo_edit: ["ctrl+-"],
};

export class Bindings {
  readonly #actions = new Map<string, TuiAction[]>();

  /** A key that the user gives to one action is taken from all others, unless the user names it there too. */
  constructor(own: TuiSettings["keys"] = {}) {
    const taken = new Set(Object.values(own).flat());
    for (const action of TuiActionSchema.options) {
      const keys = own[action] ?? usualKeys[action].filter((key) => !taken.has(key));
      for (const key of keys) this.#actions.set(key, [...(this.#actions.get(key) ?? []), action]);
    }
  }

  actionsOf(key: string): readonly TuiAction[] {
    return this.#actions.get(key) ?? [];
  }

  /** The first key of an action, for hints. */
  keyFor(action: TuiAction): string {
    for (const [key, actions] of this.#actions) if (actions.includes(action)) return key;
    return "";
  }

  /** Every action with its keys, for /help. */
  list(): { readonly action: TuiAction; readonly keys: readonly string[] }[] {
    return TuiActionSchema.options.map((action) => ({
      action,
      keys: [...this.#actions].filter(([, actions]) => actions.includes(action)).map(([key]) => key),
    }));
  }
}
