// A text file as its parts: byte order mark, text, line endings. What cannot be given back byte for byte is refused.
import { ToolError } from "@codelia/core";
import { binaryKind } from "./binary-kind.ts";
import { sizeText } from "./size-text.ts";

export type LineEnding = "\n" | "\r\n";

export interface TextFile {
  readonly bom: boolean;
  /** Without the byte order mark; line endings as they are. */
  readonly text: string;
}

const bomBytes = [0xef, 0xbb, 0xbf] as const;

export function hasBom(bytes: Uint8Array): boolean {
  return bomBytes.every((byte, index) => bytes[index] === byte);
}

/** @error ToolError for binary content and invalid UTF-8: changing it as text would destroy bytes */
export function decodeText(bytes: Uint8Array, shown: string): TextFile {
  const kind = binaryKind(bytes);
  if (kind !== undefined) {
    throw new ToolError(
      `${shown} is ${kind} (${sizeText(bytes.length)}), not text. Nothing was changed; use a command made for it.`,
    );
  }
  const bom = hasBom(bytes);
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { bom, text: decoder.decode(bom ? bytes.subarray(bomBytes.length) : bytes) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ToolError(
      `${shown} holds bytes that are not valid UTF-8, which this change would destroy. Nothing was changed; ` +
        "convert it first (iconv) or change it with a command.",
    );
  }
}

/** @error ToolError for a lone surrogate, which UTF-8 cannot hold */
export function encodeText({ bom, text }: TextFile): Uint8Array {
  if (!text.isWellFormed()) {
    throw new ToolError(
      "The text holds half of a surrogate pair, which no file can hold. Send the whole character.",
    );
  }
  return new TextEncoder().encode(bom ? `\ufeff${text}` : text);
}

/** The ending that most lines have; `fallback` where there is no line ending at all. */
export function dominantEnding(text: string, fallback: LineEnding = "\n"): LineEnding {
  const crlf = countOf(text, "\r\n");
  const all = countOf(text, "\n");
  if (all === 0) return fallback;
  return crlf * 2 > all ? "\r\n" : "\n";
}

/** True when every line ends with CR LF, and there is such a line. */
export function isAllCrlf(text: string): boolean {
  const crlf = countOf(text, "\r\n");
  return crlf > 0 && crlf === countOf(text, "\n");
}

/** `text` with every line ending as given. */
export function withEnding(text: string, ending: LineEnding): string {
  return text.replaceAll("\r\n", "\n").split("\n").join(ending);
}

/** Lines as an editor counts them: a final line ending opens no further line. */
export function lineCount(text: string): number {
  if (text === "") return 0;
  return countOf(text, "\n") + (text.endsWith("\n") ? 0 : 1);
}

export function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}
