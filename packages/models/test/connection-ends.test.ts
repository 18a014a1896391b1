// What becomes of a connection after the last part of an answer. Anthropic's is known before the body has ended.
import { expect, test } from "bun:test";
import {
  type Answer,
  collect,
  connectionTo,
  expectedParts,
  usage,
  WireServer,
  wireOf,
  written,
} from "./wire/index.ts";

const wire = wireOf.anthropic;
const text: Answer = { parts: [{ type: "text", deltas: ["Done."] }], finish: "stop", usage };

test("an answer is read to its end after its last part, so that the connection can be used again", async () => {
  await using server = await WireServer.start(wire.schema);
  const received = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const cutOff: unknown[] = [];
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(written(wire, text))),
    pull: async (controller) => {
      await received.promise;
      controller.close();
      closed.resolve();
    },
  });
  const fetch = (_: unknown, init?: RequestInit) => {
    init?.signal?.addEventListener("abort", () => cutOff.push("aborted"));
    return Promise.resolve(new Response(body));
  };
  expect(await collect(connectionTo(server, wire, { fetch }))).toEqual(expectedParts(wire, text));
  received.resolve();
  await closed.promise;
  expect(cutOff).toEqual([]);
});

test("an answer that does not end after its last part is cut off", async () => {
  await using server = await WireServer.start(wire.schema, {
    body: [written(wire, text)],
    ending: "silence",
  });
  const connection = connectionTo(server, wire, { limits: { endMs: 1 } });
  expect(await collect(connection)).toEqual(expectedParts(wire, text));
  await server.left;
});
