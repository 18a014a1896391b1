// The fake model over HTTP, in all four wires: the script, what counts as the conversation, what is recorded.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { FakeModel } from "../fake-model.ts";
import { keptShares } from "../prefix.ts";

const model = new FakeModel();
let server = "";
beforeAll(async () => {
  server = await model.listen();
});
afterAll(() => model.close());

const script = {
  token: "bench-1",
  files: [
    { path: "/repo/a.ts", word: "wordOfA" },
    { path: "/repo/b.ts", word: "wordOfB" },
  ],
};

async function post(path: string, body: unknown): Promise<string> {
  const response = await fetch(`${server}${path}`, { method: "POST", body: JSON.stringify(body) });
  return await response.text();
}

const schema = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});

const wires = [
  {
    name: "Anthropic Messages",
    path: "/v1/messages?beta=true",
    called: '\\"file_path\\":\\"/repo/a.ts\\"',
    body: (results: readonly string[]) => ({
      stream: true,
      tools: [{ name: "Read", input_schema: schema("file_path"), cache_control: { type: "ephemeral" } }],
      messages: [
        { role: "user", content: "Read them (bench-1)" },
        ...results.map((content) => ({ role: "user", content: [{ type: "tool_result", content }] })),
      ],
    }),
  },
  {
    name: "OpenAI Responses",
    path: "/v1/responses",
    called: "cat '/repo/a.ts'",
    body: (results: readonly string[]) => ({
      stream: true,
      tools: [{ type: "function", name: "exec_command", parameters: schema("cmd") }],
      input: [
        { type: "message", role: "user", content: "Read them (bench-1)" },
        ...results.map((output) => ({ type: "function_call_output", output })),
      ],
    }),
  },
  {
    name: "OpenAI chat completions",
    path: "/v1/chat/completions",
    called: '\\"filePath\\":\\"/repo/a.ts\\"',
    body: (results: readonly string[]) => ({
      stream: true,
      tools: [{ type: "function", function: { name: "read", parameters: schema("filePath", "limit") } }],
      messages: [
        { role: "user", content: "Read them (bench-1)" },
        ...results.map((content) => ({ role: "tool", content })),
      ],
    }),
  },
  {
    name: "Google generateContent",
    path: "/v1beta/models/some-model:streamGenerateContent?alt=sse",
    called: '"args":{"path":"/repo/a.ts"}',
    body: (results: readonly string[]) => ({
      tools: [{ functionDeclarations: [{ name: "read_file", parametersJsonSchema: schema("path") }] }],
      contents: [
        { role: "user", parts: [{ text: "Read them (bench-1)" }] },
        ...results.map((output) => ({
          role: "user",
          parts: [{ functionResponse: { response: { output } } }],
        })),
      ],
    }),
  },
];

describe.each(wires)("$name", ({ path, called, body }) => {
  test("an agent is asked for one file after the other with its own tool, then the run is over", async () => {
    const conversation = model.begin(script);
    const answers = [
      await post(path, body([])),
      await post(path, body(["wordOfA"])),
      await post(path, body(["wordOfA", "wordOfB"])),
    ];
    await conversation.finished;
    expect(answers[0]).toContain(called);
    expect(answers[1]).toContain(called.slice(called.indexOf("/repo")).replace("a.ts", "b.ts"));
    expect(answers[2]).toContain("All files are read.");
    expect(conversation).toMatchObject({
      turns: [0, 1, 2].map((toolResults) => ({ toolResults })),
      others: [],
      fault: undefined,
    });
    expect(keptShares(conversation.turns.map(({ prompt }) => prompt))).toEqual([1, 1]);
    expect(conversation.turns[0]?.bytes).toBe(JSON.stringify(body([])).length);
  });
});

const { path: messagesPath, body: messagesBody } = wires[0] ?? { path: "", body: () => ({}) };

test("a title call, a model list, a count and another run's request are no part of the conversation", async () => {
  const conversation = model.begin(script);
  await post("/v1/messages", { stream: true, messages: [{ role: "user", content: "Title for: bench-1" }] });
  await fetch(`${server}/v1/models`);
  const count = await post("/v1/messages/count_tokens", messagesBody([]));
  await post("/v1/messages", JSON.parse(JSON.stringify(messagesBody([])).replace("bench-1", "bench-0")));
  expect(count).toBe('{"input_tokens":100}');
  expect({ turns: conversation.turns, others: conversation.others }).toEqual({
    turns: [],
    others: ["POST /v1/messages", "GET /v1/models", "POST /v1/messages/count_tokens", "POST /v1/messages"],
  });
});

test("a tool result without the file's content is a fault, whatever the agent makes of it", async () => {
  const conversation = model.begin(script);
  await post(messagesPath, messagesBody(["permission denied"]));
  expect(conversation.fault).toBe("the result of Read for /repo/a.ts lacks the file's content");
});

test("a request that is sent twice gets the same answer twice", async () => {
  model.begin(script);
  expect(await post(messagesPath, messagesBody(["wordOfA"]))).toBe(
    await post(messagesPath, messagesBody(["wordOfA"])),
  );
});

test("a request that is not JSON and a body of another shape are answered, not fatal", async () => {
  const conversation = model.begin(script);
  const response = await fetch(`${server}/v1/messages`, { method: "POST", body: '{"tools": bench-1' });
  await post("/v1/responses", { tools: "none", input: [null, 7], stream: true });
  expect({ status: response.status, others: conversation.others }).toEqual({
    status: 200,
    others: ["POST /v1/messages", "POST /v1/responses"],
  });
});

test("a moved cache mark and a text that became a block keep the prefix; a changed word does not", async () => {
  const conversation = model.begin({ ...script, files: [] });
  const tools = [{ name: "Read", input_schema: schema("file_path") }];
  const marked = { type: "text", text: "bench-1", cache_control: { type: "ephemeral" } };
  await post("/v1/messages", { tools, system: "S", messages: [{ role: "user", content: [marked] }] });
  const messages = [
    { role: "user", content: "bench-1" },
    { role: "assistant", content: "x" },
  ];
  await post("/v1/messages", { tools, system: [{ type: "text", text: "S" }], messages });
  await post("/v1/messages", { tools, system: "T", messages });
  const [same, changed] = keptShares(conversation.turns.map(({ prompt }) => prompt));
  expect({ same, changed: changed !== undefined && changed > 0.3 && changed < 0.9 }).toEqual({
    same: 1,
    changed: true,
  });
});
