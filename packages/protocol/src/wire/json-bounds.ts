// What a JSON text would become, counted before it is parsed: 32 MB of `[[[[` or `{},{},` take gigabytes as values.

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openings: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closings: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * @input  bytes: UTF-8; need not be valid JSON
 * @output whether it is nested deeper, or has more members, than that
 */
export function exceedsBounds(bytes: Uint8Array, maxDepth: number, maxValues: number): boolean {
  let depth = 0;
  let values = 1;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === comma) values += 1;
    else if (openings.has(byte)) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return true;
    } else if (closings.has(byte)) depth -= 1;
    if (values > maxValues) return true;
  }
  return false;
}
