import { describe, expect, test } from "bun:test";
import {
  type AgentEvent,
  describeTool,
  type LoopOptions,
  runLoop,
  SessionLog,
  type Tool,
  type ToolAccess,
  ToolError,
  type ToolExecution,
} from "@codelia/core";
import type { Message, PermissionDecision, StreamPart, Usage, UserMessage } from "@codelia/shared-types";
import { z } from "zod";
import { memoryHistory } from "../../../test/support/memory-history.ts";
import { calling, type FakeConnection, fakeConnection, saying } from "./fake-connection.ts";
import { loopOptions, seams } from "./loop-scene.ts";

const prompt: UserMessage = { role: "user", content: [{ type: "text", text: "go" }] };

function tool(
  name: string,
  access: ToolAccess,
  execute: (args: { value: string }, execution: ToolExecution) => Promise<void>,
): Tool {
  const parameters = z.strictObject({ value: z.string() });
  return {
    name,
    description: name,
    parameters,
    prepare: (args) => {
      const parsed = parameters.parse(args);
      if (parsed.value === "unpreparable")
        return Promise.reject(new ToolError("cannot be prepared: use another value"));
      const paths = access.kind === "none" ? [] : [parsed.value];
      return Promise.resolve({
        title: `${name} ${parsed.value}`,
        paths,
        access,
        execute: (execution) => execute(parsed, execution),
      });
    },
  };
}

const echo = tool("echo", { kind: "none" }, async ({ value }, { output }) => output.write(value));

interface Setup {
  readonly connection: FakeConnection;
  readonly tools?: readonly Tool[];
  readonly options?: Partial<LoopOptions>;
}

async function run({ connection, tools = [echo], options = {} }: Setup) {
  const events: AgentEvent[] = [];
  const store = memoryHistory();
  const log = new SessionLog(store);
  const result = await runLoop(prompt, {
    ...loopOptions(connection, log),
    prefix: [{ role: "system", text: "base" }],
    toolDefinitions: tools.map(describeTool),
    tools: new Map(tools.map((each) => [each.name, each])),
    emit: (event) => void events.push(event),
    ...options,
  });
  return { result, events, records: store.records, history: log.conversation.messages };
}

function outputs(history: readonly Message[]): (readonly [string, string, boolean])[] {
  return history.flatMap((message) =>
    message.role === "tool" ? [[message.toolCallId, message.output, message.isError] as const] : [],
  );
}

test("a call is told why it may run", async () => {
  const decision: PermissionDecision = { decision: "allow", by: "rule", reason: "a rule of the user" };
  const told: PermissionDecision[] = [];
  const asked = tool("asked", { kind: "none" }, async (_, execution) => void told.push(execution.decision));
  const connection = fakeConnection([calling(["c1", "asked", { value: "hello" }]), saying("done")]);
  const decide = () => Promise.resolve(decision);
  await run({ connection, tools: [asked], options: { seams: { ...seams, decide } } });
  expect(told).toEqual([decision]);
});

test("an image that a tool shows is kept with its result", async () => {
  const image = { type: "image", mediaType: "image/png", data: "AAAA", label: "a.png" } as const;
  const show = tool("show", { kind: "none" }, async (_, { output, presentImage }) => {
    presentImage(image);
    await output.write("shown below");
  });
  const connection = fakeConnection([calling(["c1", "show", { value: "x" }]), saying("done")]);
  const { history } = await run({ connection, tools: [show] });
  expect(history[2]).toEqual({
    role: "tool",
    toolCallId: "c1",
    toolName: "show",
    output: "shown below",
    images: [image],
    isError: false,
  });
});

describe("a run", () => {
  test("asks, runs the tools it is told to, and ends with the last text", async () => {
    const connection = fakeConnection([calling(["c1", "echo", { value: "hello" }]), saying("done")]);
    const { result, records } = await run({ connection });
    expect(result).toEqual({
      outcome: { status: "done" },
      text: "done",
      turns: 2,
      usage: { inputTokens: 10, cachedInputTokens: 4, cacheWriteTokens: 0, outputTokens: 2 },
      costUsd: undefined,
    });
    expect(records.map(({ type }) => type)).toEqual([
      "message.user",
      "request",
      "message.assistant",
      "permission",
      "tool.intent",
      "message.tool",
      "request",
      "message.assistant",
      "run.end",
    ]);
    expect(connection.requests[1]?.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
    ]);
  });

  test("each request is the one before it plus a tail", async () => {
    const connection = fakeConnection([
      calling(["a", "echo", { value: "1" }]),
      calling(["b", "echo", { value: "2" }], ["c", "echo", { value: "3" }]),
      saying("end"),
    ]);
    await run({ connection });
    const bytes = connection.requests.map(({ messages }) =>
      messages.map((message) => JSON.stringify(message)),
    );
    for (const [index, request] of bytes.slice(1).entries()) {
      const before = bytes[index] ?? [];
      expect(request.slice(0, before.length)).toEqual(before);
    }
    expect(bytes.map(({ length }) => length)).toEqual([2, 4, 7]);
  });

  test("ends as failed with the model's failure, and keeps what was said before it", async () => {
    const failure = { kind: "ConnectionError", message: "gone", retryable: true } as const;
    const connection = fakeConnection([
      [
        { type: "text_delta", text: "half" },
        { type: "tool_call_start", id: "x", name: "echo" },
        { type: "failure", failure },
      ],
    ]);
    const { result, history } = await run({ connection });
    expect(result.outcome).toEqual({ status: "failed", failure });
    expect(history.at(-1)).toEqual({ role: "assistant", content: [{ type: "text", text: "half" }] });
  });

  test("forgets what a restarted response had said", async () => {
    const failure = { kind: "ConnectionError", message: "gone", retryable: true } as const;
    const connection = fakeConnection([
      [
        { type: "text_delta", text: "lost" },
        { type: "restart", attempt: 2, failure, delayMs: 5 },
        ...saying("kept"),
      ],
    ]);
    const { result, events } = await run({ connection });
    expect(result.text).toBe("kept");
    expect(events.filter(({ type }) => type === "turn.restarted")).toEqual([
      { type: "turn.restarted", attempt: 2, failure, delayMs: 5 },
    ]);
  });

  test("keeps what a provider wants back with the part it belongs to", async () => {
    const connection = fakeConnection([
      [
        { type: "reasoning_delta", text: "hm" },
        { type: "reasoning_end", providerData: { signature: "s1" } },
        { type: "reasoning_end", providerData: { redacted: "r" } },
        { type: "text_delta", text: "a" },
        { type: "text_delta", text: "b" },
        { type: "text_end", providerData: { item: "i1" } },
        { type: "text_end" },
        { type: "finish", reason: "stop" },
      ],
    ]);
    const { history } = await run({ connection });
    expect(history.at(-1)).toEqual({
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm", providerData: { signature: "s1" } },
        { type: "reasoning", text: "", providerData: { redacted: "r" } },
        { type: "text", text: "ab", providerData: { item: "i1" } },
      ],
    });
  });

  test("takes a message that arrives while it works before the next request", async () => {
    const queue: UserMessage[] = [];
    const steering: UserMessage = { role: "user", content: [{ type: "text", text: "rather this" }] };
    const busy = tool("busy", { kind: "none" }, async () => void queue.push(steering));
    const connection = fakeConnection([calling(["c", "busy", { value: "" }]), saying("done")]);
    await run({ connection, tools: [busy], options: { takeSteering: () => queue.splice(0) } });
    expect(connection.requests[1]?.messages.at(-1)).toEqual(steering);
  });

  test("goes on when a message arrives with the last words", async () => {
    const queue: UserMessage[] = [];
    const connection = fakeConnection([
      async function* () {
        queue.push({ role: "user", content: [{ type: "text", text: "one more" }] });
        yield* saying("first");
      },
      saying("second"),
    ]);
    const { result } = await run({ connection, options: { takeSteering: () => queue.splice(0) } });
    expect([result.text, result.turns]).toEqual(["second", 2]);
  });
});

describe("limits", () => {
  const forever = Array.from({ length: 9 }, (_, index) => calling([`c${index}`, "echo", { value: "x" }]));

  test("the turn limit ends the run before the next request", async () => {
    const connection = fakeConnection(forever);
    const { result } = await run({ connection, options: { limits: { maxTurns: 3 } } });
    expect([result.outcome.status, result.turns, connection.requests.length]).toEqual(["limit", 3, 3]);
  });

  test("the cost limit ends the run once it is reached", async () => {
    const paid = forever.map((parts): StreamPart[] => [
      saying("")[2] ?? { type: "finish", reason: "other" },
      ...parts,
    ]);
    const { result } = await run({
      connection: fakeConnection(paid),
      options: { limits: { maxCostUsd: 1 }, costOf: () => 0.4 },
    });
    expect([result.outcome.status, result.turns, result.costUsd?.toFixed(2)]).toEqual(["limit", 3, "1.20"]);
  });

  test("a provider that counts no tokens makes the cost unknown, and a limit on it cannot be kept", async () => {
    const uncounted: StreamPart[] = [
      { type: "tool_call", id: "1", name: "echo", arguments: '{"value":"a"}' },
      { type: "finish", reason: "tool_calls" },
    ];
    const price = ({ inputTokens, outputTokens }: Usage) => inputTokens + outputTokens;
    const { result } = await run({
      connection: fakeConnection([uncounted, saying("never")]),
      tools: [echo],
      options: { limits: { maxCostUsd: 1 }, costOf: price },
    });
    expect([result.outcome, result.turns, result.costUsd]).toEqual([
      {
        status: "limit",
        limit: "cost",
        message:
          "The provider does not say how many tokens it took, so the limit of 1 USD cannot be kept. Leave out --max-cost to go on.",
      },
      1,
      undefined,
    ]);
    const free = await run({
      connection: fakeConnection([uncounted, saying("done")]),
      tools: [echo],
      options: { limits: { maxCostUsd: 1 }, costOf: () => 0 },
    });
    expect([free.result.outcome.status, free.result.costUsd]).toEqual(["done", 0]);
  });

  test("an answer that the provider withheld is a failure, and what came of it stays in the history", async () => {
    const withheld: StreamPart[] = [
      { type: "text_delta", text: "Half" },
      { type: "text_end" },
      { type: "finish", reason: "content_filter" },
    ];
    const { result } = await run({ connection: fakeConnection([withheld]) });
    expect([result.outcome, result.text]).toEqual([
      {
        status: "failed",
        failure: {
          kind: "InvalidRequest",
          message: "The provider withheld the answer or the rest of it (content filter).",
          retryable: false,
        },
      },
      "Half",
    ]);
  });

  test("an answer cut at the model's output limit is said to be cut", async () => {
    const connection = fakeConnection([
      [
        { type: "text_delta", text: "par" },
        { type: "finish", reason: "length" },
      ],
    ]);
    const { result } = await run({ connection });
    expect(result.outcome).toEqual({
      status: "limit",
      limit: "output",
      message: "The model's answer was cut at its output limit.",
    });
  });
});

describe("what accompanies a message of the user", () => {
  test("stands right behind it, for the prompt and for what is said on the way", async () => {
    const connection = fakeConnection([calling(["1", "echo", { value: "" }]), saying("")]);
    const steering: UserMessage[] = [{ role: "user", content: [{ type: "text", text: "more" }] }];
    const { records } = await run({
      connection,
      options: {
        takeSteering: () => (connection.requests.length === 1 ? steering.splice(0) : []),
        accompany: ({ content }) =>
          Promise.resolve([
            {
              type: "reminder",
              kind: "skill.mention",
              text: `beside ${JSON.stringify(content)}`,
              agents: [],
            },
          ]),
      },
    });
    const said = records.flatMap((record) => {
      if (record.type === "message.user") return [JSON.stringify(record.message.content)];
      return record.type === "reminder" ? [record.text] : [];
    });
    const pair = (text: string) => {
      const content = JSON.stringify([{ type: "text", text }]);
      return [content, `beside ${content}`];
    };
    expect(said).toEqual([...pair("go"), ...pair("more")]);
  });
});

describe("tool calls", () => {
  test("that only look run side by side, and their results keep the order of the calls", async () => {
    const gate = Promise.withResolvers<void>();
    const started: string[] = [];
    const look = tool("look", { kind: "read", paths: [] }, async ({ value }, { output }) => {
      started.push(value);
      if (value === "last") gate.resolve();
      await gate.promise;
      await output.write(value);
    });
    const connection = fakeConnection([
      calling(["1", "look", { value: "first" }], ["2", "look", { value: "last" }]),
      saying(""),
    ]);
    const { history } = await run({ connection, tools: [look] });
    expect(started).toEqual(["first", "last"]);
    expect(outputs(history)).toEqual([
      ["1", "first", false],
      ["2", "last", false],
    ]);
  });

  test("keep with their results what they themselves have seen, whichever ends first", async () => {
    const gate = Promise.withResolvers<void>();
    const look = (name: string): Tool =>
      tool(name, { kind: "read", paths: [`/${name}`] }, async () => {
        if (name === "second") gate.resolve();
        await gate.promise;
      });
    const connection = fakeConnection([
      calling(["1", "first", { value: "" }], ["2", "second", { value: "" }], ["3", "echo", { value: "" }]),
      saying(""),
    ]);
    const { records } = await run({
      connection,
      tools: [look("first"), look("second"), echo],
      options: { seams: { ...seams, takeSeen: (paths) => paths.map((path) => ({ path })) } },
    });
    expect(records.flatMap((record) => (record.type === "message.tool" ? [record.seen] : []))).toEqual([
      [{ path: "/first" }],
      [{ path: "/second" }],
      [],
    ]);
  });

  test("that write wait for those before them and are waited for by those after them", async () => {
    const log: string[] = [];
    const log2 =
      (name: string) =>
      async ({ value }: { value: string }) => {
        log.push(`${name} ${value} starts`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`${name} ${value} ends`);
      };
    const tools = [
      tool("look", { kind: "read", paths: [] }, log2("look")),
      tool("change", { kind: "write", paths: [] }, log2("change")),
    ];
    const connection = fakeConnection([
      calling(["1", "look", { value: "a" }], ["2", "change", { value: "b" }], ["3", "look", { value: "c" }]),
      saying(""),
    ]);
    await run({ connection, tools });
    expect(log).toEqual([
      "look a starts",
      "look a ends",
      "change b starts",
      "change b ends",
      "look c starts",
      "look c ends",
    ]);
  });

  test("with malformed JSON, wrong arguments, an unknown name or an unusable value are told to the model", async () => {
    const connection = fakeConnection([
      calling(
        ["1", "echo", '{"value": '],
        ["2", "echo", { value: 7 }],
        ["3", "nothing", {}],
        ["4", "echo", { value: "unpreparable" }],
      ),
      saying("sorry"),
    ]);
    const { history, result } = await run({ connection });
    const told = outputs(history);
    expect(told.map(([id, , isError]) => [id, isError])).toEqual([
      ["1", true],
      ["2", true],
      ["3", true],
      ["4", true],
    ]);
    expect(told[0]?.[1]).toMatch(
      /^The arguments are not valid JSON \(.*\)\. Send the call again with valid JSON\.$/,
    );
    expect(told[1]?.[1]).toBe(
      "The arguments do not fit echo: value: Invalid input: expected string, received number. Send the call again, corrected.",
    );
    expect(told[2]?.[1]).toBe("There is no tool named nothing. There are: echo.");
    expect(told[3]?.[1]).toBe("cannot be prepared: use another value");
    expect(result.outcome).toEqual({ status: "done" });
  });

  test("that are denied do not run, and the model is told", async () => {
    let ran = false;
    const dangerous = tool("danger", { kind: "write", paths: ["/x"] }, async () => {
      ran = true;
    });
    const connection = fakeConnection([calling(["1", "danger", { value: "/x" }]), saying("ok")]);
    const { history, events } = await run({
      connection,
      tools: [dangerous],
      options: {
        seams: {
          ...seams,
          decide: () => Promise.resolve({ decision: "deny", by: "user", reason: "Not now." }),
        },
      },
    });
    expect(ran).toBe(false);
    expect(events.flatMap((event) => (event.type === "tool.finished" ? [event.title] : []))).toEqual([
      "danger /x",
    ]);
    expect(outputs(history)).toEqual([
      [
        "1",
        '<system-reminder type="permission.decision">\nDenied: danger /x\nNot now.\n</system-reminder>',
        true,
      ],
    ]);
  });

  test("that throw become an error result and the run goes on", async () => {
    const broken = tool("broken", { kind: "none" }, () =>
      Promise.reject(new ToolError("no such file: use list")),
    );
    const connection = fakeConnection([calling(["1", "broken", { value: "" }]), saying("ok")]);
    const { history, result } = await run({ connection, tools: [broken] });
    expect(outputs(history)).toEqual([["1", "no such file: use list", true]]);
    expect(result.outcome.status).toBe("done");
  });

  test("get their reminder after the cut, however long the output is", async () => {
    const long = tool("long", { kind: "read", paths: [] }, async (_, { output }) => {
      for (let line = 0; line < 5000; line++) await output.write(`line ${line}\n`);
    });
    const connection = fakeConnection([calling(["1", "long", { value: "/a" }]), saying("ok")]);
    const stored: Uint8Array[] = [];
    const { history } = await run({
      connection,
      tools: [long],
      options: {
        seams: {
          ...seams,
          remind: (paths) => Promise.resolve({ text: `<reminder for ${paths.join()}>`, records: [] }),
          outputs: {
            open: () =>
              Promise.resolve({
                write: async (chunk) => void stored.push(chunk.slice()),
                finish: () => Promise.resolve("ref-1"),
              }),
          },
        },
      },
    });
    const [[, output] = ["", ""]] = outputs(history);
    const lines = output.split("\n");
    expect(lines[0]).toBe("line 0");
    expect(lines[999]).toBe("line 999");
    expect(lines[1000]).toBe(
      "[30000 of 48890 bytes left out here. The whole: tool_output_read or tool_output_search with ref ref-1]",
    );
    expect(lines[1001]).toBe("line 4000");
    expect(lines.at(-2)).toBe("line 4999");
    expect(lines.at(-1)).toBe("<reminder for /a>");
    expect(Buffer.concat(stored).toString()).toBe(
      Array.from({ length: 5000 }, (_, line) => `line ${line}\n`).join(""),
    );
  });
});

describe("an abort", () => {
  test("during the stream ends the run as interrupted", async () => {
    const abort = new AbortController();
    const connection = fakeConnection([
      async function* (_, signal) {
        yield { type: "text_delta", text: "par" };
        abort.abort();
        if (signal.aborted)
          yield { type: "failure", failure: { kind: "Aborted", message: "aborted", retryable: false } };
      },
    ]);
    const { result } = await run({ connection, options: { signal: abort.signal } });
    expect(result.outcome).toEqual({ status: "interrupted" });
  });

  test("during a tool closes every call of the turn with a result and asks no more", async () => {
    const abort = new AbortController();
    const slow = tool("slow", { kind: "command", command: "", cwd: "/" }, async (_, { signal }) => {
      abort.abort();
      signal.throwIfAborted();
    });
    const connection = fakeConnection([
      calling(["1", "slow", { value: "a" }], ["2", "slow", { value: "b" }]),
    ]);
    const { result, history } = await run({ connection, tools: [slow], options: { signal: abort.signal } });
    expect(result.outcome).toEqual({ status: "interrupted" });
    expect(outputs(history)).toEqual([
      ["1", "Interrupted by the user before it ended.", true],
      ["2", "Interrupted by the user before it ended.", true],
    ]);
  });
});
