// `read`: a text file with line numbers, whole or a part, and the memory of what the model has seen; or an image.
import type { Stats } from "node:fs";
import { type OutputWriter, type Tool, ToolError, type ToolExecution } from "@codelia/core";
import { imageMediaType, maxImageBase64 } from "@codelia/shared-types";
import { type Disk, type DiskFile, nodeDisk } from "@codelia/storage";
import { z } from "zod";
import type { ToolEnvironment } from "./environment.ts";
import {
  accessPaths,
  binaryKind,
  counted,
  countOf,
  hasBom,
  headBytes,
  LineWindow,
  type Location,
  locate,
  maxWholeFile,
  readUpTo,
  sizeText,
  withRegularFile,
} from "./files/index.ts";

// A tool's output is shown whole up to 2,000 lines and 50 KiB; the notes at the end have to fit as well.
const maxLines = 1990;
const maxBytes = 49 * 1024;
const maxLineLength = 2000;
const chunkBytes = 256 * 1024;
const maxImage = (maxImageBase64 * 3) / 4;

const parameters = z.strictObject({
  path: z.string(),
  offset: z.int().min(1).optional().describe("first line, from 1"),
  limit: z.int().min(1).optional().describe("number of lines"),
});

export type ReadArguments = z.infer<typeof parameters>;

export function createReadTool(environment: ToolEnvironment, disk: Disk = nodeDisk): Tool<ReadArguments> {
  return {
    name: "read",
    description:
      "Read a text file or an image. Lines come as number, tab, text. Long files come in parts: go on with offset.",
    parameters,
    async prepare(args) {
      const location = await locate(disk, environment, args.path);
      return {
        title: `read ${location.shown}${args.offset === undefined ? "" : ` from line ${args.offset}`}`,
        paths: [location.path],
        access: { kind: "read", paths: accessPaths([location]) },
        async execute({ output, signal, presentImage }) {
          const run: Run = { environment, location, args, output, signal, presentImage };
          await withRegularFile(disk, location, (handle, stats) => show(run, handle, stats));
        },
      };
    },
  };
}

interface Run {
  readonly environment: ToolEnvironment;
  readonly location: Location;
  readonly args: ReadArguments;
  readonly output: OutputWriter;
  readonly signal: AbortSignal;
  readonly presentImage: ToolExecution["presentImage"];
}

async function show(run: Run, handle: DiskFile, stats: Stats): Promise<void> {
  const { environment, location, args, signal } = run;
  const { offset = 1, limit = maxLines } = args;
  signal.throwIfAborted();
  const whole = await readUpTo(handle, stats, maxWholeFile);
  const head = whole?.subarray(0, headBytes) ?? (await readHead(handle));
  const kind = binaryKind(head);
  if (kind !== undefined) {
    const mediaType = imageMediaType(head);
    if (mediaType === undefined) throw refusal(kind, stats, location);
    await showImage(run, mediaType, whole, stats);
    return;
  }
  const window = new LineWindow({ offset, maxLines: Math.min(limit, maxLines), maxBytes, maxLineLength });
  if (whole === undefined) await stream(handle, window, signal);
  else window.push(whole);
  if (whole !== undefined || !window.full) window.end();
  if (window.lines.length === 0 && window.linesSeen > 0) {
    throw new ToolError(
      `${location.shown} has only ${counted(window.linesSeen, "line")}; offset ${offset} is past its end. ` +
        "Read with a smaller offset.",
    );
  }
  if (whole !== undefined) environment.readVersions.remember(location.real, whole);
  await run.output.write(window.lines.join(""));
  const notes = whole === undefined ? largeNotes(window, offset, stats) : wholeNotes(window, offset, whole);
  await run.output.write(notes.map((note) => `[${note}]\n`).join(""));
}

async function showImage(
  { location: { shown }, output, presentImage }: Run,
  mediaType: string,
  content: Uint8Array | undefined,
  { size }: Stats,
): Promise<void> {
  if (content === undefined || content.length > maxImage) {
    throw new ToolError(
      `${shown} is an image of ${sizeText(size)}; up to ${sizeText(maxImage)} can be shown. Make a smaller one with a command.`,
    );
  }
  const data = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64");
  presentImage({ type: "image", mediaType, data, label: shown });
  await output.write(`[${mediaType} of ${sizeText(content.length)}: it is shown below]\n`);
}

async function readHead(handle: DiskFile): Promise<Uint8Array> {
  const head = new Uint8Array(headBytes);
  const { bytesRead } = await handle.read(head, 0, headBytes, 0);
  return head.subarray(0, bytesRead);
}

function refusal(kind: string, { size }: Stats, { shown }: Location): ToolError {
  const advice =
    kind === "UTF-16 text"
      ? "Convert it with a command (iconv -f utf-16 -t utf-8)."
      : "It cannot be read as text; use a command made for it.";
  return new ToolError(`${shown} is ${kind} of ${sizeText(size)}. ${advice}`);
}

/** Reads until the window is full or the file ends; the file is never held whole. */
async function stream(handle: DiskFile, window: LineWindow, signal: AbortSignal): Promise<void> {
  const chunk = new Uint8Array(chunkBytes);
  let position = 0;
  while (!window.full) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return;
    window.push(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
}

function wholeNotes(window: LineWindow, offset: number, content: Uint8Array): string[] {
  if (content.length === 0) return ["the file is empty"];
  const next = offset + window.lines.length;
  const remaining = window.linesSeen - next + 1;
  const notes: string[] = [];
  if (remaining > 0) {
    const bytes = sizeText(content.length - window.bytesTaken);
    notes.push(
      `${counted(remaining, "line")} (${bytes}) of ${window.linesSeen} follow: go on with offset ${next}`,
    );
  }
  if (content.at(-1) !== 10 && remaining <= 0) notes.push("no newline at the end of the file");
  return [...notes, ...contentNotes(window, content)];
}

function largeNotes(window: LineWindow, offset: number, stats: Stats): string[] {
  const next = offset + window.lines.length;
  const remaining = stats.size - window.bytesTaken;
  const rest =
    remaining > 0
      ? [`${sizeText(remaining)} of ${sizeText(stats.size)} follow: go on with offset ${next}`]
      : [];
  const limit = `files over ${sizeText(maxWholeFile)} can be read in parts but not edited`;
  return [...rest, limit, ...contentNotes(window, undefined)];
}

/** What the text does not show, and a later edit depends on. */
function contentNotes(window: LineWindow, content: Uint8Array | undefined): string[] {
  const notes: string[] = [];
  if (window.invalid) {
    notes.push("bytes that are not valid UTF-8 are shown as U+FFFD; the file cannot be edited as text");
  }
  if (window.cutLines > 0) notes.push(`lines over ${maxLineLength} characters are cut`);
  if (content === undefined) return notes;
  const marks = [hasBom(content) ? "a byte order mark" : "", endingNote(content)].filter(
    (mark) => mark !== "",
  );
  if (marks.length > 0) notes.push(`the file has ${marks.join(" and ")}; edits keep that`);
  return notes;
}

function endingNote(content: Uint8Array): string {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1");
  const crlf = countOf(bytes, "\r\n");
  if (crlf === 0) return "";
  return crlf === countOf(bytes, "\n") ? "CRLF line endings" : "mixed LF and CRLF line endings";
}
