// Images that a provider refuses: they are left out of the context, so that one bad file does not end a session for good.
import type { Message, ToolMessage, UserMessage } from "@codelia/shared-types";
import type { ConversationItem } from "./conversation.ts";

/**
 * @output records whose images may be what is refused, most likely first: those that the provider has not answered to
 *         yet, then all. Empty: there are none
 */
export function suspectedImages(items: readonly ConversationItem[]): number[][] {
  const holding = items.filter(({ message }) => hasImages(message));
  const answered = items.findLastIndex(({ origin }) => origin === "model");
  const fresh = holding.filter((item) => items.indexOf(item) > answered);
  const groups = fresh.length === holding.length ? [holding] : [fresh, holding];
  return groups.filter((group) => group.length > 0).map((group) => group.map(({ seq }) => seq));
}

export interface RefusedImages {
  /** The records that hold them. */
  readonly seqs: readonly number[];
  readonly reason: string;
}

export function leaveOutImages(
  items: readonly ConversationItem[],
  { seqs, reason }: RefusedImages,
): ConversationItem[] {
  return items.map((item) => {
    if (!seqs.includes(item.seq)) return item;
    if (item.message.role === "user") return { ...item, message: withoutImages(item.message, reason) };
    return item.message.role === "tool"
      ? { ...item, message: resultWithoutImages(item.message, reason) }
      : item;
  });
}

/** In the place of each image stands that it is left out, and why. */
export function withoutImages(message: UserMessage, reason: string): UserMessage {
  const content = message.content.map((part) =>
    part.type === "image" ? { type: "text" as const, text: leftOut(part.mediaType, reason) } : part,
  );
  return { ...message, content };
}

function resultWithoutImages({ images = [], ...message }: ToolMessage, reason: string): ToolMessage {
  const notes = images.map(({ label, mediaType }) => `${label}: ${leftOut(mediaType, reason)}\n`);
  const end = message.output === "" || message.output.endsWith("\n") ? "" : "\n";
  return { ...message, output: `${message.output}${end}${notes.join("")}` };
}

function leftOut(mediaType: string, reason: string): string {
  return `[${mediaType} left out: the provider refused it: ${reason}]`;
}

function hasImages(message: Message): boolean {
  if (message.role === "tool") return (message.images ?? []).length > 0;
  return message.role === "user" && message.content.some(({ type }) => type === "image");
}
