// Takes known secrets out of a stream of bytes, wherever the stream is cut into chunks.
import type { Secret } from "./known-secrets.ts";

interface Pattern {
  readonly bytes: Buffer;
  readonly replacement: Buffer;
}

export interface Redactor {
  /** @output what can be told for certain now; the start of a possible secret is held back */
  push(chunk: Uint8Array): Uint8Array;
  /** @output what was held back, when nothing follows */
  end(): Uint8Array;
}

const nothing: Redactor = { push: (chunk) => chunk, end: () => new Uint8Array() };

/** @input secrets: the longest first */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  if (secrets.length === 0) return nothing;
  const patterns = secrets.map(({ name, value }) => ({
    bytes: Buffer.from(value),
    replacement: Buffer.from(`[redacted: ${name}]`),
  }));
  let held = Buffer.alloc(0);
  return {
    push(chunk) {
      const { clean, rest } = redacted(Buffer.concat([held, chunk]), patterns, openStart);
      held = Buffer.from(rest);
      return clean;
    },
    end() {
      const { clean } = redacted(held, patterns, () => 0);
      held = Buffer.alloc(0);
      return clean;
    },
  };
}

/** @output a text without the secrets */
export function redactText(secrets: readonly Secret[], text: string): string {
  return secrets.reduce((rest, { name, value }) => rest.replaceAll(value, `[redacted: ${name}]`), text);
}

/**
 * The earliest match wins, at one place the longest, as if the stream came in one piece: a match is left for later
 * when it lies in what could become an earlier or a longer one.
 */
function redacted(
  bytes: Buffer,
  patterns: readonly Pattern[],
  openBytes: (bytes: Buffer, patterns: readonly Pattern[]) => number,
): { clean: Buffer; rest: Buffer } {
  const parts: Buffer[] = [];
  const next = patterns.map(() => -1);
  let start = 0;
  while (true) {
    const open = bytes.length - openBytes(bytes.subarray(start), patterns);
    let first: Pattern | undefined;
    let at = open;
    for (const [index, pattern] of patterns.entries()) {
      if ((next[index] ?? 0) < start) next[index] = found(bytes, pattern.bytes, start);
      const place = next[index] ?? bytes.length;
      if (place < at) [first, at] = [pattern, place];
    }
    parts.push(bytes.subarray(start, at));
    if (first === undefined) return { clean: Buffer.concat(parts), rest: bytes.subarray(open) };
    parts.push(first.replacement);
    start = at + first.bytes.length;
  }
}

function found(bytes: Buffer, secret: Buffer, start: number): number {
  const at = bytes.indexOf(secret, start);
  return at < 0 ? bytes.length : at;
}

/** How many of the last bytes could be the start of a secret that goes on in the next chunk. */
function openStart(bytes: Buffer, patterns: readonly Pattern[]): number {
  let most = 0;
  for (const { bytes: secret } of patterns) {
    for (let size = Math.min(secret.length - 1, bytes.length); size > most; size -= 1) {
      if (bytes.subarray(bytes.length - size).equals(secret.subarray(0, size))) {
        most = size;
        break;
      }
    }
  }
  return most;
}
