import { describe, expect, test } from "bun:test";
import { sleepers, uniqueSleep } from "../../../test/support/processes.ts";
import { begun, code, RpcDesk } from "./rpc-desk.ts";
import { call } from "./session-desk.ts";

async function untilSleeping(seconds: string): Promise<void> {
  while (sleepers(seconds).length === 0) await Bun.sleep(5);
}

describe("a run that nobody wants any more", () => {
  test("ends by run.cancel while its question is open, and the question is taken back", async () => {
    await using rpc = new RpcDesk();
    const client = await rpc.connect();
    let runId = "";
    let isTakenBack = false;
    const params = rpc.run("Write", [call("write", { path: "b.txt", content: "x" }), { text: "?" }]);
    const result = await client.call("run.start", params, {
      emit: (event) => {
        if (event.type === "run.started") runId = event.run_id;
      },
      confirm: async (_, signal) => {
        const takenBack = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
        expect(await client.call("run.cancel", { run_id: runId })).toEqual({ found: true });
        await takenBack;
        isTakenBack = true;
        return { decision: "allow_once" };
      },
    });
    expect([result.status, isTakenBack]).toEqual(["interrupted", true]);
    expect(await client.call("run.cancel", { run_id: runId })).toEqual({ found: false });
    await client.close();
  });

  const endings: readonly (readonly [string, (rpc: RpcDesk) => void, number])[] = [
    ["when the client ends its output", ({ child }) => child.stdin.end(), 0],
    [
      "when the client is gone",
      ({ child }) => {
        child.stdin.destroy();
        child.stdout.destroy();
      },
      0,
    ],
    ["when the server is told to end", ({ child }) => child.kill("SIGTERM"), 130],
  ];
  test.each(endings)("%s ends with all that it started, and its session can go on", async (_, end, exit) => {
    await using rpc = new RpcDesk();
    const client = await rpc.connect();
    const seconds = uniqueSleep();
    const { promise, emit } = begun();
    const params = {
      ...rpc.run("Wait", [call("bash", { command: `sleep ${seconds}` })]),
      approval: "full" as const,
    };
    const running = client.call("run.start", params, { emit }).catch(code);
    const id = await promise;
    await untilSleeping(seconds);
    end(rpc);
    expect(await rpc.exited).toBe(exit);
    await running;
    expect(sleepers(seconds)).toEqual([]);
    const { sessions } = await rpc.desk.list();
    expect(sessions.map((session) => [session.id, session.state])).toEqual([[id, "interrupted"]]);
  });
});

test("a client that ends its output and never reads leaves no process, and its session can go on", async () => {
  await using rpc = new RpcDesk();
  const { child } = rpc;
  const hello = { protocol_version: 1, client: { name: "t", version: "1" }, capabilities: { ui: [] } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello })}\n`);
  // More than waits for a client before the model does.
  const params = rpc.run("Talk", [{ text: "word ".repeat(400_000) }]);
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "run.start", params })}\n`);
  while (rpc.desk.sessionIds().length === 0) await Bun.sleep(5);
  child.stdin.end();
  const exited = new Promise((resolve) => child.on("exit", resolve));
  expect(await exited).toBe(0);
  child.stdout.resume();
  const { sessions } = await rpc.desk.list();
  expect(sessions.map(({ state }) => state)).toEqual(["interrupted"]);
});

test("a line of 100 MB is refused without being kept, and the process goes on", async () => {
  await using rpc = new RpcDesk();
  const { child } = rpc;
  const heard: string[] = [];
  let rest = "";
  const { promise, resolve } = Promise.withResolvers<void>();
  child.stdout.on("data", (chunk: Buffer) => {
    rest += chunk.toString();
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    heard.push(...lines);
    if (heard.length >= 3) resolve();
  });
  const send = (text: string | Uint8Array) =>
    new Promise<void>((done) => child.stdin.write(text, () => done()));
  const hello = { protocol_version: 1, client: { name: "t", version: "1" }, capabilities: { ui: [] } };
  await send(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello })}\n`);
  const megabyte = new Uint8Array(1024 * 1024).fill(0x61);
  for (let count = 0; count < 100; count += 1) await send(megabyte);
  await send(`\n${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "trust.list" })}\n`);
  await promise;
  expect(heard.slice(1).map((line): unknown => JSON.parse(line))).toEqual([
    {
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32001,
        message: "a message has more than 33554432 bytes",
        data: { code: "too_large", hint: "Send less in one message." },
      },
    },
    { jsonrpc: "2.0", id: 2, result: { projects: [] } },
  ]);
  child.stdin.end();
  expect([await rpc.exited, rpc.stderr]).toEqual([
    0,
    "codelia rpc: a message has more than 33554432 bytes\n",
  ]);
});
