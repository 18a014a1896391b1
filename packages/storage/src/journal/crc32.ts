// CRC-32, as in gzip. Written out, because to load `node:zlib` takes longer than to check all but the longest journals.

let tables: Int32Array | undefined;
let fast: ((bytes: Uint8Array) => number) | undefined;

/** For whoever has megabytes before him: from here on the system's own is used. */
export async function loadFastCrc32(): Promise<void> {
  fast ??= (await import("node:zlib")).crc32;
}

export function crc32(bytes: Uint8Array): number {
  return fast === undefined ? plainCrc32(bytes) : fast(bytes);
}

/** Eight bytes a step ("slicing by eight"): one table for each of them. */
export function plainCrc32(bytes: Uint8Array): number {
  tables ??= makeTables();
  const table = tables;
  const end = bytes.length - (bytes.length % 8);
  let crc = -1;
  let index = 0;
  const at = (offset: number) => bytes[index + offset] ?? 0;
  const entry = (which: number, byte: number) => table[which * 256 + byte] ?? 0;
  for (; index < end; index += 8) {
    const low = crc ^ (at(0) | (at(1) << 8) | (at(2) << 16) | (at(3) << 24));
    crc =
      entry(7, low & 0xff) ^
      entry(6, (low >>> 8) & 0xff) ^
      entry(5, (low >>> 16) & 0xff) ^
      entry(4, low >>> 24) ^
      entry(3, at(4)) ^
      entry(2, at(5)) ^
      entry(1, at(6)) ^
      entry(0, at(7));
  }
  for (; index < bytes.length; index += 1) crc = entry(0, (crc ^ at(0)) & 0xff) ^ (crc >>> 8);
  return ~crc >>> 0;
}

function makeTables(): Int32Array {
  const table = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    table[byte] = crc;
  }
  for (let index = 256; index < table.length; index += 1) {
    const before = table[index - 256] ?? 0;
    table[index] = (before >>> 8) ^ (table[before & 0xff] ?? 0);
  }
  return table;
}
