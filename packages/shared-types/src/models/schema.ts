// The connection contract: a request as data in, a stream of typed parts out, failures as values.
import { z } from "zod";
import { MessageSchema } from "../messages/index.ts";

export const ToolDefinitionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  /** JSON Schema of the arguments. */
  parameters: z.record(z.string(), z.unknown()),
});

export const ModelRequestSchema = z.strictObject({
  /** System messages first; the same bytes on every request of a session. */
  messages: z.array(MessageSchema),
  tools: z.array(ToolDefinitionSchema),
  maxOutputTokens: z.number().int().positive().optional(),
  /** Stable for a session: lets a provider find its prompt cache. */
  cacheKey: z.string().optional(),
});

export const UsageSchema = z.strictObject({
  /** All input tokens, cached ones included. */
  inputTokens: z.number().nonnegative(),
  cachedInputTokens: z.number().nonnegative(),
  cacheWriteTokens: z.number().nonnegative(),
  outputTokens: z.number().nonnegative(),
});

export const ModelFailureSchema = z.strictObject({
  kind: z.enum([
    "ConnectionError",
    "RateLimitError",
    "SessionExpired",
    "ContextOverflow",
    "AuthError",
    "InvalidRequest",
    "Aborted",
  ]),
  /** In words, without keys or other secrets. */
  message: z.string(),
  status: z.number().int().optional(),
  /** From Retry-After. */
  retryAfterMs: z.number().nonnegative().optional(),
  /** Trying the same request again may help. */
  retryable: z.boolean(),
});

export const FinishReasonSchema = z.enum(["stop", "tool_calls", "length", "content_filter", "other"]);

const providerData = z.record(z.string(), z.unknown()).optional();

/**
 * One response. Text and reasoning arrive in deltas and end with their `*_end`; a tool call is announced, may arrive
 * in deltas and ends whole. The last part is always `finish` or `failure`, and there is exactly one of them.
 * `restart` means: forget what came before in this response, it is sent anew.
 */
export const StreamPartSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text_delta"), text: z.string() }),
  z.strictObject({ type: z.literal("text_end"), providerData }),
  z.strictObject({ type: z.literal("reasoning_delta"), text: z.string() }),
  z.strictObject({ type: z.literal("reasoning_end"), providerData }),
  z.strictObject({ type: z.literal("tool_call_start"), id: z.string(), name: z.string() }),
  z.strictObject({ type: z.literal("tool_call_delta"), id: z.string(), delta: z.string() }),
  z.strictObject({
    type: z.literal("tool_call"),
    id: z.string(),
    name: z.string(),
    arguments: z.string(),
    providerData,
  }),
  z.strictObject({ type: z.literal("usage"), usage: UsageSchema }),
  z.strictObject({
    type: z.literal("restart"),
    attempt: z.number().int(),
    failure: ModelFailureSchema,
    delayMs: z.number(),
  }),
  z.strictObject({ type: z.literal("finish"), reason: FinishReasonSchema }),
  z.strictObject({ type: z.literal("failure"), failure: ModelFailureSchema }),
]);
