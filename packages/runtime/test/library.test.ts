import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { TemporaryTree } from "../../../test/support/tree.ts";
import manifest from "../package.json";
import {
  CodeliaError,
  createSession,
  defineTool,
  type RunEvent,
  type SessionOptions,
  z,
} from "../src/library/index.ts";
import { version } from "../src/library/version.ts";

class Desk implements Disposable {
  readonly tree = new TemporaryTree({ "home/": "", "repo/.codelia/": "", "repo/a.txt": "one\n" });

  options(turns: readonly unknown[], more: SessionOptions = {}): SessionOptions {
    this.tree.add({ "script.json": JSON.stringify({ turns }) });
    const env = {
      PATH: process.env.PATH,
      HOME: this.tree.at("home"),
      ANTHROPIC_API_KEY: "sk-canary-0123456789",
    };
    const model = `scripted/${this.tree.at("script.json")}`;
    return { cwd: this.tree.at("repo"), env, model, trust: true, ...more };
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

const call = (name: string, args: unknown) => ({ tool_calls: [{ name, arguments: args }] });

const weather = defineTool({
  name: "weather",
  description: "The weather in a city.",
  parameters: z.strictObject({ city: z.string() }),
  access: () => "none",
  execute: ({ city }) => `Sunny in ${city}.`,
});

test("a session runs, streams its events and ends with a result", async () => {
  using desk = new Desk();
  const session = await createSession(desk.options([{ text: "Hello." }]));
  const run = session.run("hello");
  const types: string[] = [];
  for await (const { type } of run) types.push(type);
  const { status, text, session_id } = await run.result;
  expect([types, status, text, session_id]).toEqual([
    ["run.started", "user.message", "turn.started", "text.delta", "usage", "run.finished"],
    "done",
    "Hello.",
    session.id,
  ]);
});

describe("a tool of one's own", () => {
  const outputs = (events: readonly RunEvent[]) =>
    events.flatMap((event) => (event.type === "tool.finished" ? [[event.output, event.is_error]] : []));

  async function run(options: SessionOptions): Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    for await (const event of (await createSession(options)).run("go")) events.push(event);
    return events;
  }

  test("is called with checked arguments, and the model sees what it returns", async () => {
    using desk = new Desk();
    const turns = [
      call("weather", { town: "Oslo" }),
      call("weather", { city: "Oslo" }),
      { text: "Sun.", expect: { last_tool_output_contains: "Sunny in Oslo." } },
    ];
    const events = await run(desk.options(turns, { tools: [weather] }));
    expect(outputs(events).map(([, isError]) => isError)).toEqual([true, false]);
    expect(events.at(-1)).toMatchObject({ type: "run.finished", status: "done", text: "Sun." });
  });

  test("that says it writes is decided like our own: refused, asked about, or free by the mode", async () => {
    using desk = new Desk();
    const written: string[] = [];
    const note = defineTool({
      name: "note",
      description: "Writes a note.",
      parameters: z.strictObject({ file: z.string() }),
      access: ({ file }) => ({ writes: [file] }),
      execute: ({ file }) => {
        written.push(file);
        return "Written.";
      },
    });
    const turns = [call("note", { file: "n.txt" }), { text: "Done." }];
    const asked: string[] = [];
    const confirm: SessionOptions["confirm"] = ({ detail }) => {
      asked.push(detail);
      return Promise.resolve({ decision: "allow_once" });
    };
    await run(desk.options(turns, { tools: [note] }));
    expect([written, asked]).toEqual([[], []]);
    await run(desk.options(turns, { tools: [note], confirm }));
    expect([written, asked]).toEqual([["n.txt"], [desk.tree.at("repo/n.txt")]]);
    await run(desk.options(turns, { tools: [note], approval: "auto-edit" }));
    expect([written.length, asked.length]).toEqual([2, 1]);
    const outside = [call("note", { file: "../n.txt" }), { text: "Done." }];
    await run(desk.options(outside, { tools: [note], approval: "auto-edit" }));
    expect(written.length).toBe(2);
  });

  test("is cut where it says too much, and tells no secret", async () => {
    using desk = new Desk();
    const leak = defineTool({
      name: "leak",
      description: "Says much.",
      parameters: z.strictObject({}),
      access: () => "none",
      execute: () => `sk-canary-0123456789\n${"line\n".repeat(100_000)}`,
    });
    const events = await run(desk.options([call("leak", {}), { text: "Done." }], { tools: [leak] }));
    const [[text = ""] = []] = outputs(events);
    expect([String(text).length < 60_000, String(text).includes("[redacted: ANTHROPIC_API_KEY]")]).toEqual([
      true,
      true,
    ]);
    expect(JSON.stringify(events)).not.toContain("sk-canary");
  });

  test("cannot take the name of one of ours, nor a name that no model could call", async () => {
    using desk = new Desk();
    const options = {
      description: "",
      parameters: z.strictObject({}),
      access: () => "none" as const,
      execute: () => "",
    };
    const shadow = defineTool({ name: "bash", ...options });
    const session = await createSession(desk.options([{ text: "no" }], { tools: [shadow] }));
    await expect(session.run("go").result).rejects.toMatchObject({
      code: "invalid_params",
      message: "there is a tool named bash already",
      hint: "Give your tool another name.",
    });
    expect(() => defineTool({ name: "my tool", ...options })).toThrow(TypeError);
  });
});

test("a session goes on with its next run, and another program resumes it by its id", async () => {
  using desk = new Desk();
  const first = await createSession(desk.options([{ text: "One." }]));
  await first.run("one").result;
  const again = { text: "Two.", expect: { request_contains: ["One.", "two"] } };
  const second = await createSession(desk.options([again], { resume: first.id.slice(-8) }));
  const { text, session_id } = await second.run("two").result;
  expect([text, session_id, second.id]).toEqual(["Two.", first.id, first.id]);
});

test("one run at a time; a signal ends it", async () => {
  using desk = new Desk();
  const session = await createSession(desk.options([{ text: "late", delay_ms: 600_000 }]));
  const ending = new AbortController();
  const run = session.run("wait", { signal: ending.signal });
  expect(() => session.run("me too")).toThrow(CodeliaError);
  ending.abort();
  expect((await run.result).status).toBe("interrupted");
});

test("a project that nobody trusted is refused with the way out", async () => {
  using desk = new Desk();
  const { trust: _, ...options } = desk.options([{ text: "no" }]);
  const repo = desk.tree.at("repo");
  await expect(createSession(options)).rejects.toMatchObject({
    code: "untrusted",
    message: `${repo}: this project is not trusted`,
    hint: `Trust it once with: codelia trust ${repo}\nor for this run only with --trust.`,
  });
  expect(readFileSync(desk.tree.at("repo/a.txt"), "utf8")).toBe("one\n");
});

test("the library says the version of its package", () => {
  expect(version).toBe(manifest.version);
});
