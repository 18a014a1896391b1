// The message that stands for what was left out. Everything here is pure.
import type { AgentsInForce, UserMessage } from "@codelia/shared-types";
import { visibleName } from "@codelia/shared-types";
import { neutraliseTags } from "../text/index.ts";

/** Something that has to outlive a compaction, in the runtime's words: a list of open tasks, a loaded skill. */
export interface CarriedText {
  readonly title: string;
  readonly text: string;
}

export interface CompactedParts {
  /** Of every compaction so far, oldest first. */
  readonly summaries: readonly string[];
  /** Every message of the user that was left out, oldest first. */
  readonly instructions: readonly UserMessage[];
  readonly agentsInForce: readonly AgentsInForce[];
  /** Where the session goes on, when that is not where it began: the note that said so may be left out. */
  readonly movedTo?: { readonly cwd: string; readonly root: string } | undefined;
  readonly carried: readonly CarriedText[];
}

type Part = UserMessage["content"][number];

/** The user's messages stand in it part by part, so that no wrapper can change a byte of them. */
export function compactedMessage({
  summaries,
  instructions,
  agentsInForce,
  movedTo,
  carried,
}: CompactedParts): UserMessage {
  const content: Part[] = [text(renderSummaries(summaries))];
  for (const [index, { content: said }] of instructions.entries()) {
    content.push(
      text(`The user's message ${index + 1} of ${instructions.length} that were left out, verbatim:`),
      ...said,
    );
  }
  const rest = [
    ...(movedTo === undefined ? [] : [renderMove(movedTo)]),
    ...(agentsInForce.length === 0 ? [] : [renderInForce(agentsInForce)]),
    ...carried.map((each) => `${each.title}:\n${each.text.trimEnd()}`),
  ];
  // Names of files and what the model wrote must not be able to close the tag.
  const tail = rest.map((each) => `${neutraliseTags(each).text}\n\n`).join("");
  content.push(text(`${tail}</compacted_conversation>`));
  return { role: "user", content };
}

function renderSummaries(summaries: readonly string[]): string {
  const sections = summaries.map((summary, index) => {
    const number = summaries.length === 1 ? "" : ` ${index + 1} of ${summaries.length}, oldest first`;
    return `Summary${number}:\n${neutraliseTags(summary).text.trim()}`;
  });
  return `<compacted_conversation>
The conversation up to here was left out to make room; this stands for it. What follows this message is unchanged.

${sections.join("\n\n")}`;
}

function renderMove({ cwd, root }: { cwd: string; root: string }): string {
  return `The session has moved since its start: cwd is now ${visibleName(cwd)}, root ${visibleName(root)}`;
}

function renderInForce(files: readonly AgentsInForce[]): string {
  const lines = files.map(({ path, mtimeMs }) => `- ${visibleName(path)} (mtime: ${mtimeMs})`);
  return `AGENTS.md files that were named before and are in force; read one again before you work in its directory:\n${lines.join("\n")}`;
}

function text(value: string): Part {
  return { type: "text", text: value };
}
