// The adapters' stream in our form: deltas, ends with the provider's data, whole tool calls, usage, the reason to stop.
import type {
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { FinishReason, Message, ProviderKind, StreamPart, Usage } from "@codelia/shared-types";
import { z } from "zod";
import { TransportError } from "../failures/index.ts";
import { ToolIds } from "./tool-ids.ts";
import { isUnknownEvent } from "./unknown-events.ts";

type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;
type ProviderData = Record<string, unknown>;

const WireToolCallsSchema = z.looseObject({
  choices: z.array(
    z.looseObject({
      delta: z
        .looseObject({ tool_calls: z.array(z.looseObject({ id: z.string().nullish() })).nullish() })
        .nullish(),
    }),
  ),
});

export class PartTranslator {
  readonly #kind: ProviderKind;
  readonly #ids: ToolIds;
  readonly #wireIds: Set<string> | undefined;
  /** Block that is open, with the data its parts brought. */
  #block:
    | { readonly kind: "text" | "reasoning"; readonly id: string; data: ProviderData | undefined }
    | undefined;
  #toolCalls = 0;

  constructor(messages: readonly Message[], kind: ProviderKind) {
    this.#kind = kind;
    this.#wireIds = kind === "openai-compatible" ? new Set() : undefined;
    this.#ids = new ToolIds(messages, this.#wireIds);
  }

  /**
   * @output what the part means to us, in order; nothing for parts we have no use for
   * @error  throws what the stream reported as an error
   */
  translate(part: LanguageModelV4StreamPart): StreamPart[] {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        return this.#startBlock(
          part.type === "text-start" ? "text" : "reasoning",
          part.id,
          part.providerMetadata,
        );
      case "text-delta":
      case "reasoning-delta": {
        const kind = part.type === "text-delta" ? "text" : "reasoning";
        const start = this.#inBlock(kind, part.id) ? [] : this.#startBlock(kind, part.id, undefined);
        this.#keep(part.providerMetadata);
        return part.delta === "" ? start : [...start, { type: `${kind}_delta`, text: part.delta }];
      }
      case "text-end":
      case "reasoning-end": {
        const kind = part.type === "text-end" ? "text" : "reasoning";
        if (!this.#inBlock(kind, part.id)) return [];
        this.#keep(part.providerMetadata);
        return this.#endBlock();
      }
      case "tool-input-start":
        if (part.providerExecuted) return [];
        // One adapter ends its text only with the whole answer; a call comes after what was said before it.
        return [
          ...this.#endBlock(),
          { type: "tool_call_start", id: this.#ids.start(part.id), name: part.toolName },
        ];
      case "tool-input-delta": {
        const id = this.#ids.current(part.id);
        return id === undefined || part.delta === ""
          ? []
          : [{ type: "tool_call_delta", id, delta: part.delta }];
      }
      case "tool-call":
        return part.providerExecuted ? [] : this.#toolCall(part);
      case "raw":
        this.#seeIds(part.rawValue);
        return [];
      case "finish":
        return this.#finish(part);
      case "error":
        if (isUnknownEvent(part.error, this.#kind)) return [];
        throw part.error;
      case "tool-input-end":
      case "tool-result":
      case "tool-approval-request":
      case "source":
      case "file":
      case "reasoning-file":
      case "custom":
      case "ping":
      case "response-metadata":
      case "stream-start":
        return [];
    }
  }

  #inBlock(kind: "text" | "reasoning", id: string): boolean {
    return this.#block?.kind === kind && this.#block.id === id;
  }

  #startBlock(
    kind: "text" | "reasoning",
    id: string,
    data: SharedV4ProviderMetadata | undefined,
  ): StreamPart[] {
    const ended = this.#endBlock();
    this.#block = { kind, id, data: undefined };
    this.#keep(data);
    return ended;
  }

  /** A signature may come with any part of a block. */
  #keep(metadata: SharedV4ProviderMetadata | undefined): void {
    if (this.#block) this.#block.data = merged(this.#block.data, metadata);
  }

  #endBlock(): StreamPart[] {
    const block = this.#block;
    this.#block = undefined;
    return block ? [{ type: `${block.kind}_end`, ...dataOf(block.data) }] : [];
  }

  #toolCall(part: Extract<LanguageModelV4StreamPart, { type: "tool-call" }>): StreamPart[] {
    this.#toolCalls += 1;
    const { toolName: name } = part;
    const announced = this.#ids.end(part.toolCallId);
    const id = announced ?? this.#ids.start(part.toolCallId);
    if (announced === undefined) this.#ids.end(part.toolCallId);
    const start: StreamPart[] = announced === undefined ? [{ type: "tool_call_start", id, name }] : [];
    // No text at all is how servers write "no arguments".
    const text = part.input.trim() === "" ? "{}" : part.input;
    const data = dataOf(merged(undefined, part.providerMetadata));
    return [...this.#endBlock(), ...start, { type: "tool_call", id, name, arguments: text, ...data }];
  }

  #seeIds(raw: unknown): void {
    if (this.#wireIds === undefined) return;
    const parsed = WireToolCallsSchema.safeParse(raw);
    for (const { delta } of parsed.data?.choices ?? []) {
      for (const { id } of delta?.tool_calls ?? []) if (id) this.#wireIds.add(id);
    }
  }

  #finish({ usage, finishReason }: Finish): StreamPart[] {
    const { unified, raw } = finishReason;
    if (unified === "interrupted") throw endedEarly();
    if (unified === "error") {
      const reason = raw === undefined ? "" : `: ${raw}`;
      throw new TransportError(`the model stopped with an error${reason}`, "ConnectionError", true);
    }
    // Some servers say "stop" although they call tools.
    const called = unified === "stop" && this.#toolCalls > 0;
    const parts = this.#endBlock();
    const counted = usageOf(usage);
    if (counted) parts.push({ type: "usage", usage: counted });
    parts.push({ type: "finish", reason: called ? "tool_calls" : reasons[unified] });
    return parts;
  }
}

const reasons: Readonly<Record<"stop" | "length" | "content-filter" | "tool-calls" | "other", FinishReason>> =
  {
    stop: "stop",
    length: "length",
    "content-filter": "content_filter",
    "tool-calls": "tool_calls",
    other: "other",
  };

/** What a stream is that just ends. */
export function endedEarly(): TransportError {
  return new TransportError("the answer ended before it was complete", "ConnectionError", true);
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  return {
    inputTokens: count(inputTokens.total),
    cachedInputTokens: count(inputTokens.cacheRead),
    cacheWriteTokens: count(inputTokens.cacheWrite),
    outputTokens: count(outputTokens.total),
  };
}

/** Servers have sent negative and missing counts. */
function count(tokens: number | undefined): number {
  return tokens !== undefined && Number.isFinite(tokens) ? Math.max(0, tokens) : 0;
}

function merged(
  data: ProviderData | undefined,
  metadata: SharedV4ProviderMetadata | undefined,
): ProviderData | undefined {
  if (metadata === undefined) return data;
  const result: ProviderData = { ...data };
  for (const [provider, values] of Object.entries(metadata)) {
    const before = result[provider];
    const known = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
    if (known.length === 0) continue;
    result[provider] = { ...(typeof before === "object" ? before : {}), ...Object.fromEntries(known) };
  }
  return result;
}

function dataOf(data: ProviderData | undefined): { providerData?: ProviderData } {
  return data === undefined || Object.keys(data).length === 0 ? {} : { providerData: data };
}
