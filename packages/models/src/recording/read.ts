// Reading a recording: every line is checked before the first is played.
import { visibleText } from "@codelia/shared-types";
import type { z } from "zod";
import { RecordingError } from "./error.ts";
import { type Entry, EntrySchema, type Header, HeaderSchema } from "./format.ts";

export interface Recording {
  readonly header: Header;
  /** By number of the request, from 1. */
  readonly entries: ReadonlyMap<number, Entry>;
  /** The last line was torn, by a crash for example, and is left out: which one. */
  readonly tornLine: number | undefined;
}

/**
 * @input  the file's lines; empty ones at the end are ignored
 * @error  RecordingError for the first line that is wrong, except for a last one that was cut off
 */
export function readRecording(lines: readonly string[]): Recording {
  const end = lines.findLastIndex((line) => line.trim() !== "") + 1;
  const [first, ...rest] = lines.slice(0, end);
  const header = headerFrom(first);
  const entries = new Map<number, Entry>();
  for (const [index, line] of rest.entries()) {
    const number = index + 2;
    const value = parseJson(line);
    if (!value.ok) {
      if (number === end) return { header, entries, tornLine: number };
      throw new RecordingError(number, `this is not JSON (${value.reason}); record again`);
    }
    const entry = checked(EntrySchema, value.value, number);
    checkEntry(entry, entries, number);
    entries.set(entry.n, entry);
  }
  return { header, entries, tornLine: undefined };
}

function headerFrom(line: string | undefined): Header {
  if (line === undefined) throw new RecordingError(1, "there is no header, the recording is empty");
  const value = parseJson(line);
  const parsed = value.ok ? HeaderSchema.safeParse(value.value) : undefined;
  if (parsed?.success) return parsed.data;
  throw new RecordingError(1, "this is not the header of a recording of version 1; is it another file?");
}

function checkEntry(entry: Entry, earlier: ReadonlyMap<number, Entry>, line: number): void {
  const { n, messages, message_count, parts } = entry;
  const fail = (problem: string) => {
    throw new RecordingError(line, `${problem}; record again`);
  };
  if (earlier.has(n)) fail(`request ${n} is there twice`);
  if (messages.length !== message_count)
    fail(`message_count is ${message_count}, with ${messages.length} messages`);
  const last = parts.findIndex(({ part }) => part.type === "finish" || part.type === "failure");
  if (last >= 0 && last < parts.length - 1) fail(`parts[${last}] ends the response, and more follow`);
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, line: number): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("");
  const problem = `${place?.replace(/^\./, "") || "the line"}: ${issue?.message ?? "wrong"}; record again`;
  throw new RecordingError(line, visibleText(problem));
}

type JsonParse =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

function parseJson(line: string): JsonParse {
  try {
    return { ok: true, value: JSON.parse(line) };
  } catch (error) {
    return { ok: false, reason: visibleText(error instanceof Error ? error.message : String(error)) };
  }
}
