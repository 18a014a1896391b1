// The bytes of one record: `{"crc":"89abcdef","seq":1,"at":"…","record":…}` and a line feed.
import { crc32 } from "./crc32.ts";

/** Lines are not longer than this, line feed included; what would be goes into a blob. */
export const maxLineBytes = 64 * 1024;

/** What a file must start with to be a journal. */
export const firstBytes = Buffer.from('{"crc":"');

const crcEnd = firstBytes.length + 8;
/** The checksum is over what follows it, up to the line feed, so that it can be checked without parsing. */
const checkedFrom = crcEnd + 2;

export type LineBody =
  | { readonly record: unknown }
  /** The record is JSON in this blob, which has so many bytes. */
  | { readonly blob: string; readonly bytes: number };

export type Line = LineBody & { readonly seq: number; readonly at: string };

export type LineFault = "checksum" | "json";

/** @input body the line's last keys, as JSON without its braces */
export function encodeLine(seq: number, at: string, body: string): Buffer {
  const bytes = Buffer.from(`{"crc":"00000000","seq":${seq},"at":"${at}",${body}}\n`);
  bytes.write(checksum(bytes.subarray(checkedFrom, -1)), firstBytes.length, "latin1");
  return bytes;
}

/** @input bytes without the line feed */
export function decodeLine(bytes: Buffer): Line | LineFault {
  const isWhole =
    bytes.length > checkedFrom &&
    bytes.compare(firstBytes, 0, firstBytes.length, 0, firstBytes.length) === 0 &&
    bytes.toString("latin1", firstBytes.length, checkedFrom) === `${checksum(bytes.subarray(checkedFrom))}",`;
  if (!isWhole) return "checksum";
  return lineIn(bytes.toString()) ?? "json";
}

const lineHead = /^\{"crc":"([0-9a-f]{8})","seq":(\d{1,15}),"at":"[^"\\]{1,40}",("record":|"blob":)/;
const blobStart = /,"start":("(?:[^"\\]|\\.)*")\}$/;
const glancedBytes = 240;
/** Characters of a record's JSON that the line of its blob repeats. */
const startLength = 100;

/** Said on the line of a record that is in a blob, so that one that is not needed need not be opened. */
export function startOf(text: string): string {
  return text.slice(0, startLength).toWellFormed();
}

/** A line that was not parsed. */
export interface Glance {
  readonly seq: number;
  /** How the JSON of its record begins. */
  readonly start: string;
  /** Whether the JSON of its record can contain a text of ASCII; of one in a blob that is not known. */
  mayHold(text: string): boolean;
  /** Whether its bytes are those that were written. */
  isWhole(): boolean;
}

/** @input bytes without the line feed @output undefined: it has to be read */
export function glanceAtLine(bytes: Buffer): Glance | undefined {
  const text = bytes.toString("latin1", 0, glancedBytes);
  const [head, crc = "", seq, place] = lineHead.exec(text) ?? [];
  if (head === undefined) return undefined;
  const isInBlob = place === '"blob":';
  const start = isInBlob ? parse(blobStart.exec(bytes.toString())?.[1] ?? "") : text.slice(head.length);
  if (typeof start !== "string") return undefined;
  return {
    seq: Number(seq),
    start,
    mayHold: (sought) => isInBlob || bytes.includes(sought, 0, "latin1"),
    isWhole: () => crc32(bytes.subarray(checkedFrom)) === Number.parseInt(crc, 16),
  };
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}

function lineIn(text: string): Line | undefined {
  const value = parse(text);
  if (typeof value !== "object" || value === null || !("seq" in value) || !("at" in value)) return undefined;
  const { seq, at } = value;
  if (typeof seq !== "number" || typeof at !== "string") return undefined;
  if ("record" in value) return { seq, at, record: value.record };
  if (!("blob" in value) || !("bytes" in value)) return undefined;
  const { blob, bytes } = value;
  return typeof blob === "string" && typeof bytes === "number" ? { seq, at, blob, bytes } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
