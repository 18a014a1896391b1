// A session's history as blocks, as they were when they happened.
import type { TranscriptEntry } from "@codelia/protocol";
import type { Style } from "../screen/index.ts";
import { answerBlock, noticeBlock, promptBlock, toolBlock } from "./blocks.ts";

export function entryBlocks(entries: readonly TranscriptEntry[], width: number, style: Style): string[] {
  const titles = new Map<string, string>();
  const blockOf = (entry: TranscriptEntry): string[] => {
    switch (entry.type) {
      case "prompt":
        return promptBlock(entry.text, width, style);
      case "answer":
        return entry.text.trim() === "" ? [] : answerBlock(entry.text, width, style);
      case "call":
        titles.set(entry.call_id, entry.title);
        return [];
      case "tool": {
        const title = titles.get(entry.call_id) ?? entry.tool;
        return toolBlock({ title, output: entry.output, isError: entry.is_error }, width, style);
      }
      case "permission":
        return entry.decision === "deny" ? noticeBlock(`denied: ${entry.reason}`, width, style) : [];
      case "note":
        return entry.kind === "reminder" ? [] : noticeBlock(entry.text, width, style);
    }
  };
  return entries.flatMap(blockOf);
}
