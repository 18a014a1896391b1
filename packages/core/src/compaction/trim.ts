// Shortens outputs of calls that stay in the context, and says where the whole is.
import { renderReminder } from "../agents/index.ts";
import type { ConversationItem } from "../session/index.ts";

/** Keeps a text whole. @output the ref by which the model can open it */
export type KeepText = (text: string) => Promise<string>;

const keptCharacters = 1024;

/** A text that is hardly longer than what would be left of it stays; images go. */
export function canBeTrimmed({ message }: ConversationItem): boolean {
  return (
    message.role === "tool" &&
    (message.output.length > 2 * keptCharacters || (message.images ?? []).length > 0)
  );
}

/** @output the items whose output is long, with the text that shall stand there */
export async function trimOutputs(
  items: readonly ConversationItem[],
  keep: KeepText,
): Promise<{ seq: number; output: string }[]> {
  const trimmed: { seq: number; output: string }[] = [];
  for (const { seq, message, outputRef } of items.filter(canBeTrimmed)) {
    if (message.role !== "tool") continue;
    const { length: images } = message.images ?? [];
    const left =
      images === 0 ? "" : ` ${images === 1 ? "Its image was" : `Its ${images} images were`} left out.`;
    const ref = outputRef ?? (await keep(message.output));
    const start = message.output.slice(0, keptCharacters).toWellFormed();
    const note = renderReminder(
      "tool.output.trimmed",
      `This output was shortened to make room: ${start.length} of ${message.output.length} characters are left. ` +
        `The whole: tool_output_read or tool_output_search with ref ${ref}.${left}`,
    );
    trimmed.push({ seq, output: `${start}\n${note}` });
  }
  return trimmed;
}
