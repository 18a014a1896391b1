// Tells text from what is none, by its first bytes.

/** How much of a file is looked at. */
export const headBytes = 8192;

const signatures: readonly { readonly kind: string; readonly at: number; readonly bytes: string }[] = [
  { kind: "a PNG image", at: 0, bytes: "\x89PNG\r\n\x1a\n" },
  { kind: "a JPEG image", at: 0, bytes: "\xff\xd8\xff" },
  { kind: "a GIF image", at: 0, bytes: "GIF87a" },
  { kind: "a GIF image", at: 0, bytes: "GIF89a" },
  { kind: "a WebP image", at: 8, bytes: "WEBP" },
  { kind: "a PDF document", at: 0, bytes: "%PDF-" },
  { kind: "a ZIP archive", at: 0, bytes: "PK\x03\x04" },
  { kind: "a gzip archive", at: 0, bytes: "\x1f\x8b\x08" },
  { kind: "an ELF executable", at: 0, bytes: "\x7fELF" },
  { kind: "a WebAssembly module", at: 0, bytes: "\0asm" },
  { kind: "an SQLite database", at: 0, bytes: "SQLite format 3\0" },
  { kind: "UTF-16 text", at: 0, bytes: "\xff\xfe" },
  { kind: "UTF-16 text", at: 0, bytes: "\xfe\xff" },
];

/** `a PNG image`, `a binary file`; undefined for text. A NUL in the first 8 KiB makes a file binary. */
export function binaryKind(content: Uint8Array): string | undefined {
  const head = content.subarray(0, headBytes);
  const binary = head.includes(0);
  // Notes that begin with "GIF89a" are text: a signature counts only where the bytes are no UTF-8 text.
  if (!binary && isTextStart(head)) return undefined;
  const known = signatures.find(
    ({ kind, at, bytes }) =>
      startsWith(head, bytes, at) && (kind !== "a WebP image" || startsWith(head, "RIFF", 0)),
  );
  return known?.kind ?? (binary ? "a binary file" : undefined);
}

function isTextStart(head: Uint8Array): boolean {
  try {
    // As a stream: the head may end within a character.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function startsWith(content: Uint8Array, bytes: string, at: number): boolean {
  for (let index = 0; index < bytes.length; index += 1) {
    if (content[at + index] !== bytes.charCodeAt(index)) return false;
  }
  return true;
}
