// What a connection sends: the conversation, whole and in order, in each provider's published format.
import { expect, test } from "bun:test";
import { conversation, image, send, tools } from "./conversation.ts";
import { wireOf } from "./wire/index.ts";

const schema = { properties: { path: { type: "string" } }, required: ["path"], type: "object" };
const mark = { cache_control: { type: "ephemeral" } };

test("Anthropic gets signatures, error marks and three cache marks", async () => {
  const wire = wireOf.anthropic;
  const { bodies } = await send(wire, {
    messages: conversation(wire),
    tools,
    maxOutputTokens: 500,
    cacheKey: "s1",
  });
  const source = { type: "base64", media_type: "image/png", data: image };
  expect(bodies).toEqual([
    {
      model: wire.model,
      max_tokens: 500,
      system: [
        { type: "text", text: "Base.\r\n  Kept as it is.\t" },
        { type: "text", text: "Environment 世界" },
        { type: "text", text: "<agents_context>\n</agents_context>", ...mark },
      ],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image", source, ...mark },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "c2ln" },
            { type: "text", text: "I look." },
            { type: "tool_use", id: "call_a", name: "read", input: { path: "a.png" } },
            { type: "tool_use", id: "call_b", name: "read", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_a", content: "an image, see below" },
            { type: "tool_result", tool_use_id: "call_b", content: "arguments are no JSON", is_error: true },
            { type: "image", source, ...mark },
          ],
        },
      ],
      tools: [
        { name: "read", description: "Reads a file.", input_schema: schema, eager_input_streaming: true },
      ],
      tool_choice: { type: "auto" },
      stream: true,
    },
  ]);
});

test("OpenAI gets encrypted reasoning, the model's own bytes as arguments, and the cache key", async () => {
  const wire = wireOf.openai;
  const { bodies } = await send(wire, {
    messages: conversation(wire),
    tools,
    maxOutputTokens: 500,
    cacheKey: "s1",
  });
  const input_image = { type: "input_image", image_url: `data:image/png;base64,${image}` };
  expect(bodies).toEqual([
    {
      model: wire.model,
      input: [
        { role: "developer", content: "Base.\r\n  Kept as it is.\t" },
        { role: "developer", content: "Environment 世界" },
        { role: "developer", content: "<agents_context>\n</agents_context>" },
        { role: "user", content: [{ type: "input_text", text: "What is this?" }, input_image] },
        {
          type: "reasoning",
          id: "rs_0",
          encrypted_content: "c2ln",
          summary: [{ type: "summary_text", text: "hm" }],
        },
        { role: "assistant", content: "I look." },
        { type: "function_call", call_id: "call_a", name: "read", arguments: '{"path": "a.png"}' },
        { type: "function_call", call_id: "call_b", name: "read", arguments: "{}" },
        { type: "function_call_output", call_id: "call_a", output: "an image, see below" },
        { type: "function_call_output", call_id: "call_b", output: "arguments are no JSON" },
        { role: "user", content: [input_image] },
      ],
      max_output_tokens: 500,
      store: false,
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "s1",
      tools: [
        { type: "function", name: "read", description: "Reads a file.", parameters: schema, strict: false },
      ],
      tool_choice: "auto",
      stream: true,
    },
  ]);
});

test("Google gets thought signatures, call ids and errors as errors", async () => {
  const wire = wireOf.google;
  const { bodies } = await send(wire, {
    messages: conversation(wire),
    tools,
    maxOutputTokens: 500,
    cacheKey: "s1",
  });
  const inlineData = { mimeType: "image/png", data: image };
  expect(bodies).toEqual([
    {
      generationConfig: { maxOutputTokens: 500 },
      systemInstruction: {
        parts: [
          { text: "Base.\r\n  Kept as it is.\t" },
          { text: "Environment 世界" },
          { text: "<agents_context>\n</agents_context>" },
        ],
      },
      contents: [
        { role: "user", parts: [{ text: "What is this?" }, { inlineData }] },
        {
          role: "model",
          parts: [
            { text: "hm", thought: true, thoughtSignature: "c2ln" },
            { text: "I look." },
            {
              functionCall: { id: "call_a", name: "read", args: { path: "a.png" } },
              thoughtSignature: "signature of read",
            },
            { functionCall: { id: "call_b", name: "read", args: {} } },
          ],
        },
        {
          role: "user",
          parts: [
            {
              functionResponse: {
                id: "call_a",
                name: "read",
                response: { name: "read", content: "an image, see below" },
              },
            },
            {
              functionResponse: {
                id: "call_b",
                name: "read",
                response: { name: "read", error: "arguments are no JSON" },
              },
            },
          ],
        },
        { role: "user", parts: [{ inlineData }] },
      ],
      tools: [
        {
          functionDeclarations: [
            { name: "read", description: "Reads a file.", parametersJsonSchema: schema },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "AUTO" } },
    },
  ]);
});

test("a compatible server gets plain chat messages, its reasoning included", async () => {
  const wire = wireOf.chat;
  const { bodies } = await send(wire, {
    messages: conversation(wire),
    tools,
    maxOutputTokens: 500,
    cacheKey: "s1",
  });
  const image_url = { url: `data:image/png;base64,${image}` };
  const call = (id: string, text: string) => ({
    id,
    type: "function",
    function: { name: "read", arguments: text },
  });
  expect(bodies).toEqual([
    {
      model: wire.model,
      max_tokens: 500,
      messages: [
        { role: "system", content: "Base.\r\n  Kept as it is.\t" },
        { role: "system", content: "Environment 世界" },
        { role: "system", content: "<agents_context>\n</agents_context>" },
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url },
          ],
        },
        {
          role: "assistant",
          content: "I look.",
          reasoning_content: "hm",
          tool_calls: [call("call_a", '{"path": "a.png"}'), call("call_b", "{}")],
        },
        { role: "tool", tool_call_id: "call_a", content: "an image, see below" },
        { role: "tool", tool_call_id: "call_b", content: "arguments are no JSON" },
        { role: "user", content: [{ type: "image_url", image_url }] },
      ],
      tools: [
        { type: "function", function: { name: "read", description: "Reads a file.", parameters: schema } },
      ],
      tool_choice: "auto",
      stream: true,
      stream_options: { include_usage: true },
    },
  ]);
});
