// Asks the model itself for a summary: the conversation as it stands, and one question behind it.
import type {
  AssistantMessage,
  FinishReason,
  Message,
  ModelConnection,
  ModelRequest,
  Usage,
  UserMessage,
} from "@codelia/shared-types";
import { collectResponse } from "../response/index.ts";

export type SummaryOutcome =
  | { readonly outcome: "summary"; readonly text: string; readonly usage: Usage | undefined }
  | { readonly outcome: "overflow"; readonly usage: Usage | undefined }
  | { readonly outcome: "aborted" }
  | { readonly outcome: "failed"; readonly reason: string; readonly usage: Usage | undefined };

export const summaryQuestion: UserMessage = {
  role: "user",
  content: [
    {
      type: "text",
      text: `The conversation is about to be compacted: what came before will be left out, and your answer will stand for it. Write it for yourself, call no tools. The user's messages are kept verbatim beside it, so do not repeat them. State, as short as it can be without losing anything that is needed to go on:
- what was done so far, with exact paths, names, commands and their results
- what was found out: causes, decisions with their reasons, what was tried and did not work
- what is under way and what comes next
- rules and wishes that have to be kept
Everything an earlier summary says that still matters belongs in it too.`,
    },
  ],
};

/** The same start as every other request, so that the provider finds its cache. */
export async function requestSummary(
  connection: ModelConnection,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<SummaryOutcome> {
  const { message, usage, outcome } = await collectResponse(connection, request, signal, () => undefined);
  if ("failure" in outcome) {
    const { kind, message: reason } = outcome.failure;
    if (kind === "Aborted" || signal.aborted) return { outcome: "aborted" };
    if (kind === "ContextOverflow") return { outcome: "overflow", usage };
    return { outcome: "failed", reason: `${kind}: ${reason}`, usage };
  }
  const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const fault = faultOf(outcome.finish, message, text);
  if (fault !== undefined) return { outcome: "failed", reason: fault, usage };
  return { outcome: "summary", text: text.trim(), usage };
}

/** Half a summary would stand for the whole conversation from now on. */
function faultOf(finish: FinishReason, { content }: AssistantMessage, text: string): string | undefined {
  if (finish === "length") return "the summary was cut at the model's output limit";
  if (finish === "content_filter") return "the provider withheld the summary";
  if (content.some(({ type }) => type === "tool_call"))
    return "the model called a tool instead of summing up";
  return text.trim() === "" ? "the model gave no summary" : undefined;
}

/** Outputs, answers and arguments cut to `maxCharacters` each, for a request that would not fit otherwise. */
export function cutForSummary(messages: readonly Message[], maxCharacters: number): Message[] {
  const cut = (value: string) =>
    value.length <= maxCharacters ? value : `${value.slice(0, maxCharacters).toWellFormed()}\n[…]`;
  return messages.map((message) => {
    if (message.role === "tool") return { ...message, output: cut(message.output) };
    if (message.role !== "assistant") return message;
    const content = message.content.map((part) => {
      if (part.type === "text") return { ...part, text: cut(part.text) };
      if (part.type !== "tool_call" || part.arguments.length <= maxCharacters) return part;
      // Providers take nothing but an object.
      return { ...part, arguments: JSON.stringify({ cut: cut(part.arguments) }) };
    });
    return { ...message, content };
  });
}
