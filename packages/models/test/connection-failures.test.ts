// How a connection fails: always with one value, of the right kind, without the key, and without waiting for anyone.
import { describe, expect, test } from "bun:test";
import type { ModelFailure, StreamPart } from "@codelia/shared-types";
import {
  type Answer,
  collect,
  connectionTo,
  expectedParts,
  failureIn,
  hello,
  key,
  troubled,
  unfinished,
  usage,
  WireServer,
  wires,
} from "./wire/index.ts";

const text: Answer = { parts: [{ type: "text", deltas: ["Hello ", "there."] }], finish: "stop", usage };

for (const wire of wires) {
  describe(wire.kind, () => {
    test("a refused key is an AuthError that names where the key came from, not the key", async () => {
      await using server = await WireServer.start(wire.schema, troubled(wire, "auth", `Bad key ${key}.`));
      const { status } = wire.trouble("auth", "");
      expect(await collect(connectionTo(server, wire))).toEqual([
        {
          type: "failure",
          failure: {
            kind: "AuthError",
            message: `test: Bad key [redacted] (HTTP ${status}). Check TEST_KEY.`,
            status,
            retryable: false,
          },
        },
      ]);
    });

    test("429 is a RateLimitError with the time to wait, in seconds, milliseconds or as a date", async () => {
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      await using server = await WireServer.start(
        wire.schema,
        troubled(wire, "rate", "Slow down", { "retry-after": "7" }),
        troubled(wire, "rate", "Slow down", { "retry-after": "7", "retry-after-ms": "1500" }),
        troubled(wire, "rate", "Slow down", { "retry-after": date }),
        troubled(wire, "rate", "Slow down", { "retry-after": "soon" }),
      );
      const connection = connectionTo(server, wire);
      const failure: ModelFailure = {
        kind: "RateLimitError",
        message: "test: Slow down (HTTP 429).",
        status: 429,
        retryable: true,
      };
      expect(failureIn(await collect(connection))).toEqual({ ...failure, retryAfterMs: 7000 });
      expect(failureIn(await collect(connection))).toEqual({ ...failure, retryAfterMs: 1500 });
      const waiting = failureIn(await collect(connection)).retryAfterMs ?? 0;
      expect(waiting > 3_000_000 && waiting <= 3_600_000).toBe(true);
      expect(failureIn(await collect(connection))).toEqual(failure);
    });

    test("an overloaded provider is a ConnectionError that may be tried again", async () => {
      await using server = await WireServer.start(wire.schema, troubled(wire, "overloaded", "Overloaded"));
      const { status } = wire.trouble("overloaded", "");
      const message = `test: Overloaded (HTTP ${status}).`;
      expect(await collect(connectionTo(server, wire))).toEqual([
        { type: "failure", failure: { kind: "ConnectionError", message, status, retryable: true } },
      ]);
    });

    test("a prompt that is too long is a ContextOverflow", async () => {
      await using server = await WireServer.start(wire.schema, troubled(wire, "overflow", "Too much"));
      const failure = failureIn(await collect(connectionTo(server, wire)));
      expect([failure.kind, failure.retryable]).toEqual(["ContextOverflow", false]);
    });

    test("any other refusal is an InvalidRequest", async () => {
      await using server = await WireServer.start(wire.schema, troubled(wire, "invalid", "No such field"));
      expect(await collect(connectionTo(server, wire))).toEqual([
        {
          type: "failure",
          failure: {
            kind: "InvalidRequest",
            message: "test: No such field (HTTP 400).",
            status: 400,
            retryable: false,
          },
        },
      ]);
    });

    test("a connection that breaks in the middle is a ConnectionError", async () => {
      await using server = await WireServer.start(wire.schema, {
        body: [unfinished(wire, text)],
        ending: "break",
      });
      const parts = await collect(connectionTo(server, wire));
      expect(parts.slice(0, -1)).toEqual(expectedParts(wire, text).slice(0, parts.length - 1));
      const failure = failureIn(parts);
      expect([failure.kind, failure.retryable]).toEqual(["ConnectionError", true]);
    });

    test("an answer that just ends is a ConnectionError", async () => {
      await using server = await WireServer.start(
        wire.schema,
        { body: [unfinished(wire, text)] },
        { body: [""] },
      );
      const connection = connectionTo(server, wire);
      const cut = await collect(connection);
      expect(cut.some(({ type }) => type === "finish")).toBe(false);
      for (const parts of [cut, await collect(connection)]) {
        const failure = failureIn(parts);
        expect([failure.kind, failure.retryable]).toEqual(["ConnectionError", true]);
      }
    });

    test("an event that is no JSON is a ConnectionError", async () => {
      const broken = `${unfinished(wire, text)}data: {"type": "conten\n\n`;
      await using server = await WireServer.start(wire.schema, { body: [broken] });
      const failure = failureIn(await collect(connectionTo(server, wire)));
      expect([failure.kind, failure.retryable]).toEqual(["ConnectionError", true]);
    });

    test("an answer without an end is cut off at its limit of bytes, and the server sees it", async () => {
      const body = [
        unfinished(wire, text),
        wire.write(wire.events(text).slice(1, 2)).replace("data: [DONE]\n\n", ""),
      ];
      await using server = await WireServer.start(wire.schema, { body, ending: "repeat" });
      const failure = failureIn(await collect(connectionTo(server, wire, { limits: { maxBytes: 20_000 } })));
      expect(failure).toEqual({
        kind: "ConnectionError",
        message: "test: the answer is longer than 20000 bytes.",
        retryable: false,
      });
      await server.left;
    });

    test("a server that stops sending is given up after the idle time", async () => {
      await using server = await WireServer.start(wire.schema, {
        body: [unfinished(wire, text)],
        ending: "silence",
      });
      const failure = failureIn(await collect(connectionTo(server, wire, { limits: { idleMs: 30 } })));
      expect(failure).toEqual({
        kind: "ConnectionError",
        message: "test: nothing arrived for 0.03 s.",
        retryable: true,
      });
      await server.left;
    });

    test("an abort in the middle ends at once with Aborted, and the server sees it", async () => {
      await using server = await WireServer.start(wire.schema, {
        body: [unfinished(wire, text)],
        ending: "silence",
      });
      const ending = new AbortController();
      const parts: StreamPart[] = [];
      for await (const part of connectionTo(server, wire).stream(hello, ending.signal)) {
        parts.push(part);
        if (part.type === "text_delta") ending.abort();
      }
      expect(parts).toEqual([
        { type: "text_delta", text: "Hello " },
        {
          type: "failure",
          failure: {
            kind: "Aborted",
            message: "The request was ended before it was complete.",
            retryable: false,
          },
        },
      ]);
      await server.left;
    });

    test("an abort ends the request also while nobody asks for the next part", async () => {
      await using server = await WireServer.start(wire.schema, {
        body: [unfinished(wire, text)],
        ending: "silence",
      });
      const ending = new AbortController();
      const parts = connectionTo(server, wire).stream(hello, ending.signal)[Symbol.asyncIterator]();
      await parts.next();
      ending.abort();
      await server.left;
      expect(failureIn(await Array.fromAsync({ [Symbol.asyncIterator]: () => parts })).kind).toBe("Aborted");
    });

    test("a consumer that stops listening ends the request", async () => {
      await using server = await WireServer.start(wire.schema, {
        body: [unfinished(wire, text)],
        ending: "silence",
      });
      for await (const _ of connectionTo(server, wire).stream(hello, new AbortController().signal)) break;
      await server.left;
    });

    test("nobody at the address is a ConnectionError that may be tried again", async () => {
      await using server = await WireServer.start(wire.schema);
      const gone = connectionTo(server, wire);
      await server[Symbol.asyncDispose]();
      const failure = failureIn(await collect(gone));
      expect([failure.kind, failure.retryable, failure.status]).toEqual(["ConnectionError", true, undefined]);
    });
  });
}
