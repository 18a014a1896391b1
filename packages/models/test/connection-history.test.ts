// A growing, mixed or odd history: what is sent stays an extension of what was sent, and stays acceptable.
import { describe, expect, test } from "bun:test";
import type { Message } from "@codelia/shared-types";
import { z } from "zod";
import { conversation, send, tools } from "./conversation.ts";
import { wireOf, wires } from "./wire/index.ts";

const mark = { cache_control: { type: "ephemeral" } };

for (const wire of wires) {
  describe(wire.kind, () => {
    test("a longer conversation extends the bytes of the shorter one, cache marks apart", async () => {
      const messages = conversation(wire);
      const { texts } = await send(wire, { messages: messages.slice(0, 4), tools }, { messages, tools });
      const [short = "", long = ""] = texts.map((body) => turnsOf(body));
      expect(long.startsWith(short.slice(0, -1))).toBe(true);
      expect(short.length).toBeGreaterThan(60);
    });

    test("what another provider left in the history is left out, and nothing empty is sent", async () => {
      const foreign = { elsewhere: { signature: "x" } };
      const messages: Message[] = [
        { role: "system", text: "" },
        {
          role: "user",
          content: [
            { type: "text", text: "" },
            { type: "text", text: "one" },
          ],
        },
        { role: "assistant", content: [{ type: "reasoning", text: "secret", providerData: foreign }] },
        { role: "assistant", content: [{ type: "text", text: "", providerData: foreign }] },
        { role: "user", content: [{ type: "text", text: "two" }] },
      ];
      const { texts } = await send(wire, { messages, tools: [] });
      expect(texts[0]?.includes("secret")).toBe(false);
    });

    test("arguments that are JSON but no object, or try to poison a prototype, do no harm", async () => {
      const calls = ["[1]", "null", '"text"', "12", "", '{"__proto__": {"x": 1}}'];
      const messages: Message[] = calls.flatMap((text, index): Message[] => [
        { role: "user", content: [{ type: "text", text: "go" }] },
        {
          role: "assistant",
          content: [{ type: "tool_call", id: `call_${index}`, name: "read", arguments: text }],
        },
        { role: "tool", toolCallId: `call_${index}`, toolName: "read", output: "", isError: true },
      ]);
      await send(wire, { messages, tools });
    });
  });
}

/** The conversation of a request as text, without cache marks. */
function turnsOf(body: string): string {
  const request = z.record(z.string(), z.unknown()).parse(JSON.parse(body));
  const turns = request.messages ?? request.input ?? request.contents;
  return JSON.stringify(turns).replaceAll(`,${JSON.stringify(mark).slice(1, -1)}`, "");
}

test("a cache key that OpenAI would refuse for its length is shortened to a hash of it", async () => {
  const long = "k".repeat(65);
  const request = { messages: conversation(wireOf.openai), tools: [], cacheKey: long };
  const { bodies } = await send(wireOf.openai, request, request);
  const { prompt_cache_key } = z.looseObject({ prompt_cache_key: z.string() }).parse(bodies[0]);
  expect(prompt_cache_key).toMatch(/^[0-9a-f]{64}$/);
  expect(bodies[1]).toEqual(bodies[0]);
});

test("a late system message is told as the user's where instructions are possible only at the beginning", async () => {
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: "one" }] },
    { role: "system", text: "late" },
  ];
  const { bodies } = await send(wireOf.google, { messages, tools: [] });
  expect(bodies).toEqual([
    {
      generationConfig: {},
      contents: [
        { role: "user", parts: [{ text: "one" }] },
        { role: "user", parts: [{ text: "late" }] },
      ],
    },
  ]);
});
