// The place where the user writes: several lines, history, folded pastes, images, completion.
import { maxImageBytes, type TuiAction } from "@codelia/shared-types";
import type { Press } from "../input/index.ts";
import { type LivePart, type Style, visibleWidth } from "../screen/index.ts";
import { type AttachedImage, Attachments, droppedImagePath } from "./attachments.ts";
import { CompletionMenu, type CompletionSource } from "./completion-menu.ts";
import { PromptHistory } from "./history.ts";
import { layOut } from "./layout.ts";
import { TextBuffer } from "./text-buffer.ts";

export interface Message {
  /** What is sent: pastes in full. */
  readonly text: string;
  readonly images: readonly AttachedImage[];
  /** What is shown of it: pastes folded. */
  readonly shown: string;
}

export interface ComposerOptions {
  readonly complete: CompletionSource;
  /** An image's bytes; throws when the file cannot be read. */
  readonly readFile: (path: string, maxBytes: number) => Promise<Uint8Array>;
  readonly onChange: () => void;
}

const margin = "› ";
const longText = 10_000;

export class Composer {
  readonly #options: ComposerOptions;
  readonly history = new PromptHistory();
  readonly #menu: CompletionMenu;
  #attachments = new Attachments();
  #buffer: TextBuffer;
  #firstRow = 0;

  constructor(options: ComposerOptions) {
    this.#options = options;
    this.#menu = new CompletionMenu(options.complete, options.onChange);
    this.#buffer = new TextBuffer((text) => this.#attachments.places(text));
  }

  get isEmpty(): boolean {
    return this.#buffer.text === "";
  }

  get isCompleting(): boolean {
    return this.#menu.isOpen;
  }

  /** A long text is folded like a paste: to lay it out at every key would take longer than to write. */
  set(text: string): void {
    this.#buffer.set(text.length > longText ? this.#attachments.fold(text) : text);
    this.#menu.close();
  }

  insert(text: string): void {
    this.#buffer.insert(text);
  }

  /** Empties the composer. @output undefined: there is nothing in it */
  take(): Message | undefined {
    const shown = this.#buffer.text;
    const { text, images } = this.#attachments.resolve(shown);
    if (text.trim() === "") return undefined;
    this.history.add(text);
    this.clear();
    return { text, images, shown };
  }

  clear(): void {
    this.#buffer = new TextBuffer((text) => this.#attachments.places(text));
    this.#attachments = new Attachments();
    this.#menu.close();
  }

  /** @output false: these bytes are no image that can be sent */
  attach(bytes: Uint8Array, name: string): boolean {
    const placeholder = this.#attachments.addImage(bytes, name);
    if (placeholder !== undefined) this.#insertWord(placeholder);
    return placeholder !== undefined;
  }

  /** @output false: the key means nothing here */
  press(press: Press): boolean {
    if (press.kind === "paste") {
      void this.#paste(press.text);
      return true;
    }
    if (press.kind === "text") {
      this.#buffer.insert(press.text);
      this.#changed();
      return true;
    }
    return press.actions.some((action) => this.#actions[action]?.() ?? false);
  }

  render(width: number, maxRows: number, style: Style, hint: string): LivePart {
    const inner = Math.max(4, width - visibleWidth(margin) - 1);
    const { rows, cursor } = layOut(this.#buffer.text, this.#buffer.cursor, inner);
    this.#firstRow = Math.max(cursor.row - maxRows + 1, Math.min(this.#firstRow, cursor.row));
    this.#firstRow = Math.max(0, Math.min(this.#firstRow, rows.length - maxRows));
    const shown = rows.slice(this.#firstRow, this.#firstRow + maxRows);
    const lines = shown.map((row, index) => {
      const start = this.#firstRow + index === 0 ? style.accent(margin) : "  ";
      return `${start}${row}`;
    });
    if (this.isEmpty) lines[0] = `${style.accent(margin)}${style.dim(hint)}`;
    return {
      lines: [...lines, ...this.#menu.lines(width, style)],
      cursor: { row: cursor.row - this.#firstRow, column: visibleWidth(margin) + cursor.column },
    };
  }

  readonly #actions: Partial<Record<TuiAction, () => boolean>> = {
    newline: () => this.#edit(() => this.#buffer.insert("\n")),
    complete: () => this.#complete(),
    cancel: () => this.#closeMenu(),
    up: () => this.#vertically(-1),
    down: () => this.#vertically(1),
    left: () => this.#move("left"),
    right: () => this.#move("right"),
    word_left: () => this.#move("word_left"),
    word_right: () => this.#move("word_right"),
    line_start: () => this.#move("line_start"),
    line_end: () => this.#move("line_end"),
    delete_backward: () => this.#edit(() => this.#buffer.delete("left")),
    delete_forward: () => this.#edit(() => this.#buffer.delete("right")),
    delete_word: () => this.#edit(() => this.#buffer.delete("word_left")),
    delete_to_start: () => this.#edit(() => this.#buffer.delete("line_start")),
    delete_to_end: () => this.#edit(() => this.#buffer.delete("line_end")),
    yank: () => this.#edit(() => this.#buffer.yank()),
    undo_edit: () => this.#edit(() => this.#buffer.undo()),
  };

  #closeMenu(): boolean {
    const wasOpen = this.#menu.isOpen;
    this.#menu.close();
    return wasOpen;
  }

  #move(where: Parameters<TextBuffer["move"]>[0]): boolean {
    this.#buffer.move(where);
    this.#menu.close();
    return true;
  }

  /** @output false: no list is open */
  #complete(): boolean {
    const chosen = this.#menu.chosen;
    if (chosen === undefined) return false;
    this.#buffer.replaceRange(chosen.start, chosen.end, chosen.insert);
    this.#menu.close();
    return true;
  }

  /** What Enter does while a list is open. @output false: the word is what was chosen already */
  acceptCompletion(): boolean {
    const chosen = this.#menu.chosen;
    if (chosen === undefined) return false;
    const word = this.#buffer.text.slice(chosen.start, chosen.end);
    if (word.trimEnd() !== chosen.insert.trimEnd()) return this.#complete();
    this.#menu.close();
    return false;
  }

  #vertically(direction: -1 | 1): boolean {
    if (this.#menu.isOpen) {
      this.#menu.move(direction);
      return true;
    }
    if (this.#buffer.moveVertically(direction)) return true;
    const text = direction < 0 ? this.history.previous(this.#buffer.text) : this.history.next();
    if (text !== undefined) this.set(text);
    return true;
  }

  #edit(edit: () => unknown): boolean {
    edit();
    this.#changed();
    return true;
  }

  #changed(): void {
    this.history.reset();
    this.#menu.update(this.#buffer.text, this.#buffer.cursor);
  }

  async #paste(raw: string): Promise<void> {
    const text = raw.replace(/\r\n?/g, "\n");
    const image = droppedImagePath(text);
    const bytes =
      image === undefined
        ? undefined
        : await this.#options.readFile(image, maxImageBytes).catch(() => undefined);
    const name = image?.slice(image.lastIndexOf("/") + 1) ?? "";
    if (bytes === undefined || !this.attach(bytes, name)) this.#buffer.insert(this.#attachments.fold(text));
    this.#menu.close();
    this.#options.onChange();
  }

  #insertWord(word: string): void {
    const before = this.#buffer.text.slice(0, this.#buffer.cursor);
    this.#buffer.insert(`${/\S$/.test(before) ? " " : ""}${word} `);
  }
}
