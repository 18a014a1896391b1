// Reads ripgrep's JSON lines in bounded memory: of a record that is too long, only its beginning and its line
// number are kept. Quotes inside of JSON strings are escaped, so the marks below cannot come from a file's text.
import { z } from "zod";

const maxRecord = 256 * 1024;
const keptHead = 16 * 1024;
const numberMark = Buffer.from('"},"line_number":');

const textSchema = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);

const recordSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("begin"), data: z.object({ path: textSchema }) }),
  z.object({
    type: z.enum(["match", "context"]),
    data: z.object({ lines: textSchema, line_number: z.number() }),
  }),
  z.object({
    type: z.literal("end"),
    data: z.object({ path: textSchema, binary_offset: z.number().nullable() }),
  }),
  z.object({ type: z.literal("summary") }),
]);

export type RipgrepRecord =
  | { readonly type: "line"; readonly number: number; readonly text: string; readonly isMatch: boolean }
  | { readonly type: "end"; readonly path: string; readonly isBinary: boolean }
  | { readonly type: "begin"; readonly path: string }
  | { readonly type: "summary" };

export class RipgrepRecords {
  #parts: Uint8Array[] = [];
  #size = 0;
  /** Set while a record that is too long goes by. */
  #long: { readonly head: Buffer; tail: Buffer; number: Buffer | undefined } | undefined;

  /** @output the records that end in this chunk */
  *read(chunk: Uint8Array): Generator<RipgrepRecord> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, start);
      this.#add(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) return;
      const record = this.#finish();
      if (record) yield record;
      start = end + 1;
    }
  }

  #add(bytes: Uint8Array): void {
    if (this.#long) {
      this.#skip(this.#long, bytes);
      return;
    }
    // A copy, because the stream may use the chunk's memory again.
    this.#parts.push(Uint8Array.from(bytes));
    this.#size += bytes.length;
    if (this.#size <= maxRecord) return;
    const all = Buffer.concat(this.#parts);
    this.#parts = [];
    const long = { head: Buffer.from(all.subarray(0, keptHead)), tail: Buffer.alloc(0), number: undefined };
    this.#long = long;
    this.#skip(long, all.subarray(keptHead));
  }

  #skip(long: { tail: Buffer; number: Buffer | undefined }, bytes: Uint8Array): void {
    if (long.number !== undefined) {
      if (long.number.length < 20) long.number = Buffer.concat([long.number, bytes.subarray(0, 20)]);
      return;
    }
    const window = Buffer.concat([long.tail, bytes]);
    const mark = window.indexOf(numberMark);
    if (mark >= 0) {
      const digits = mark + numberMark.length;
      long.number = Buffer.from(window.subarray(digits, digits + 20));
    }
    long.tail = Buffer.from(window.subarray(Math.max(0, window.length - numberMark.length)));
  }

  #finish(): RipgrepRecord | undefined {
    const long = this.#long;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    this.#long = undefined;
    if (long) return longRecord(long.head, long.number);
    return whole.length === 0 ? undefined : shortRecord(whole.toString("utf8"));
  }
}

function shortRecord(json: string): RipgrepRecord {
  const record = recordSchema.parse(JSON.parse(json));
  switch (record.type) {
    case "match":
    case "context":
      return {
        type: "line",
        number: record.data.line_number,
        text: textOf(record.data.lines).replace(/\r?\n$/, ""),
        isMatch: record.type === "match",
      };
    case "end":
      return { type: "end", path: textOf(record.data.path), isBinary: record.data.binary_offset !== null };
    case "begin":
      return { type: "begin", path: textOf(record.data.path) };
    case "summary":
      return { type: "summary" };
  }
}

function longRecord(head: Buffer, number: Buffer | undefined): RipgrepRecord | undefined {
  const json = new TextDecoder("utf-8").decode(head, { stream: true });
  const start = /"lines":\{"(text|bytes)":"/.exec(json);
  const line = /^\d+/.exec(number?.toString("latin1") ?? "")?.[0];
  if (!start || line === undefined) return undefined;
  const content = json.slice(start.index + start[0].length);
  // As far as whole characters go; the cut may lie within an escape.
  const kept = /^(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*/.exec(content)?.[0] ?? "";
  const text =
    start[1] === "bytes"
      ? new TextDecoder().decode(Buffer.from(kept.slice(0, kept.length - (kept.length % 4)), "base64"))
      : z.string().parse(JSON.parse(`"${kept}"`));
  return { type: "line", number: Number(line), text, isMatch: json.startsWith('{"type":"match"') };
}

function textOf(value: z.infer<typeof textSchema>): string {
  return "text" in value ? value.text : new TextDecoder().decode(Buffer.from(value.bytes, "base64"));
}
