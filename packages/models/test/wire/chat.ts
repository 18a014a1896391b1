// OpenAI chat completions, as compatible servers speak it: the request's published format, and answers in its events.
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { z } from "zod";
import { events } from "./server.ts";
import type { Answer, AnswerPart, Wire } from "./wire.ts";

const filled = z.string().min(1);
const TextContent = z.strictObject({ type: z.literal("text"), text: filled });
const ImageContent = z.strictObject({
  type: z.literal("image_url"),
  image_url: z.strictObject({ url: z.string().regex(/^data:image\/\w+;base64,[A-Za-z0-9+/]+=*$/) }),
});
const jsonObject = z.string().refine((text) => {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && !Array.isArray(value);
});

export const ChatRequestSchema = z.strictObject({
  model: filled,
  max_tokens: z.number().int().positive().exactOptional(),
  messages: z
    .array(
      z.discriminatedUnion("role", [
        z.strictObject({ role: z.literal("system"), content: filled }),
        z.strictObject({
          role: z.literal("user"),
          content: z.union([filled, z.array(z.union([TextContent, ImageContent])).min(1)]),
        }),
        z.strictObject({
          role: z.literal("assistant"),
          content: filled.nullable(),
          // Not of OpenAI's own format: servers with reasoning models want it back.
          reasoning_content: filled.exactOptional(),
          tool_calls: z
            .array(
              z.strictObject({
                id: filled,
                type: z.literal("function"),
                function: z.strictObject({ name: filled, arguments: jsonObject }),
              }),
            )
            .min(1)
            .exactOptional(),
        }),
        z.strictObject({ role: z.literal("tool"), tool_call_id: filled, content: z.string() }),
      ]),
    )
    .min(1),
  tools: z
    .array(
      z.strictObject({
        type: z.literal("function"),
        function: z.strictObject({
          name: filled,
          description: z.string(),
          parameters: z.looseObject({ type: z.literal("object") }),
        }),
      }),
    )
    .exactOptional(),
  tool_choice: z.literal("auto").exactOptional(),
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.literal(true) }),
});

/** Compiles only while everything that the schema accepts is a request for the official client. */
export const official = (request: z.infer<typeof ChatRequestSchema>): ChatCompletionCreateParamsStreaming =>
  request;

const frame = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "local" };

function deltas(part: AnswerPart, index: number): object[] {
  if (part.type === "text") return part.deltas.map((content) => ({ content }));
  if (part.type === "reasoning") return part.deltas.map((reasoning_content) => ({ reasoning_content }));
  return [
    {
      tool_calls: [
        {
          index,
          ...(part.id === "" ? {} : { id: part.id }),
          type: "function",
          function: { name: part.name, arguments: part.arguments },
        },
      ],
    },
  ];
}

function answerEvents({ parts, finish, usage }: Answer): object[] {
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...frame,
    choices: [{ index: 0, delta, finish_reason }],
  });
  return [
    chunk({ role: "assistant", content: "" }, null),
    ...parts.flatMap(deltas).map((delta) => chunk(delta, null)),
    chunk({}, finish),
    {
      ...frame,
      choices: [],
      usage: {
        prompt_tokens: usage.inputTokens,
        prompt_tokens_details: { cached_tokens: usage.cachedInputTokens },
        completion_tokens: usage.outputTokens,
        total_tokens: usage.inputTokens + usage.outputTokens,
      },
    },
  ];
}

const troubles = {
  auth: [401, "invalid_request_error"],
  rate: [429, "rate_limit_error"],
  overloaded: [503, "unavailable_error"],
  overflow: [400, "exceed_context_size_error"],
  invalid: [400, "invalid_request_error"],
} as const;

export const chatWire: Wire = {
  kind: "openai-compatible",
  model: "qwen3-coder",
  basePath: "/v1",
  path: "/v1/chat/completions",
  keyHeader: "authorization",
  schema: ChatRequestSchema,
  events: answerEvents,
  endEvents: 2,
  write: (values) => `${events(values, false)}data: [DONE]\n\n`,
  trouble: (trouble, message) => {
    const [status, type] = troubles[trouble];
    return { status, body: JSON.stringify({ error: { code: status, message, type } }) };
  },
  data: () => undefined,
  callsAtEnd: true,
};
