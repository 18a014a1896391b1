// A searched file's bytes as text, as ripgrep reads them.

/** Bytes that are no UTF-8 become U+FFFD. */
export function decodeSearched(content: Uint8Array): string {
  const [first, second] = content;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(content);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(content);
  return new TextDecoder("utf-8").decode(content);
}
