import { describe, expect, test } from "bun:test";
import type { Channel } from "../src/index.ts";
import { handlersWith, question, runParams, runResult } from "./handlers.ts";
import { faultIn, hello, list, RawClient } from "./wire-pair.ts";

const quick = handlersWith({ "trust.list": () => Promise.resolve({ projects: [] }) });

describe("a client that is wrong", () => {
  test("gets a typed error for each message, and what follows is answered", async () => {
    const client = new RawClient(quick);
    await client.say(list(1));
    const early = await client.hear();
    await client.hello();
    const wrong: readonly (string | Uint8Array)[] = [
      "nonsense\n",
      '{"jsonrpc":"2.0",\n',
      new Uint8Array([0x22, 0xff, 0xfe, 0x22, 0x0a]),
      "[]\n",
      `[${JSON.stringify(list(2))}]\n`,
      "17\n",
      '{"id":3,"method":"trust.list"}\n',
      '{"jsonrpc":"2.0","id":null,"method":"trust.list"}\n',
      '{"jsonrpc":"2.0","id":1.5,"method":"trust.list"}\n',
      '{"jsonrpc":"2.0","id":4,"method":"trust.list","extra":1}\n',
      '{"jsonrpc":"2.0","id":5,"method":"__proto__"}\n',
      '{"jsonrpc":"2.0","id":6,"method":"trust.list","params":[1]}\n',
      '{"jsonrpc":"2.0","id":7,"method":"trust.list","params":{"x":1}}\n',
      '{"jsonrpc":"2.0","id":"s1","result":{"decision":"allow_once"}}\n',
      '{"jsonrpc":"2.0","id":8}\n',
      '{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"no"}}\n',
      `${"[".repeat(100)}\n`,
      `${JSON.stringify(hello)}\n`,
    ];
    const faults = [faultIn(early)];
    for (const bytes of wrong) {
      await client.bytes(bytes);
      faults.push(faultIn(await client.hear()));
    }
    expect(faults).toEqual([
      "1 -32002 not_initialized",
      "null -32700 parse_error",
      "null -32700 parse_error",
      "null -32700 parse_error",
      "null -32600 invalid_request",
      "null -32600 invalid_request",
      "null -32600 invalid_request",
      "3 -32600 invalid_request",
      "null -32600 invalid_request",
      "null -32600 invalid_request",
      "4 -32600 invalid_request",
      "5 -32601 unknown_method",
      "6 -32602 invalid_params",
      "7 -32602 invalid_params",
      "null -32600 unknown_id",
      "null -32600 invalid_request",
      "null -32600 unknown_id",
      "null -32001 too_large",
      "0 -32600 invalid_request",
    ]);
    await client.say(list("last"));
    expect(await client.hear()).toEqual({ jsonrpc: "2.0", id: "last", result: { projects: [] } });
    expect(await client.leave()).toEqual([]);
    expect(await client.ended).toBeUndefined();
  });

  test("is not answered when it says something that no one may answer: it is logged", async () => {
    const client = new RawClient(quick);
    await client.hello();
    await client.say(
      { jsonrpc: "2.0", method: "trust.list" },
      { jsonrpc: "2.0", method: "$/cancel", params: {} },
      { jsonrpc: "2.0", method: "$/cancel", params: { id: "not there" } },
      { jsonrpc: "2.0", id: null, error: { code: -32700, message: "you are wrong" } },
      list(1),
    );
    expect(await client.hear()).toEqual({ jsonrpc: "2.0", id: 1, result: { projects: [] } });
    expect(client.log).toEqual([
      'there is no notification "trust.list"',
      "$/cancel: id: Invalid input",
      "you are wrong",
    ]);
    await client.leave();
  });

  test("has a request refused whose id is in use, and the first one answered alone", async () => {
    const { promise, resolve } = Promise.withResolvers<{ projects: [] }>();
    const client = new RawClient(handlersWith({ "trust.list": () => promise }));
    await client.hello();
    await client.say(list(1), list(1), list("1"));
    expect(await client.hear()).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32600,
        message: 'a request with the id "1" is being worked on',
        data: { code: "duplicate_id", hint: "Give every request an id of its own.", id: 1 },
      },
    });
    resolve({ projects: [] });
    expect([await client.hear(), await client.hear()]).toEqual([
      { jsonrpc: "2.0", id: 1, result: { projects: [] } },
      { jsonrpc: "2.0", id: "1", result: { projects: [] } },
    ]);
    await client.say(list(1));
    expect(await client.hear()).toEqual({ jsonrpc: "2.0", id: 1, result: { projects: [] } });
    await client.leave();
  });

  test("cannot have more than so many requests worked on at a time", async () => {
    const { promise, resolve } = Promise.withResolvers<{ projects: [] }>();
    const client = new RawClient(handlersWith({ "trust.list": () => promise }), {
      limits: { maxRequests: 2 },
    });
    await client.hello();
    await client.say(list(1), list(2), list(3));
    expect(faultIn(await client.hear())).toBe("3 -32003 busy");
    resolve({ projects: [] });
    await client.hear();
    await client.hear();
    await client.say(list(4));
    expect(await client.hear()).toEqual({ jsonrpc: "2.0", id: 4, result: { projects: [] } });
    await client.leave();
  });

  test("speaks another version and is told which one is spoken; it may try again", async () => {
    const client = new RawClient(quick);
    await client.say({ ...hello, params: { ...hello.params, protocol_version: 2 } });
    expect(await client.hear()).toEqual({
      jsonrpc: "2.0",
      id: 0,
      error: {
        code: -32016,
        message: "version 2 of the protocol is not spoken here",
        data: { code: "unsupported", hint: "This is codelia 1.2.3, which speaks version 1." },
      },
    });
    await client.hello();
    await client.say(list(1));
    expect(await client.hear()).toEqual({ jsonrpc: "2.0", id: 1, result: { projects: [] } });
    await client.leave();
  });
});

describe("a run over the wire", () => {
  const start = { jsonrpc: "2.0", id: "run", method: "run.start", params: runParams };

  test("tells its events in order with their request, and asks under ids that count once", async () => {
    const client = new RawClient(
      handlersWith({
        "run.start": async (_, channel) => {
          channel.emit({ type: "text.delta", text: "a" });
          const answer = await channel.confirm?.(question);
          channel.emit({ type: "text.delta", text: answer?.decision ?? "nobody" });
          setTimeout(() => channel.emit({ type: "text.delta", text: "too late" }));
          return runResult("done");
        },
      }),
    );
    await client.hello();
    await client.say(start);
    expect([await client.hear(), await client.hear()]).toEqual([
      {
        jsonrpc: "2.0",
        method: "event",
        params: { request_id: "run", seq: 1, event: { type: "text.delta", text: "a" } },
      },
      { jsonrpc: "2.0", id: "s1", method: "ui.confirm", params: { request_id: "run", question } },
    ]);
    const answer = { jsonrpc: "2.0", id: "s1", result: { decision: "allow_once" } };
    await client.say({ ...answer, id: 1 }, answer, answer);
    const heard = [await client.hear(), await client.hear(), await client.hear(), await client.hear()];
    const isFault = (message: unknown) => faultIn(message).includes("-");
    expect(heard.filter(isFault).map(faultIn)).toEqual(["null -32600 unknown_id", "null -32600 unknown_id"]);
    expect(heard.filter((message) => !isFault(message))).toEqual([
      {
        jsonrpc: "2.0",
        method: "event",
        params: { request_id: "run", seq: 2, event: { type: "text.delta", text: "allow_once" } },
      },
      { jsonrpc: "2.0", id: "run", result: runResult("done") },
    ]);
    expect(await client.leave()).toEqual([]);
  });

  test("counts an answer that is none as nobody's, and the client is told", async () => {
    const client = new RawClient(
      handlersWith({
        "run.start": async (_, channel) => {
          const decided = await channel.confirm?.(question).catch(() => undefined);
          return runResult(decided?.decision ?? "nobody");
        },
      }),
    );
    await client.hello();
    await client.say(start);
    await client.hear();
    await client.say({ jsonrpc: "2.0", id: "s1", result: { decision: "yes" } });
    expect([faultIn(await client.hear()), await client.hear()]).toEqual([
      "null -32602 invalid_params",
      { jsonrpc: "2.0", id: "run", result: runResult("nobody") },
    ]);
    await client.leave();
  });

  const untilCancelled = (channel: Channel) =>
    new Promise<void>((resolve) => channel.signal?.addEventListener("abort", () => resolve()));

  test("ends by $/cancel of its request, and has a result", async () => {
    const client = new RawClient(
      handlersWith({
        "run.start": async (_, channel) => {
          channel.emit({ type: "turn.started", turn: 1 });
          await untilCancelled(channel);
          return { ...runResult(""), status: "interrupted" };
        },
      }),
    );
    await client.hello();
    await client.say(start);
    await client.hear();
    await client.say({ jsonrpc: "2.0", method: "$/cancel", params: { id: "run" } });
    expect(await client.hear()).toEqual({
      jsonrpc: "2.0",
      id: "run",
      result: { ...runResult(""), status: "interrupted" },
    });
    await client.leave();
  });

  test("ends when the client goes away, and its question with it", async () => {
    const seen: string[] = [];
    const client = new RawClient(
      handlersWith({
        "run.start": async (_, channel) => {
          await channel.confirm?.(question).catch(({ message }: Error) => seen.push(message));
          seen.push(`aborted: ${channel.signal?.aborted}`);
          return runResult("");
        },
      }),
    );
    await client.hello();
    await client.say(start);
    await client.hear();
    await client.leave();
    expect(await client.ended).toBeUndefined();
    expect(seen).toEqual(["the other side is gone", "aborted: true"]);
  });
});
