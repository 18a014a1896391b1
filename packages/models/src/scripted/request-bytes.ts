// A request in one canonical form, so that two requests can be compared byte by byte.
import type { Message, ModelRequest } from "@codelia/shared-types";

export interface RequestLines {
  readonly tools: readonly string[];
  readonly messages: readonly string[];
}

/**
 * One JSON text for each tool and each message. The keys of our own shapes are sorted; what only a provider reads
 * (parameters, provider data) keeps its order, because there a changed order is a changed prompt.
 */
export function requestLines({ tools, messages }: Pick<ModelRequest, "tools" | "messages">): RequestLines {
  return {
    tools: tools.map((tool) => JSON.stringify(sorted(tool))),
    messages: messages.map(messageLine),
  };
}

/**
 * Tools first, then the messages in order, a line each: a request that only grew at its tail is a byte-prefix
 * extension of the one before. Limits and cache keys are no part of the prompt and left out.
 *
 * @error throws what JSON.stringify throws, when provider data or parameters are no JSON
 */
export function requestBytes(request: Pick<ModelRequest, "tools" | "messages">): Uint8Array {
  const { tools, messages } = requestLines(request);
  return new TextEncoder().encode([...tools, ...messages].map((line) => `${line}\n`).join(""));
}

/** How many leading bytes are the same. */
export function commonPrefixLength(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  let length = 0;
  while (length < end && a[length] === b[length]) length += 1;
  return length;
}

function messageLine(message: Message): string {
  if (message.role === "system" || message.role === "tool") return JSON.stringify(sorted(message));
  const content = message.content.map((part) => sorted(part));
  return JSON.stringify(sorted({ ...message, content }));
}

function sorted(shape: object): object {
  return Object.fromEntries(Object.entries(shape).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
