// Google generateContent: the request's published format, and answers in its events.
import type { GenerateContentRequest } from "@google/generative-ai";
import { z } from "zod";
import { events } from "./server.ts";
import type { Answer, AnswerPart, Wire } from "./wire.ts";

const filled = z.string().min(1);
const thoughtSignature = z.string().exactOptional();
// The official client that installs without a script is an older one: ids, thoughts and signatures, and tools described
// by JSON Schema came to the format after it.
const Text = z.strictObject({ text: z.string(), thought: z.literal(true).exactOptional(), thoughtSignature });
const Inline = z.strictObject({ inlineData: z.strictObject({ mimeType: filled, data: z.base64() }) });
const Call = z.strictObject({
  functionCall: z.strictObject({ id: filled, name: filled, args: z.record(z.string(), z.unknown()) }),
  thoughtSignature,
});
const CallResponse = z.strictObject({
  functionResponse: z.strictObject({
    id: filled,
    name: filled,
    response: z.union([
      z.strictObject({ name: filled, content: z.string() }),
      z.strictObject({ name: filled, error: z.string() }),
    ]),
  }),
});

export const GoogleRequestSchema = z.strictObject({
  generationConfig: z
    .strictObject({ maxOutputTokens: z.number().int().positive().exactOptional() })
    .exactOptional(),
  contents: z
    .array(
      z.discriminatedUnion("role", [
        z.strictObject({
          role: z.literal("user"),
          parts: z.array(z.union([Text, Inline, CallResponse])).min(1),
        }),
        z.strictObject({ role: z.literal("model"), parts: z.array(z.union([Text, Call])).min(1) }),
      ]),
    )
    .min(1),
  systemInstruction: z.strictObject({ parts: z.array(z.strictObject({ text: filled })) }).exactOptional(),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z.array(
          z.strictObject({
            name: filled,
            description: z.string(),
            parametersJsonSchema: z.looseObject({ type: z.literal("object") }),
          }),
        ),
      }),
    )
    .exactOptional(),
  toolConfig: z
    .strictObject({ functionCallingConfig: z.strictObject({ mode: z.literal("AUTO") }) })
    .exactOptional(),
});

type Request = z.infer<typeof GoogleRequestSchema>;
type Turns = Pick<GenerateContentRequest, "contents" | "generationConfig" | "tools">;

/** Compiles only while everything that the schema accepts has the shape that the official client sends. */
export const official = (request: Pick<Request, "contents" | "generationConfig" | "tools">): Turns => request;

function parts(part: AnswerPart): object[] {
  if (part.type === "text") return part.deltas.map((text) => ({ text }));
  if (part.type === "reasoning") {
    const last = part.deltas.length - 1;
    return part.deltas.map((text, index) => ({
      text,
      thought: true,
      ...(index === last ? { thoughtSignature: part.signature } : {}),
    }));
  }
  return [
    {
      functionCall: {
        ...(part.id === "" ? {} : { id: part.id }),
        name: part.name,
        args: z.json().parse(JSON.parse(part.arguments)),
      },
      thoughtSignature: `signature of ${part.name}`,
    },
  ];
}

const reasons = { stop: "STOP", tool_calls: "STOP", length: "MAX_TOKENS" };

function answerEvents(answer: Answer): object[] {
  const { usage } = answer;
  const chunk = (part: object) => ({ candidates: [{ index: 0, content: { role: "model", parts: [part] } }] });
  return [
    ...answer.parts.flatMap(parts).map(chunk),
    {
      candidates: [{ index: 0, content: { role: "model", parts: [] }, finishReason: reasons[answer.finish] }],
      usageMetadata: {
        promptTokenCount: usage.inputTokens,
        cachedContentTokenCount: usage.cachedInputTokens,
        candidatesTokenCount: usage.outputTokens,
        totalTokenCount: usage.inputTokens + usage.outputTokens,
      },
    },
  ];
}

const troubles = {
  auth: [400, "INVALID_ARGUMENT"],
  rate: [429, "RESOURCE_EXHAUSTED"],
  overloaded: [503, "UNAVAILABLE"],
  overflow: [400, "INVALID_ARGUMENT"],
  invalid: [400, "INVALID_ARGUMENT"],
} as const;

export const googleWire: Wire = {
  kind: "google",
  model: "gemini-2.5-pro",
  basePath: "/v1beta",
  path: "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
  keyHeader: "x-goog-api-key",
  schema: GoogleRequestSchema,
  events: answerEvents,
  endEvents: 1,
  write: (values) => events(values, false),
  trouble: (trouble, said) => {
    const [code, status] = troubles[trouble];
    // Google has no code for a prompt that is too long; a wrong key is an invalid argument with a reason.
    const message =
      trouble === "overflow"
        ? `The input token count (9) exceeds the maximum number of tokens allowed (8). ${said}`
        : said;
    const details =
      trouble === "auth"
        ? [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }]
        : [];
    return { status: code, body: JSON.stringify({ error: { code, message, status, details } }) };
  },
  data: (part) => {
    if (part.type === "text") return undefined;
    return {
      google: { thoughtSignature: part.type === "tool" ? `signature of ${part.name}` : part.signature },
    };
  },
  callsAtEnd: false,
};
