import { describe, expect, test } from "bun:test";
import type { Message, ModelConnection, ModelRequest, StreamPart } from "@codelia/shared-types";
import { createScriptedModel, parseScript, type ScriptExpectation } from "../src/scripted/index.ts";

const signal = new AbortController().signal;

function scripted(turns: readonly unknown[]): ModelConnection {
  const parse = parseScript({ turns }, "demo");
  if (!parse.ok) throw new Error(JSON.stringify(parse.problems));
  return createScriptedModel(parse.script, { sleep: async () => {} });
}

const conversation: Message[] = [
  { role: "system", text: "You help." },
  {
    role: "user",
    content: [
      { type: "text", text: "first" },
      { type: "image", mediaType: "image/png", data: "AAAA" },
      { type: "text", text: "question" },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "let me look" },
      { type: "text", text: "Looking." },
      { type: "tool_call", id: "1", name: "read", arguments: '{"path":"a.ts"}' },
    ],
  },
  { role: "tool", toolCallId: "1", toolName: "read", output: "old output", isError: false },
  { role: "tool", toolCallId: "2", toolName: "read", output: "path: src/b.ts\nline two", isError: true },
];
const tools = [{ name: "read", description: "Reads a file.", parameters: { type: "object" } }];
const request: ModelRequest = { messages: conversation, tools };

const ask = (model: ModelConnection, asked = request) => Array.fromAsync(model.stream(asked, signal));

/** The failure's message without the name of the turn; undefined when the turn was played. */
function refusal(parts: readonly StreamPart[]): string | undefined {
  const [part] = parts;
  if (part?.type !== "failure") return undefined;
  const { message, ...rest } = part.failure;
  expect({ parts: parts.length, ...rest }).toEqual({ parts: 1, kind: "InvalidRequest", retryable: false });
  expect(message).toStartWith("turn 1 of the script demo: ");
  return message.slice("turn 1 of the script demo: ".length);
}

describe("an expectation", () => {
  test.each([
    [{ last_tool_output_contains: "src/b.ts\nline" }],
    [{ last_tool_output_contains: ["path", "two"] }],
    [{ last_user_contains: ["first", "question"] }],
    [
      {
        request_contains: [
          "You help.",
          "first",
          "image/png",
          "let me look",
          "Looking.",
          'read {"path":"a.ts"}',
        ],
      },
    ],
    [{ request_contains: ["old output", "Reads a file.", '{"type":"object"}'] }],
    [{}],
  ] satisfies [ScriptExpectation][])("that holds lets the turn play: %j", async (expectation) => {
    expect(refusal(await ask(scripted([{ expect: expectation }])))).toBeUndefined();
  });

  test.each([
    [
      { last_tool_output_contains: "old output" },
      'expected the last tool output to contain "old output", but it is "path: src/b.ts\\nline two"',
    ],
    [
      { last_tool_output_contains: ["path", "three"] },
      'expected the last tool output to contain "three", but it is "path: src/b.ts\\nline two"',
    ],
    [
      { last_user_contains: "Looking." },
      'expected the last user message to contain "Looking.", but it is "first\\nimage/png\\nquestion"',
    ],
    [
      { request_contains: "AAAA" },
      'expected the request to contain "AAAA", but it is "read\\nReads a file.\\n{\\"type\\":\\"object\\"}\\nYou help.\\nfirst\\nimage/png\\nquestion\\nlet me look\\nLooking.\\nread {\\"path\\":\\"a.ts\\"}\\nold output\\npath: src/b.ts\\nline two"',
    ],
  ] satisfies [ScriptExpectation, string][])(
    "that does not hold fails and shows what came: %j",
    async (expectation, message) => {
      expect(refusal(await ask(scripted([{ expect: expectation }])))).toBe(message);
    },
  );

  test("of something that the request does not have says so", async () => {
    const empty: ModelRequest = { messages: [], tools: [] };
    const messages = [];
    for (const key of ["last_tool_output_contains", "last_user_contains"]) {
      messages.push(refusal(await ask(scripted([{ expect: { [key]: "x" } }]), empty)));
    }
    expect(messages).toEqual([
      'expected the last tool output to contain "x", but there is none',
      'expected the last user message to contain "x", but there is none',
    ]);
  });

  test("shows a long text by its ends and makes control characters visible", async () => {
    const output = `\u001b[2J${"a".repeat(200)}${"b".repeat(1_000_000)}${"c".repeat(150)}`;
    const messages: Message[] = [{ role: "tool", toolCallId: "1", toolName: "x", output, isError: false }];
    const parts = await ask(scripted([{ expect: { last_tool_output_contains: "z" } }]), { messages, tools });
    expect(refusal(parts)).toBe(
      `expected the last tool output to contain "z", but it is "\\u001b[2J${"a".repeat(146)}" … 1000054 characters … "${"c".repeat(150)}"`,
    );
  });

  test("that failed is met again by the next request", async () => {
    const model = scripted([{ expect: { last_user_contains: "please" }, text: "ok" }]);
    expect(refusal(await ask(model))).toBeString();
    const polite: Message = { role: "user", content: [{ type: "text", text: "please" }] };
    const parts = await ask(model, { messages: [...conversation, polite], tools });
    expect(parts[0]).toEqual({ type: "text_delta", text: "ok" });
  });
});

describe("a template", () => {
  test("inserts the first group of its regex, in text and at any depth of the arguments", async () => {
    const path = "{{last_tool_output:/^PATH: (\\S+)$/im}}";
    const model = scripted([
      {
        text: `See ${path}, ${path} and {{{{ user }}.`,
        reasoning: "{{as it is}}",
        tool_calls: [
          { name: "a", arguments: { list: [{ [path]: `<${path}>` }], n: 1 } },
          { name: "b", arguments: `{"p":"${path}"` },
        ],
        chunk: 1000,
      },
    ]);
    const parts = (await ask(model)).filter(({ type }) =>
      /^(text_delta|reasoning_delta|tool_call)$/.test(type),
    );
    expect(parts).toEqual([
      { type: "reasoning_delta", text: "{{as it is}}" },
      { type: "text_delta", text: "See src/b.ts, src/b.ts and {{ user }}." },
      {
        type: "tool_call",
        id: "call_1_1",
        name: "a",
        arguments: JSON.stringify({ list: [{ [path]: "<src/b.ts>" }], n: 1 }),
      },
      { type: "tool_call", id: "call_1_2", name: "b", arguments: '{"p":"src/b.ts"' },
    ]);
  });

  test("inserts quotes, dollars and braces as they are, and never reads them again", async () => {
    const output = '"$& $1 {{last_tool_output:/(x)/}}\\';
    const messages: Message[] = [{ role: "tool", toolCallId: "1", toolName: "x", output, isError: false }];
    const template = "{{last_tool_output:/(.*)/s}}";
    const model = scripted([
      { text: template, tool_calls: [{ name: "a", arguments: { template } }], chunk: 1000 },
    ]);
    const parts = await ask(model, { messages, tools });
    expect(parts.filter(({ type }) => type === "text_delta" || type === "tool_call")).toEqual([
      { type: "text_delta", text: output },
      { type: "tool_call", id: "call_1_1", name: "a", arguments: JSON.stringify({ template: output }) },
    ]);
  });

  test.each([
    [
      "{{last_tool_output:/(nothing like it)/}}",
      '{{last_tool_output:/(nothing like it)/}} does not match the last tool output, "path: src/b.ts\\nline two"',
    ],
    [
      "{{last_tool_output:/path|(never)/}}",
      '{{last_tool_output:/path|(never)/}} does not match the last tool output, "path: src/b.ts\\nline two"',
    ],
  ])("without a match fails: %s", async (template, message) => {
    expect(refusal(await ask(scripted([{ text: template }])))).toBe(message);
    const call = { name: "a", arguments: { deep: { template } } };
    expect(refusal(await ask(scripted([{ tool_calls: [call] }])))).toBe(message);
  });

  test("without any tool output fails", async () => {
    const model = scripted([{ text: "{{last_tool_output:/(.)/}}" }]);
    expect(refusal(await ask(model, { messages: [], tools }))).toBe(
      "{{last_tool_output:/(.)/}} needs a tool output, and the request has none",
    );
  });

  test("that is unknown fails in a script that was built without being parsed", async () => {
    const script = { name: "demo", turns: [{ text: "{{other}}" }] };
    const model = createScriptedModel(script, { sleep: async () => {} });
    expect(refusal(await ask(model))).toBe(
      "{{other}} starts no template: write {{last_tool_output:/regex/}}, or {{{{ for two braces",
    );
  });
});
