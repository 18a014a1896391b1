// A tool call as an editor shows it.
import type { ToolCallContent, ToolKind } from "@agentclientprotocol/sdk";
import type { WireFileChange } from "@codelia/protocol";
import { pipedText, visibleText } from "@codelia/shared-types";

const kinds: Readonly<Record<string, ToolKind>> = {
  read: "read",
  write: "edit",
  edit: "edit",
  apply_patch: "edit",
  list: "search",
  glob: "search",
  grep: "search",
  bash: "execute",
  fetch_url: "fetch",
  todo: "think",
  skill_search: "search",
  skill_load: "read",
  tool_output_read: "read",
  tool_output_search: "search",
};

export function kindOf(tool: string): ToolKind {
  return Object.hasOwn(kinds, tool) ? (kinds[tool] ?? "other") : "other";
}

/** On one line. */
export function titleOf(title: string): string {
  return visibleText(title.replaceAll("\n", " "));
}

/** Editors show text as Markdown, and what a tool says is none. */
export function outputContent(output: string): ToolCallContent[] {
  if (output === "") return [];
  const text = pipedText(output);
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const fenced = `${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
  return [{ type: "content", content: { type: "text", text: fenced } }];
}

/** A file that goes away has an empty new text. */
export function diffContent(changes: readonly WireFileChange[]): ToolCallContent[] {
  return changes.map(({ path, before, after }) => ({
    type: "diff",
    path,
    oldText: before ?? null,
    newText: after ?? "",
  }));
}
