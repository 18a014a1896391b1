// A text that the user added to a prompt, in a fence that it cannot close.
import { neutraliseTags } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";

/**
 * Inside a fence nothing is a mention of a skill; tags of ours are neutralised, because the text may be a stranger's file.
 * @output for the beginning of a message: what comes before could have opened a fence of its own
 */
export function attachedText({ name, text }: { name: string; text: string }): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  const { text: neutral } = neutraliseTags(text);
  return `The user attached ${visibleName(name)}:\n${fence}\n${neutral}${neutral.endsWith("\n") ? "" : "\n"}${fence}\n`;
}
