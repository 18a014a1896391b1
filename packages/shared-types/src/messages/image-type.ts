// Which image formats are sent to models, known by how a file begins.
const types: readonly (readonly [mediaType: string, start: RegExp])[] = [
  ["image/png", /^\x89PNG/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8/],
  ["image/webp", /^RIFF....WEBP/s],
];

/** What a user may send; a provider that takes less says so. */
export const maxImageBytes = 20 * 1024 * 1024;

/** What every provider takes of one image, as base64. */
export const maxImageBase64 = 5 * 1024 * 1024;

/** @output undefined: neither PNG, JPEG, GIF nor WebP */
export function imageMediaType(bytes: Uint8Array): string | undefined {
  const start = Array.from(bytes.subarray(0, 12), (byte) => String.fromCharCode(byte)).join("");
  return types.find(([, pattern]) => pattern.test(start))?.[0];
}
