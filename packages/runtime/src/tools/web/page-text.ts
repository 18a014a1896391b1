// Bytes of a response as text: by the header, the byte order mark, or what the page says of itself.
import { TextDecoder } from "node:util";

export interface ContentType {
  /** Lower case, without parameters; empty when the server names none. */
  readonly type: string;
  readonly charset: string | undefined;
}

export function parseContentType(header: string | null): ContentType {
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim());
  const charset = parameters.map((part) => /^charset\s*=\s*"?([^"\s]+)"?$/i.exec(part)?.[1]).find(Boolean);
  return { type: type.toLowerCase(), charset };
}

export function isHtml({ type }: ContentType): boolean {
  return type === "text/html" || type === "application/xhtml+xml";
}

/** What can be read as text. */
export function isTextual({ type }: ContentType): boolean {
  if (type === "" || type.startsWith("text/")) return true;
  return /^application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|toml|javascript|ecmascript|x-ndjson|x-yaml|x-sh)$/.test(
    type,
  );
}

export function decodeText(bytes: Uint8Array, { charset }: ContentType): string {
  const marked = byteOrderMark(bytes);
  for (const label of [marked, charset, declaredCharset(bytes), "utf-8"]) {
    const decoder = label === undefined ? undefined : decoderFor(label);
    if (decoder) return decoder.decode(bytes);
  }
  return "";
}

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** `<meta charset=…>`, its older form, or `<?xml encoding=…?>`, near the start. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString("latin1");
  const xml = /^<\?xml[^>]{0,200}?encoding=["']([\w-]{1,40})["']/.exec(head)?.[1];
  return xml ?? /<meta[^>]{0,500}?charset\s{0,5}=\s{0,5}["']?([\w-]{1,40})/i.exec(head)?.[1];
}

function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
