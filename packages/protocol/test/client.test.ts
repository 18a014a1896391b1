import { describe, expect, test } from "bun:test";
import type { Handlers, ProtocolError, ProtocolEvent } from "../src/index.ts";
import { connect, serve, type Transport, type WireClient } from "../src/wire/index.ts";
import { handlersWith, question, runParams, runResult } from "./handlers.ts";
import { Pipe, pair } from "./wire-pair.ts";

const me = { name: "test", version: "1" };

async function connected(
  handlers: Partial<Handlers>,
): Promise<{ client: WireClient; served: Promise<unknown> }> {
  const { client, server } = pair();
  const served = serve(handlersWith(handlers), server, { version: "1.2.3" });
  return { client: await connect(client, { client: me }), served };
}

describe("the typed client", () => {
  test("is the one that there is in process: events, questions, results and errors", async () => {
    const { client, served } = await connected({
      "run.start": async ({ prompt }, channel) => {
        channel.emit({ type: "text.delta", text: prompt });
        const confirmed = await channel.confirm?.(question);
        const picked = await channel.pick?.({ title: "Which?", options: [{ id: "b", label: "B" }] });
        const typed = await channel.prompt?.({ title: "Say" });
        return runResult(JSON.stringify([confirmed, picked, typed]));
      },
    });
    const events: ProtocolEvent[] = [];
    const result = await client.call("run.start", runParams, {
      emit: (event) => events.push(event),
      confirm: ({ detail }) => Promise.resolve({ decision: "deny", reason: detail }),
      pick: ({ options }) => Promise.resolve({ ...(options[0] && { id: options[0].id }) }),
      prompt: () => Promise.resolve({}),
    });
    expect(events).toEqual([{ type: "text.delta", text: "do it" }]);
    expect(JSON.parse(result.text)).toEqual([{ decision: "deny", reason: "ls" }, { id: "b" }, {}]);
    const error = await client.call("trust.list", {}).catch((refused: ProtocolError) => refused);
    expect(error).toMatchObject({
      name: "ProtocolError",
      code: "refused",
      message: "trust.list is not here",
    });
    await client.close();
    expect(await served).toBeUndefined();
  });

  test("says that nobody can be asked where a call has nobody", async () => {
    const { client } = await connected({
      "run.start": async (_, channel) =>
        runResult(
          await (channel.confirm?.(question) ?? Promise.reject(new Error("no way to ask"))).then(
            ({ decision }) => decision,
            (error: ProtocolError) => error.code,
          ),
        ),
    });
    expect((await client.call("run.start", runParams)).text).toBe("no_user");
    await client.close();
  });

  test("cancels a call by its signal and waits for its result; a question is taken back", async () => {
    const { client } = await connected({
      "run.start": async (_, channel) => {
        const answer = await channel.confirm?.(question).catch(() => undefined);
        return { ...runResult(answer?.decision ?? "nobody"), status: "interrupted" };
      },
    });
    const cancel = new AbortController();
    let isTakenBack = false;
    const result = await client.call("run.start", runParams, {
      signal: cancel.signal,
      confirm: (_, signal) => {
        cancel.abort();
        return new Promise((resolve) =>
          signal?.addEventListener("abort", () => {
            isTakenBack = true;
            resolve({ decision: "allow_once" });
          }),
        );
      },
    });
    expect([result.status, result.text, isTakenBack]).toEqual(["interrupted", "nobody", true]);
    expect(await client.call("trust.list", {}).catch(({ code }: ProtocolError) => code)).toBe("refused");
    await client.close();
  });

  test("fails its calls when the server goes, and those that come after", async () => {
    const { client: transport, server } = pair();
    const stop = new AbortController();
    const served = serve(
      handlersWith({
        "run.start": async (_, { signal }) => {
          const cancelled = new Promise<void>((resolve) =>
            signal?.addEventListener("abort", () => resolve()),
          );
          stop.abort();
          await cancelled;
          throw new Error("ended");
        },
      }),
      server,
      { version: "1", signal: stop.signal },
    );
    const client = await connect(transport, { client: me });
    const codes = [];
    for (const method of ["run.start", "trust.list"] as const) {
      const params = method === "run.start" ? client.call(method, runParams) : client.call(method, {});
      codes.push(await params.catch(({ code }: ProtocolError) => code));
      await served;
    }
    expect(codes).toEqual(["internal", "disconnected"]);
  });

  test("refuses params before it sends them, and results and events that are none", async () => {
    const up = new Pipe();
    const down = new Pipe();
    const transport: Transport = {
      incoming: down,
      write: (bytes) => up.write(bytes),
      close: () => {
        up.close();
        down.close();
      },
    };
    const say = (message: unknown) => down.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
    const faults: string[] = [];
    const connecting = connect(transport, { client: me, onFault: ({ message }) => faults.push(message) });
    await say("hello");
    await say({
      jsonrpc: "2.0",
      id: "c1",
      result: {
        protocol_version: 1,
        server: { name: "x", version: "1" },
        capabilities: { methods: [], max_frame_bytes: 1, max_requests: 1 },
      },
    });
    const client = await connecting;
    const code = ({ code: each }: ProtocolError) => each;
    const wrong = client.call("session.list", { cwd: "/", all: false, limit: -1 }).catch(code);
    expect(await wrong).toBe("invalid_params");
    const listing = client.call("trust.list", {}).catch(code);
    await say({
      jsonrpc: "2.0",
      method: "event",
      params: { request_id: "c2", seq: 1, event: { type: "x" } },
    });
    await say({ jsonrpc: "2.0", id: "c2", result: { projects: 1 } });
    expect(await listing).toBe("internal");
    const running = client.call("run.start", runParams).catch(({ message }: ProtocolError) => message);
    const event = { type: "text.delta", text: "" };
    await say({ jsonrpc: "2.0", method: "event", params: { request_id: "c3", seq: 1, event } });
    await say({ jsonrpc: "2.0", method: "event", params: { request_id: "c3", seq: 3, event } });
    expect(await running).toBe("event 2 is missing: 3 came instead");
    expect(faults.map((fault) => fault.split(":")[0])).toEqual([
      "this is no message of JSON-RPC 2.0",
      "event",
    ]);
  });
});
