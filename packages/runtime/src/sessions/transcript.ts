// A session's records as a person would tell them.
import type { NoteKind, TranscriptEntry } from "@codelia/protocol";
import { type SessionEntry, type SessionRecordOf, visibleName } from "@codelia/shared-types";
import type { JournalEntry } from "@codelia/storage";
import { kindOf, parseEntry } from "./read-records.ts";

/**
 * @output undefined: nothing to tell. What this version does not know is told as such: each record stands for itself
 * @error  SessionError for a first record that is no session's
 */
export function transcriptEntry(entry: JournalEntry, directory: string): TranscriptEntry | undefined {
  const parsed = parseEntry(entry, directory);
  if (parsed !== undefined) return told(parsed);
  const kind = visibleName(kindOf(entry.record));
  return note(entry, "unknown", `A record of a kind that this version does not know (${kind})`);
}

type Place = Pick<SessionEntry, "seq" | "at">;

function told({ seq, at, record }: SessionEntry): TranscriptEntry | undefined {
  const place = { seq, at };
  switch (record.type) {
    case "session.start":
      return record.forkedFrom && note(place, "fork", `A copy of ${visibleName(record.forkedFrom.id)}`);
    case "session.resume":
      return note(place, "resume", `Went on in ${record.cwd} with ${record.model}`);
    case "message.user":
      return prompt(place, record);
    case "message.assistant":
      return answer(place, record);
    case "permission":
      return { ...place, type: "permission", call_id: record.callId, ...record.decision };
    case "tool.intent":
      return { ...place, type: "call", call_id: record.callId, tool: record.tool, title: record.title };
    case "message.tool":
      return output(place, record);
    case "reminder":
      return note(place, "reminder", record.text);
    case "compaction":
      return note(place, "compaction", textOf(record.message.content));
    case "compaction.failed":
      return note(place, "failure", record.reason);
    case "request.failed":
      return note(place, "failure", record.failure.message);
    case "images.refused":
      return note(
        place,
        "failure",
        `Images are left out from here on, because they were refused: ${record.reason}`,
      );
    case "limit":
      return note(place, "limit", record.message);
    case "run.end":
      return record.status === "interrupted"
        ? note(place, "interrupted", "The run was interrupted")
        : undefined;
    case "undo":
      return note(place, "undo", ["Put back", ...record.paths.map((path) => `- ${path}`)].join("\n"));
    case "session.context":
    case "skills.known":
    case "request":
    case "files.change":
    case "flow.query":
    case "undo.intent":
      return undefined;
  }
}

function note({ seq, at }: Place, kind: NoteKind, text: string): TranscriptEntry {
  return { seq, at, type: "note", kind, text };
}

function prompt(place: Place, { message, steering }: SessionRecordOf<"message.user">): TranscriptEntry {
  const images = message.content.filter((part) => part.type === "image").length;
  return { ...place, type: "prompt", text: textOf(message.content), images, steering };
}

function answer(
  place: Place,
  { message, interrupted }: SessionRecordOf<"message.assistant">,
): TranscriptEntry {
  return {
    ...place,
    type: "answer",
    text: textOf(message.content),
    reasoning: textOf(message.content, "reasoning"),
    calls: message.content
      .filter((part) => part.type === "tool_call")
      .map(({ id, name, arguments: json }) => ({ call_id: id, tool: name, arguments: json })),
    interrupted,
  };
}

function output(place: Place, { message, outputRef }: SessionRecordOf<"message.tool">): TranscriptEntry {
  return {
    ...place,
    type: "tool",
    call_id: message.toolCallId,
    tool: message.toolName,
    output: message.output,
    is_error: message.isError,
    ...(outputRef === undefined ? {} : { output_ref: outputRef }),
  };
}

function textOf(
  parts: readonly { readonly type: string; readonly text?: string }[],
  type: "text" | "reasoning" = "text",
): string {
  return parts.flatMap((part) => (part.type === type ? [part.text ?? ""] : [])).join("\n");
}
