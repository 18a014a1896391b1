// Reads the patch envelope: files to add, update, move and delete, each with the line of the patch it stands on.
import { ToolError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";

export type FilePatch =
  | {
      readonly kind: "add";
      readonly path: string;
      readonly line: number;
      readonly content: readonly string[];
    }
  | { readonly kind: "delete"; readonly path: string; readonly line: number }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly line: number;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
    };

export interface HunkLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
  /** In the patch, from 1. */
  readonly line: number;
}

export interface Hunk {
  /** In the patch, from 1. */
  readonly line: number;
  /** Lines of the file that stand somewhere above, outermost first. */
  readonly contexts: readonly string[];
  readonly body: readonly HunkLine[];
  /** The body ends where the file ends. */
  readonly atEnd: boolean;
}

const begin = "*** Begin Patch";
const end = "*** End Patch";
const endOfFile = "*** End of File";
const moveTo = "*** Move to:";
const headers = { add: "*** Add File:", delete: "*** Delete File:", update: "*** Update File:" } as const;

/** @error ToolError with the line of the patch and what is expected there */
export function parsePatch(patch: string): FilePatch[] {
  const reader = new PatchReader(patch);
  const files: FilePatch[] = [];
  reader.expect(begin);
  while (!reader.isAt(end)) files.push(readFile(reader));
  reader.expect(end);
  if (!reader.over) throw reader.failure(`nothing may follow "${end}"`);
  if (files.length === 0) throw new ToolError("The patch names no file. Nothing was changed.");
  return files;
}

class PatchReader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(patch: string) {
    const lines = patch.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
    while (lines.at(-1)?.trim() === "") lines.pop();
    this.#lines = lines;
    while (this.peek()?.trim() === "") this.#at += 1;
  }

  /** Of the line that is next, from 1. */
  get line(): number {
    return this.#at + 1;
  }

  get over(): boolean {
    return this.#at >= this.#lines.length;
  }

  peek(): string | undefined {
    return this.#lines[this.#at];
  }

  next(): string {
    const line = this.#lines[this.#at] ?? "";
    this.#at += 1;
    return line;
  }

  isAt(marker: string): boolean {
    if (this.over) throw this.failure(`the patch stops without "${end}"`);
    return this.peek()?.trimEnd() === marker;
  }

  expect(marker: string): void {
    if (this.peek()?.trimEnd() !== marker) throw this.failure(`expected "${marker}"`);
    this.#at += 1;
  }

  /** The rest of the line after `prefix`, when the next line has it. */
  after(prefix: string): string | undefined {
    const line = this.peek();
    if (line === undefined || !line.startsWith(prefix)) return undefined;
    const rest = line.slice(prefix.length).trim();
    if (rest === "") throw this.failure(`a path is missing after "${prefix}"`);
    this.#at += 1;
    return rest;
  }

  failure(what: string): ToolError {
    const found = this.over ? "the end of the patch" : visibleName((this.peek() ?? "").slice(0, 120));
    return new ToolError(`Line ${this.line} of the patch: ${what}, found: ${found}\nNothing was changed.`);
  }
}

function readFile(reader: PatchReader): FilePatch {
  const { line } = reader;
  const added = reader.after(headers.add);
  if (added !== undefined) return { kind: "add", path: added, line, content: readAdded(reader) };
  const deleted = reader.after(headers.delete);
  if (deleted !== undefined) {
    skipBlank(reader);
    return { kind: "delete", path: deleted, line };
  }
  const updated = reader.after(headers.update);
  if (updated === undefined) {
    throw reader.failure('expected "*** Add File: …", "*** Update File: …", "*** Delete File: …" or the end');
  }
  const target = reader.after(moveTo);
  const hunks = readHunks(reader);
  if (hunks.length === 0 && target === undefined) {
    throw reader.failure(`no hunk follows "${headers.update} ${visibleName(updated)}"; expected "@@"`);
  }
  const moved = target === undefined ? {} : { moveTo: target };
  return { kind: "update", path: updated, line, ...moved, hunks };
}

function readAdded(reader: PatchReader): string[] {
  const content: string[] = [];
  while (!atHeader(reader)) {
    const line = reader.peek() ?? "";
    // Models put a blank line between files.
    if (line === "" && onlyBlankBeforeHeader(reader)) break;
    if (!line.startsWith("+")) throw reader.failure('every line of a new file begins with "+"');
    content.push(reader.next().slice(1));
  }
  return content;
}

function readHunks(reader: PatchReader): Hunk[] {
  const hunks: Hunk[] = [];
  while (!atHeader(reader)) {
    const { line } = reader;
    const contexts = readContexts(reader);
    const body = readBody(reader);
    const atEnd = !reader.over && reader.peek()?.trimEnd() === endOfFile;
    if (atEnd) reader.next();
    while (!reader.over && reader.peek() === "") reader.next();
    if (!body.some(({ sign }) => sign !== " ")) {
      throw new ToolError(
        `Line ${line} of the patch: this hunk changes nothing; add "-" or "+" lines. Nothing was changed.`,
      );
    }
    hunks.push({ line, contexts, body, atEnd });
  }
  return hunks;
}

function readContexts(reader: PatchReader): string[] {
  const contexts: string[] = [];
  while (reader.peek()?.startsWith("@@")) {
    // The numbers of a unified diff say nothing here: lines are found by their text.
    const text = reader
      .next()
      .slice(2)
      .replace(/^ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/, "")
      .trim();
    if (text !== "") contexts.push(text);
  }
  return contexts;
}

function readBody(reader: PatchReader): HunkLine[] {
  const body: HunkLine[] = [];
  for (;;) {
    const line = reader.peek();
    if (line === undefined || line.startsWith("@@") || line.startsWith("*** ")) break;
    const sign = line.charAt(0);
    if (sign === " " || sign === "-" || sign === "+")
      body.push({ sign, text: line.slice(1), line: reader.line });
    // An empty line is an empty line of the file whose leading space was lost.
    else if (line === "") body.push({ sign: " ", text: "", line: -reader.line });
    else throw reader.failure('a line of a hunk begins with " ", "-" or "+"');
    reader.next();
  }
  // At the end of a hunk they only set it apart from what follows.
  while ((body.at(-1)?.line ?? 0) < 0) body.pop();
  return body.map((each) => ({ ...each, line: Math.abs(each.line) }));
}

function atHeader(reader: PatchReader): boolean {
  if (reader.isAt(end)) return true;
  const line = reader.peek() ?? "";
  return Object.values(headers).some((header) => line.startsWith(header));
}

function skipBlank(reader: PatchReader): void {
  while (!reader.over && reader.peek() === "") reader.next();
}

function onlyBlankBeforeHeader(reader: PatchReader): boolean {
  skipBlank(reader);
  return atHeader(reader);
}
