// What stands in the composer for more than it shows: large pastes and images.
import { imageMediaType } from "@codelia/shared-types";

export interface AttachedImage {
  readonly media_type: string;
  readonly data: string;
}

const foldFromLines = 8;
const foldFromCharacters = 800;
export const maxImageBytes = 20 * 1024 * 1024;

export class Attachments {
  #count = 0;
  readonly #texts = new Map<string, string>();
  readonly #images = new Map<string, AttachedImage>();

  /** @output what is put into the composer for a paste: itself, or what stands for it */
  fold(text: string): string {
    const lines = text.split("\n").length;
    if (lines < foldFromLines && text.length < foldFromCharacters) return text;
    this.#count += 1;
    const size = lines < foldFromLines ? `${text.length} characters` : `${lines} lines`;
    const placeholder = `[paste ${this.#count}: ${size}]`;
    this.#texts.set(placeholder, text);
    return placeholder;
  }

  /** @output what stands for the image; undefined: these bytes are none, or too many */
  addImage(bytes: Uint8Array, name: string): string | undefined {
    const type = imageMediaType(bytes);
    if (type === undefined || bytes.length > maxImageBytes) return undefined;
    this.#count += 1;
    const placeholder = `[image ${this.#count}: ${name}]`;
    this.#images.set(placeholder, { media_type: type, data: Buffer.from(bytes).toString("base64") });
    return placeholder;
  }

  /** Where placeholders stand in a text. */
  *places(text: string): Generator<{ start: number; end: number }> {
    for (const placeholder of [...this.#texts.keys(), ...this.#images.keys()]) {
      for (let at = text.indexOf(placeholder); at >= 0; at = text.indexOf(placeholder, at + 1)) {
        yield { start: at, end: at + placeholder.length };
      }
    }
  }

  /** The text with pastes in full, and the images that are still named in it. */
  resolve(text: string): { text: string; images: AttachedImage[] } {
    let whole = "";
    let at = 0;
    for (const { start, end } of [...this.places(text)].toSorted((a, b) => a.start - b.start)) {
      const placeholder = text.slice(start, end);
      whole += text.slice(at, start) + (this.#texts.get(placeholder) ?? placeholder);
      at = end;
    }
    const images = [...this.#images].filter(([name]) => text.includes(name)).map(([, image]) => image);
    return { text: whole + text.slice(at), images };
  }
}

/** The path in a paste that is nothing but one path, as a terminal gives it for a file that was dropped on it. */
export function droppedImagePath(paste: string): string | undefined {
  const text = paste.trim().replace(/^file:\/\//, "");
  const quoted = /^(['"])(.*)\1$/s.exec(text)?.[2];
  const path = quoted ?? text.replace(/\\(.)/g, "$1");
  return /^[^\n]+\.(png|jpe?g|gif|webp)$/i.test(path) ? path : undefined;
}
