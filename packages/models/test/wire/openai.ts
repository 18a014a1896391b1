// OpenAI Responses: the request's published format, and answers in its events.
import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import { z } from "zod";
import { events } from "./server.ts";
import type { Answer, AnswerPart, Wire } from "./wire.ts";

const filled = z.string().min(1);
const Instruction = z.strictObject({ role: z.enum(["system", "developer"]), content: filled });
const User = z.strictObject({
  role: z.literal("user"),
  content: z
    .array(
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("input_text"), text: filled }),
        z.strictObject({
          type: z.literal("input_image"),
          image_url: z.string().regex(/^data:image\/\w+;base64,[A-Za-z0-9+/]+=*$/),
          // The published types insist on it, the API does not.
          detail: z.literal("auto").default("auto"),
        }),
      ]),
    )
    .min(1),
});
const Assistant = z.strictObject({ role: z.literal("assistant"), content: filled });
const Reasoning = z.strictObject({
  type: z.literal("reasoning"),
  id: filled,
  encrypted_content: filled,
  summary: z.array(z.strictObject({ type: z.literal("summary_text"), text: z.string() })),
});
const jsonObject = z.string().refine((text) => {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && !Array.isArray(value);
});
const FunctionCall = z.strictObject({
  type: z.literal("function_call"),
  call_id: z.string().min(1).max(64),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  arguments: jsonObject,
});
const FunctionOutput = z.strictObject({
  type: z.literal("function_call_output"),
  call_id: filled,
  output: z.string(),
});

export const OpenAIRequestSchema = z.strictObject({
  model: filled,
  input: z.array(z.union([Instruction, User, Assistant, Reasoning, FunctionCall, FunctionOutput])).min(1),
  max_output_tokens: z.number().int().min(16).exactOptional(),
  store: z.literal(false),
  include: z.array(z.literal("reasoning.encrypted_content")).exactOptional(),
  prompt_cache_key: z.string().max(64).exactOptional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal("function"),
        name: filled,
        description: z.string(),
        parameters: z.looseObject({ type: z.literal("object") }),
        strict: z.boolean(),
      }),
    )
    .exactOptional(),
  tool_choice: z.literal("auto").exactOptional(),
  stream: z.literal(true),
});

/** Compiles only while everything that the schema accepts is a request for the official client. */
export const official = (request: z.infer<typeof OpenAIRequestSchema>): ResponseCreateParamsStreaming =>
  request;

function item(part: AnswerPart, output_index: number): object[] {
  const added = (value: object) => ({ type: "response.output_item.added", output_index, item: value });
  const done = (value: object) => ({ type: "response.output_item.done", output_index, item: value });
  if (part.type === "text") {
    const id = `msg_${output_index}`;
    const message = { type: "message", id, role: "assistant", content: [] };
    const delta = (text: string) => ({
      type: "response.output_text.delta",
      item_id: id,
      output_index,
      content_index: 0,
      delta: text,
    });
    return [added(message), ...part.deltas.map(delta), done(message)];
  }
  if (part.type === "reasoning") {
    const id = `rs_${output_index}`;
    const about = { item_id: id, output_index, summary_index: 0 };
    return [
      added({ type: "reasoning", id, summary: [], encrypted_content: null }),
      { type: "response.reasoning_summary_part.added", ...about },
      ...part.deltas.map((delta) => ({ type: "response.reasoning_summary_text.delta", ...about, delta })),
      { type: "response.reasoning_summary_part.done", ...about },
      done({ type: "reasoning", id, summary: [], encrypted_content: part.signature }),
    ];
  }
  const call = { type: "function_call", id: `fc_${output_index}`, call_id: part.id, name: part.name };
  return [
    added({ ...call, arguments: "" }),
    {
      type: "response.function_call_arguments.delta",
      item_id: call.id,
      output_index,
      delta: part.arguments,
    },
    done({ ...call, arguments: part.arguments, status: "completed" }),
  ];
}

function answerEvents({ parts, finish, usage }: Answer): object[] {
  const response = { id: "resp_1", created_at: 1, model: "gpt-test" };
  const incomplete = finish === "length";
  return [
    { type: "response.created", response },
    ...parts.flatMap(item),
    {
      type: incomplete ? "response.incomplete" : "response.completed",
      response: {
        ...response,
        incomplete_details: incomplete ? { reason: "max_output_tokens" } : null,
        usage: {
          input_tokens: usage.inputTokens,
          input_tokens_details: {
            cached_tokens: usage.cachedInputTokens,
            cache_write_tokens: usage.cacheWriteTokens,
          },
          output_tokens: usage.outputTokens,
          output_tokens_details: { reasoning_tokens: 0 },
        },
      },
    },
  ];
}

const troubles = {
  auth: [401, "invalid_request_error", "invalid_api_key"],
  rate: [429, "requests", "rate_limit_exceeded"],
  overloaded: [503, "server_error", "server_overloaded"],
  overflow: [400, "invalid_request_error", "context_length_exceeded"],
  invalid: [400, "invalid_request_error", "invalid_value"],
} as const;

export const openaiWire: Wire = {
  kind: "openai",
  model: "gpt-5.1",
  basePath: "/v1",
  path: "/v1/responses",
  keyHeader: "authorization",
  schema: OpenAIRequestSchema,
  events: answerEvents,
  endEvents: 1,
  write: (values) => events(values, true),
  trouble: (trouble, message) => {
    const [status, type, code] = troubles[trouble];
    return { status, body: JSON.stringify({ error: { message, type, param: null, code } }) };
  },
  data: (part, index) => {
    if (part.type === "text") return { openai: { itemId: `msg_${index}` } };
    if (part.type === "tool") return { openai: { itemId: `fc_${index}` } };
    return { openai: { itemId: `rs_${index}`, reasoningEncryptedContent: part.signature } };
  },
  callsAtEnd: false,
};
