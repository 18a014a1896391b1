// Collects one streamed response into a message.
import type {
  AssistantMessage,
  FinishReason,
  ModelConnection,
  ModelFailure,
  ModelRequest,
  StreamPart,
  ToolCallPart,
  Usage,
} from "@codelia/shared-types";
import type { EmitEvent } from "../events/index.ts";

export interface Response {
  readonly message: AssistantMessage;
  readonly usage: Usage | undefined;
  readonly outcome: { readonly finish: FinishReason } | { readonly failure: ModelFailure };
}

/** @effects one request; deltas are emitted as they come */
export async function collectResponse(
  connection: ModelConnection,
  request: ModelRequest,
  signal: AbortSignal,
  emit: EmitEvent,
): Promise<Response> {
  let draft = new Draft();
  let usage: Usage | undefined;
  for await (const part of connection.stream(request, signal)) {
    if (part.type === "restart") {
      draft = new Draft();
      usage = undefined;
      emit({ type: "turn.restarted", attempt: part.attempt, failure: part.failure, delayMs: part.delayMs });
    } else if (part.type === "usage") usage = part.usage;
    else if (part.type === "finish")
      return { message: draft.message(), usage, outcome: { finish: part.reason } };
    else if (part.type === "failure")
      return { message: draft.message(), usage, outcome: { failure: part.failure } };
    else {
      if (part.type === "text_delta") emit({ type: "text.delta", text: part.text });
      if (part.type === "reasoning_delta") emit({ type: "reasoning.delta", text: part.text });
      draft.add(part);
    }
  }
  const failure: ModelFailure = {
    kind: "ConnectionError",
    message: "the response ended without an end",
    retryable: true,
  };
  return { message: draft.message(), usage, outcome: { failure } };
}

type ContentPart = Exclude<StreamPart, { type: "restart" | "usage" | "finish" | "failure" }>;
type Content = AssistantMessage["content"];

class Draft {
  readonly #content: Content = [];
  #open: { type: "text" | "reasoning"; text: string } | undefined;

  add(part: ContentPart): void {
    switch (part.type) {
      case "text_delta":
      case "reasoning_delta":
        this.#append(part.type === "text_delta" ? "text" : "reasoning", part.text);
        break;
      case "text_end":
        this.#close(part.providerData);
        break;
      case "reasoning_end":
        // Redacted reasoning has no text, and still has to go back to its provider.
        if (this.#open?.type !== "reasoning" && part.providerData !== undefined)
          this.#append("reasoning", "");
        this.#close(part.providerData);
        break;
      case "tool_call":
        this.#close();
        this.#content.push(toolCall(part));
        break;
      case "tool_call_start":
      case "tool_call_delta":
        // The whole call follows; until then there is nothing to act on.
        break;
    }
  }

  message(): AssistantMessage {
    this.#close();
    return { role: "assistant", content: this.#content };
  }

  #append(type: "text" | "reasoning", text: string): void {
    if (this.#open?.type !== type) this.#close();
    this.#open = { type, text: (this.#open?.text ?? "") + text };
  }

  #close(providerData?: Record<string, unknown>): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    this.#content.push({ ...open, ...(providerData === undefined ? {} : { providerData }) });
  }
}

function toolCall(part: Extract<StreamPart, { type: "tool_call" }>): ToolCallPart {
  const { id, name, providerData } = part;
  return {
    type: "tool_call",
    id,
    name,
    arguments: part.arguments,
    ...(providerData === undefined ? {} : { providerData }),
  };
}
