// Whatever a model answers survives recording and replay.
import { expect, test } from "bun:test";
import type { ModelConnection, ModelRequest, StreamPart } from "@codelia/shared-types";
import { StreamPartSchema } from "@codelia/shared-types";
import fc from "fast-check";
import { recordModel, replayModel } from "../src/recording/index.ts";

const numRuns = Number(process.env.CODELIA_PROPERTY_RUNS ?? 200);
const signal = new AbortController().signal;

// Any UTF-16, lone surrogates and controls included.
const text = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});
// JSON has no -0, so a provider cannot have sent one.
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));
const providerData = fc.dictionary(text, json);
const figure = fc.nat();
const failure = fc.record(
  {
    kind: fc.constantFrom("ConnectionError", "RateLimitError", "AuthError", "InvalidRequest", "Aborted"),
    message: text,
    status: fc.nat(),
    retryAfterMs: fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => value + 0),
    retryable: fc.boolean(),
  },
  { requiredKeys: ["kind", "message", "retryable"] },
);

const middle: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ type: fc.constantFrom("text_delta", "reasoning_delta"), text }),
  fc.record({ type: fc.constantFrom("text_end", "reasoning_end"), providerData }, { requiredKeys: ["type"] }),
  fc.record({ type: fc.constant("tool_call_start"), id: text, name: text }),
  fc.record({ type: fc.constant("tool_call_delta"), id: text, delta: text }),
  fc.record(
    { type: fc.constant("tool_call"), id: text, name: text, arguments: text, providerData },
    { requiredKeys: ["type", "id", "name", "arguments"] },
  ),
  fc.record({
    type: fc.constant("usage"),
    usage: fc.record({
      inputTokens: figure,
      cachedInputTokens: figure,
      cacheWriteTokens: figure,
      outputTokens: figure,
    }),
  }),
  fc.record({ type: fc.constant("restart"), attempt: fc.nat(), failure, delayMs: figure }),
);
const last: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({
    type: fc.constant("finish"),
    reason: fc.constantFrom("stop", "tool_calls", "length", "other"),
  }),
  fc.record({ type: fc.constant("failure"), failure }),
);
const responses = fc
  .tuple(fc.array(middle), last)
  .map(([before, end]) => [...before, end].map((part) => StreamPartSchema.parse(part)));

const requests: fc.Arbitrary<ModelRequest> = fc
  .array(fc.record({ role: fc.constant("system" as const), text }), { maxLength: 4 })
  .map((messages) => ({ messages, tools: [] }));

function answering(answers: readonly (readonly StreamPart[])[]): ModelConnection {
  const rest = answers.values();
  return {
    id: "random/model",
    contextWindow: undefined,
    async *stream() {
      yield* rest.next().value ?? [];
    },
  };
}

test("any parts survive recording and replay", async () => {
  const exchanges = fc.array(fc.tuple(requests, responses), { maxLength: 4 });
  const property = fc.asyncProperty(exchanges, async (turns) => {
    const lines: string[] = [];
    const sink = { append: async (line: string) => void lines.push(line) };
    const recorder = recordModel(answering(turns.map(([, answer]) => answer)), sink);
    for (const [request] of turns) await Array.fromAsync(recorder.stream(request, signal));
    expect(lines.filter((line) => line.includes("\n"))).toEqual([]);
    if (turns.length === 0) return expect(lines).toEqual([]);

    const sleep = async () => {};
    const replay = replayModel(lines, { speed: "recorded", sleep });
    for (const [request, answer] of turns) {
      const replayed = await Array.fromAsync(replay.stream(request, signal));
      expect(JSON.stringify(replayed)).toBe(JSON.stringify(answer));
      expect(replayed).toEqual(answer);
    }
  });
  await fc.assert(property, { numRuns });
});
