// Searches without ripgrep: the same lines of the same files in the same order, only slower.
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { readFlags } from "@codelia/storage";
import { Automaton } from "./automaton.ts";
import { type LineSink, maxFileSize } from "./lines.ts";
import type { PathFilter } from "./path-filter.ts";
import type { Pattern } from "./pattern.ts";
import { walkFiles } from "./walk.ts";

export interface SearchRequest {
  readonly pattern: Pattern;
  readonly context: number;
  /** The folder to search; `file` names one file in it that is searched alone, hidden or ignored as it may be. */
  readonly root: string;
  readonly file: string | undefined;
  readonly filter: PathFilter;
  readonly signal: AbortSignal;
}

const linesBetweenPauses = 20_000;

/** @effects reads files; reports to `sink` */
export async function searchBuiltIn(request: SearchRequest, sink: LineSink): Promise<void> {
  const automaton = new Automaton(request.pattern.node, { anchored: false, lines: true });
  for await (const path of candidates(request)) {
    request.signal.throwIfAborted();
    const content = await readSearchable(join(request.root, path));
    if (content === undefined) continue;
    const text = decode(content);
    if (!text.includes(request.pattern.contains)) continue;
    const found = await searchText(text, automaton, request, sink);
    if (found && !(await sink.endFile(path, text.includes("\0")))) return;
  }
}

async function* candidates({ root, file, filter, signal }: SearchRequest): AsyncGenerator<string> {
  if (file !== undefined) {
    yield file;
    return;
  }
  for await (const path of walkFiles({ root, hidden: filter.hidden, git: filter.git, signal })) {
    if (filter.accepts(path)) yield path;
  }
}

async function readSearchable(path: string): Promise<Uint8Array | undefined> {
  try {
    const { size } = await lstat(path);
    if (size > maxFileSize) return undefined;
    // Neither a link nor a FIFO that has taken the file's place is followed or waited for.
    const file = await open(path, readFlags);
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch {
    // Gone or not readable: passed over, as by ripgrep.
    return undefined;
  }
}

/** Bytes that are no UTF-8 become a character that no text has: for ripgrep, too, no class contains them. */
const strayByte = "\uDC80";

function decode(content: Uint8Array): string {
  const [first, second] = content;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(content);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(content);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return new TextDecoder("utf-8").decode(content).replaceAll("\uFFFD", strayByte);
  }
}

/** @output whether any line matched */
async function searchText(
  text: string,
  automaton: Automaton,
  { context, signal }: SearchRequest,
  sink: LineSink,
): Promise<boolean> {
  const matchesInLineEnd = automaton.matchesInLineEnd();
  let found = false;
  let number = 0;
  let after = 0;
  const before: string[] = [];
  const report = (at: number, line: string, isMatch: boolean) =>
    sink.line({ number: at, text: line.replaceAll(strayByte, "\uFFFD"), isMatch });
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed;
    const hasReturn = feed > start && text[feed - 1] === "\r";
    const line = text.slice(start, hasReturn ? feed - 1 : end);
    start = end + 1;
    number += 1;
    if (number % linesBetweenPauses === 0) {
      await setImmediate();
      signal.throwIfAborted();
    }
    if (automaton.matches(line) || (hasReturn && matchesInLineEnd)) {
      found = true;
      for (const [index, earlier] of before.entries()) {
        report(number - before.length + index, earlier, false);
      }
      before.length = 0;
      after = context;
      report(number, line, true);
    } else if (after > 0) {
      after -= 1;
      report(number, line, false);
    } else if (context > 0) {
      before.push(line);
      if (before.length > context) before.shift();
    }
  }
  return found;
}
