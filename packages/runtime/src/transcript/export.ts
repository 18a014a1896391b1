// A session as a document, a part at a time: of a long one no more than a part is in memory.
import type { SessionSummary } from "@codelia/protocol";
import { cursorOf, type FoundSession, positionAt, readTranscript } from "../sessions/index.ts";
import { htmlFormat } from "./html.ts";
import { transcriptJson } from "./json.ts";
import { markdownFormat } from "./markdown.ts";
import { terminalFormat } from "./terminal.ts";
import { stepWriter, type TranscriptWriter } from "./writer.ts";

export type ExportFormat = "md" | "html" | "json" | "text";

export interface ExportPart {
  readonly text: string;
  /** For the next part; absent with the last. */
  readonly cursor: string | undefined;
}

type Disk = Parameters<typeof readTranscript>[0];

const partEntries = 200;

/**
 * @input  cursor: of the part before; absent: from the start
 * @output undefined: the cursor is not one that a part gave
 * @effects reads only
 * @error  SessionError, StorageError
 */
export async function exportPart(
  disk: Disk,
  { directory }: FoundSession,
  session: SessionSummary,
  format: ExportFormat,
  cursor: string | undefined,
): Promise<ExportPart | undefined> {
  const [, isBegun, place] = /^([ft])(.+)$/.exec(cursor ?? "") ?? [];
  let from = place === undefined ? undefined : positionAt(place);
  if (cursor !== undefined && from === undefined) return undefined;
  let hasEntries = isBegun === "t";
  const writer = writerOf(format, session, hasEntries);
  let text = cursor === undefined ? writer.begin(session) : "";
  for (let limit = partEntries; ; limit = 1) {
    const page = await readTranscript(disk, directory, {
      from,
      limit,
      isRunning: session.state === "running",
    });
    for (const entry of page.entries) text += writer.add(entry);
    hasEntries ||= page.entries.length > 0;
    from = page.next;
    if (from === undefined) {
      return { text: text + writer.end(page.damage === undefined ? [] : [page.damage]), cursor: undefined };
    }
    // A call and its result are told together, so a part ends where none is open.
    if (writer.isSettled) return { text, cursor: `${hasEntries ? "t" : "f"}${cursorOf(from)}` };
  }
}

function writerOf(format: ExportFormat, { id }: SessionSummary, isBegun: boolean): TranscriptWriter {
  switch (format) {
    case "md":
      return stepWriter(markdownFormat);
    case "html":
      return stepWriter(htmlFormat);
    case "text":
      return stepWriter(terminalFormat(id));
    case "json":
      return transcriptJson(isBegun);
  }
}
