// The words that all forms of a transcript share.
import type { SessionSummary } from "@codelia/protocol";
import { oneLine, plural } from "@codelia/shared-types";
import type { CallStep, TranscriptStep } from "./steps.ts";

/** The session's facts, as name and value. */
export function factsOf(session: SessionSummary): [name: string, value: string][] {
  return [
    ["session", session.id],
    ["started", session.started_at],
    ["last used", session.updated_at],
    ["state", session.state],
    ["directory", session.cwd],
    ["worktree", session.root_is_gone ? `${session.root} (gone)` : session.root],
    ["model", session.model],
  ];
}

export function titleOf({ title, id }: SessionSummary): string {
  return title.trim() === "" ? id : title;
}

const marks = { done: "✓", failed: "✗", denied: "✗", open: "…" } as const;
const endings = { done: "", failed: "", denied: " (denied)", open: " (no result)" } as const;

/** What was called, in one line. */
export function callLine({ outcome, title, tool, arguments: json }: CallStep): string {
  return `${marks[outcome]} ${oneLine(title ?? `${tool} ${json}`)}${endings[outcome]}`;
}

export function promptHead({ steering, images }: Extract<TranscriptStep, { kind: "prompt" }>): string {
  const sent = images === 0 ? "" : `, with ${plural(images, "image")}`;
  return `${steering ? "Prompt while it worked" : "Prompt"}${sent}`;
}

export function answerHead({ interrupted }: Extract<TranscriptStep, { kind: "answer" }>): string {
  return interrupted ? "Answer, broken off" : "Answer";
}
