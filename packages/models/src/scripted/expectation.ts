// What a turn expects of the request that it answers.
import type { Message, ModelRequest } from "@codelia/shared-types";
import { quoted } from "./quoted.ts";
import type { ScriptExpectation } from "./schema.ts";

/** @output what was expected and what came, in words; undefined when all holds */
export function mismatch(expectation: ScriptExpectation, request: ModelRequest): string | undefined {
  const subjects = [
    ["the last tool output", expectation.last_tool_output_contains, lastToolOutput],
    ["the last user message", expectation.last_user_contains, lastUserText],
    ["the request", expectation.request_contains, wholeText],
  ] as const;
  for (const [subject, expected, read] of subjects) {
    if (expected === undefined) continue;
    const text = read(request);
    const missing = [expected].flat().find((needle) => !text?.includes(needle));
    if (missing === undefined) continue;
    const came = text === undefined ? "there is none" : `it is ${quoted(text)}`;
    return `expected ${subject} to contain ${quoted(missing)}, but ${came}`;
  }
  return undefined;
}

export function lastToolOutput({ messages }: ModelRequest): string | undefined {
  const last = messages.findLast((message) => message.role === "tool");
  return last?.role === "tool" ? last.output : undefined;
}

function lastUserText({ messages }: ModelRequest): string | undefined {
  const last = messages.findLast((message) => message.role === "user");
  return last === undefined ? undefined : textOf(last);
}

/** What was said before the first answer; it is the same in every request of a session. */
export function firstUserText({ messages }: ModelRequest): string {
  const answered = messages.findIndex(({ role }) => role === "assistant");
  const asked = answered < 0 ? messages : messages.slice(0, answered);
  return asked.flatMap((message) => (message.role === "user" ? [textOf(message)] : [])).join("\n");
}

export function containsAll(text: string, expected: string | readonly string[]): boolean {
  return [expected].flat().every((needle) => text.includes(needle));
}

function wholeText({ tools, messages }: ModelRequest): string {
  const definitions = tools.map(
    ({ name, description, parameters }) => `${name}\n${description}\n${JSON.stringify(parameters)}`,
  );
  return [...definitions, ...messages.map(textOf)].join("\n");
}

function textOf(message: Message): string {
  switch (message.role) {
    case "system":
      return message.text;
    case "tool":
      return message.output;
    case "user":
      return message.content.map((part) => (part.type === "text" ? part.text : part.mediaType)).join("\n");
    case "assistant":
      return message.content
        .map((part) => (part.type === "tool_call" ? `${part.name} ${part.arguments}` : part.text))
        .join("\n");
  }
}
