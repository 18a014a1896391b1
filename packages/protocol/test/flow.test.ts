import { describe, expect, test } from "bun:test";
import { handlersWith, runParams, runResult } from "./handlers.ts";
import { faultIn, list, RawClient } from "./wire-pair.ts";

const quick = handlersWith({ "trust.list": () => Promise.resolve({ projects: [] }) });

describe("frames", () => {
  test("that are too large are refused while they come, and the next one is answered", async () => {
    const client = new RawClient(quick, { limits: { maxFrameBytes: 1000 } });
    await client.hello();
    await client.bytes(`{"jsonrpc":"2.0","id":1,"method":"${"x".repeat(2000)}`);
    expect(faultIn(await client.hear())).toBe("null -32001 too_large");
    await client.bytes("x".repeat(5000));
    await client.bytes('"}\n');
    await client.say(list(2));
    expect(await client.hear()).toEqual({ jsonrpc: "2.0", id: 2, result: { projects: [] } });
    await client.leave();
  });

  test("may end with a carriage return, may be blank, and the last one needs no end", async () => {
    const client = new RawClient(quick);
    await client.hello();
    await client.bytes(`\r\n \t\n${JSON.stringify(list(1))}\r\n${JSON.stringify(list(2))}`);
    expect(await client.hear()).toEqual({ jsonrpc: "2.0", id: 1, result: { projects: [] } });
    expect(await client.leave()).toEqual([{ jsonrpc: "2.0", id: 2, result: { projects: [] } }]);
  });

  test("of results that are too large for one become an error", async () => {
    const projects = [{ root: "x".repeat(2000), identity: "", trusted_at: "" }];
    const client = new RawClient(handlersWith({ "trust.list": () => Promise.resolve({ projects }) }), {
      limits: { maxSentBytes: 1000 },
    });
    await client.hello();
    await client.say(list(1));
    expect(faultIn(await client.hear())).toBe("1 -32001 too_large");
    await client.leave();
  });
});

describe("a client that does not read", () => {
  const chatter = (texts: number, done: (told: number) => void) =>
    handlersWith({
      "trust.list": () => Promise.resolve({ projects: [] }),
      "run.start": async (_, { emit, room, signal }) => {
        let told = 0;
        for (; told < texts; told += 1) {
          if (signal?.aborted) break;
          emit({ type: "text.delta", text: "x".repeat(1000) });
          await room?.(signal);
        }
        done(told);
        return runResult("");
      },
    });
  const start = { jsonrpc: "2.0", id: "run", method: "run.start", params: runParams };
  const limits = { pauseAtBytes: 10_000, endAtBytes: 100_000 };

  test("makes what talks to it wait, and gets everything in order when it reads", async () => {
    let told = 0;
    const client = new RawClient(
      chatter(500, (count) => {
        told = count;
      }),
      { limits },
    );
    await client.hello();
    await client.say(start);
    // Nothing is read before the run has had every chance to go on.
    for (let turn = 0; turn < 2000; turn += 1) await Promise.resolve();
    expect(told).toBe(0);
    const seen: unknown[] = [];
    for (
      let message = await client.hear();
      faultIn(message) !== '"run" undefined undefined';
      message = await client.hear()
    )
      seen.push(/"seq":(\d+)/.exec(JSON.stringify(message))?.[1]);
    expect(seen).toEqual(Array.from({ length: 500 }, (_, index) => String(index + 1)));
    await client.leave();
  });

  test("and says nothing more is not waited for", async () => {
    let told = 0;
    const client = new RawClient(
      chatter(500, (count) => {
        told = count;
      }),
      { limits: { ...limits, lingerMs: 10 } },
    );
    await client.hello();
    await client.say(start);
    for (let turn = 0; turn < 2000; turn += 1) await Promise.resolve();
    client.fallSilent();
    expect(await client.ended).toBeUndefined();
    expect([told > 0, told < 500]).toEqual([true, true]);
  });

  test("is cut off when still too much waits for it", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const client = new RawClient(
      handlersWith({
        "run.start": async (_, { emit, signal }) => {
          // Without waiting, as tools do that end at the same time.
          for (let count = 0; count < 500; count += 1) emit({ type: "text.delta", text: "x".repeat(1000) });
          if (signal?.aborted) resolve();
          return runResult("");
        },
      }),
      { limits: { ...limits, lingerMs: 10 } },
    );
    await client.hello();
    await client.say(start);
    const failure = await client.ended;
    expect(failure?.code).toBe("too_slow");
    await promise;
  });
});
