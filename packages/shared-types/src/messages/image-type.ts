// Which image formats are sent to models, known by how a file begins.
const types: readonly (readonly [mediaType: string, start: RegExp])[] = [
  ["image/png", /^\x89PNG/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8/],
  ["image/webp", /^RIFF....WEBP/s],
];

/** @output undefined: neither PNG, JPEG, GIF nor WebP */
export function imageMediaType(bytes: Uint8Array): string | undefined {
  const start = Array.from(bytes.subarray(0, 12), (byte) => String.fromCharCode(byte)).join("");
  return types.find(([, pattern]) => pattern.test(start))?.[0];
}
