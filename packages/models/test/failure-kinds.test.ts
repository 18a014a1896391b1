// Which kind of failure an error is: by status, by code, by text only where a provider has nothing better.
import { expect, test } from "bun:test";
import {
  type Answer,
  collect,
  connectionTo,
  failureIn,
  hello,
  key,
  troubled,
  unfinished,
  usage,
  type Wire,
  WireServer,
  wireOf,
  written,
} from "./wire/index.ts";

const text: Answer = { parts: [{ type: "text", deltas: ["Hello ", "there."] }], finish: "stop", usage };

test("an abort before the request makes none", async () => {
  await using server = await WireServer.start(wireOf.anthropic.schema);
  const parts = await collect(connectionTo(server, wireOf.anthropic), hello, AbortSignal.abort());
  expect([failureIn(parts)?.kind, server.requests.length]).toEqual(["Aborted", 0]);
});

test("an abort while the server has not answered at all ends at once", async () => {
  const wire = wireOf.anthropic;
  await using server = await WireServer.start(wire.schema, { body: [], ending: "silence" });
  const ending = new AbortController();
  setTimeout(() => ending.abort(), 20);
  expect(failureIn(await collect(connectionTo(server, wire), hello, ending.signal)).kind).toBe("Aborted");
  await server.left;
});

test("an error in the middle of an answer is classified by its type, since the status was 200", async () => {
  const { anthropic, openai, google, chat } = wireOf;
  const cases: readonly (readonly [Wire, object, string, boolean])[] = [
    [
      anthropic,
      { type: "error", error: { type: "overloaded_error", message: "m" } },
      "ConnectionError",
      true,
    ],
    [anthropic, { type: "error", error: { type: "rate_limit_error", message: "m" } }, "RateLimitError", true],
    [
      openai,
      { type: "error", code: "rate_limit_exceeded", message: "m", param: null, sequence_number: 1 },
      "RateLimitError",
      true,
    ],
    [google, { error: { code: 503, message: "m", status: "UNAVAILABLE" } }, "ConnectionError", true],
    [chat, { error: { code: 502, message: "m", type: "server_error" } }, "ConnectionError", true],
    [chat, { error: { code: 429, message: "m", type: "upstream" } }, "RateLimitError", true],
    [
      chat,
      { error: { code: null, message: "m", type: "exceed_context_size_error" } },
      "ContextOverflow",
      false,
    ],
  ];
  const seen: unknown[] = [];
  for (const [wire, event] of cases) {
    for (const before of [unfinished(wire, text), ""]) {
      await using server = await WireServer.start(wire.schema, { body: [before + wire.write([event])] });
      const failure = failureIn(await collect(connectionTo(server, wire)));
      seen.push([wire.kind, failure.kind, failure.retryable]);
    }
  }
  expect(seen).toEqual(
    cases.flatMap(([wire, , kind, retryable]) => [1, 2].map(() => [wire.kind, kind, retryable])),
  );
});

test("a prompt that is too long is recognised by text where a provider has no code for it", async () => {
  const wire = wireOf.chat;
  const sentences = [
    "prompt is too long: 210000 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000",
    "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens",
    "the request exceeds the available context size, try increasing it",
    "The number of tokens to keep from the initial prompt is greater than the context length",
  ];
  const replies = sentences.map((message) => troubled(wire, "invalid", message));
  await using server = await WireServer.start(wire.schema, ...replies);
  const kinds: unknown[] = [];
  for (const _ of sentences) kinds.push(failureIn(await collect(connectionTo(server, wire))).kind);
  expect(kinds).toEqual(sentences.map(() => "ContextOverflow"));
});

test("a session that the server has forgotten is told apart from other refusals", async () => {
  const wire = wireOf.openai;
  const codes = ["session_expired", "session_not_found", "previous_response_not_found"];
  const replies = codes.map((code) => ({
    status: 400,
    body: [JSON.stringify({ error: { message: "Gone", type: "invalid_request_error", code } })],
  }));
  await using server = await WireServer.start(wire.schema, ...replies);
  const failures: unknown[] = [];
  for (const _ of codes) failures.push(failureIn(await collect(connectionTo(server, wire))));
  const expected = {
    kind: "SessionExpired",
    message: "test: Gone (HTTP 400).",
    status: 400,
    retryable: false,
  };
  expect(failures).toEqual(codes.map(() => expected));
});

test("an account without credit is not tried again", async () => {
  const wire = wireOf.openai;
  const body = JSON.stringify({
    error: { message: "Quota", type: "insufficient_quota", code: "insufficient_quota" },
  });
  await using server = await WireServer.start(wire.schema, { status: 429, body: [body] });
  expect(failureIn(await collect(connectionTo(server, wire)))).toEqual({
    kind: "RateLimitError",
    message: "test: Quota (HTTP 429). The account has no credit left.",
    status: 429,
    retryable: false,
  });
});

test("what is wrong is told in the server's words, wherever it puts them, and never in those of a schema", async () => {
  const wire = wireOf.chat;
  const event = (value: unknown) => ({ body: [`data: ${JSON.stringify(value)}\n\n`] });
  const long = {
    choices: [{ delta: { tool_calls: [{ function: { arguments: { path: "x".repeat(300) } } }] } }],
  };
  const cases = [
    [event({ error: "model not loaded" }), "test: model not loaded."],
    [event({ message: "boom" }), "test: boom."],
    [
      event(long),
      `test: the server sent what is no part of a model's answer: ${JSON.stringify(long).slice(0, 200)}….`,
    ],
    [
      { body: ["data: {not json\n\n"] },
      "test: the server sent what is no part of a model's answer: {not json.",
    ],
    [{ status: 422, body: ['{"detail":"no such field"}'] }, "test: no such field (HTTP 422)."],
    [
      { status: 422, body: ['{"detail":[{"msg":"field required"},{"msg":"too long"}]}'] },
      "test: field required; too long (HTTP 422).",
    ],
    [
      { status: 402, body: ['{"error":{"message":"Insufficient credits","code":402}}'] },
      "test: Insufficient credits (HTTP 402). The account has no credit left.",
    ],
  ] as const;
  await using server = await WireServer.start(wire.schema, ...cases.map(([reply]) => reply));
  const messages: string[] = [];
  for (const _ of cases) messages.push(failureIn(await collect(connectionTo(server, wire))).message);
  expect(messages).toEqual(cases.map(([, message]) => message));
});

test("Google's own way to say when to come back is understood", async () => {
  const wire = wireOf.google;
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }];
  const body = JSON.stringify({
    error: { code: 429, message: "Quota", status: "RESOURCE_EXHAUSTED", details },
  });
  await using server = await WireServer.start(wire.schema, { status: 429, body: [body] });
  expect(failureIn(await collect(connectionTo(server, wire))).retryAfterMs).toBe(34_500);
});

test("statuses of servers between us and the provider are understood without a body", async () => {
  const wire = wireOf.chat;
  const expected = {
    403: ["AuthError", false],
    404: ["InvalidRequest", false],
    408: ["ConnectionError", true],
    409: ["ConnectionError", true],
    413: ["ContextOverflow", false],
    418: ["InvalidRequest", false],
    500: ["ConnectionError", true],
    501: ["ConnectionError", false],
    502: ["ConnectionError", true],
    504: ["ConnectionError", true],
    529: ["ConnectionError", true],
  };
  const statuses = Object.keys(expected).map(Number);
  await using server = await WireServer.start(
    wire.schema,
    ...statuses.map((status) => ({ status, body: ["<p>"] })),
  );
  const seen: [number, unknown][] = [];
  for (const status of statuses) {
    const failure = failureIn(await collect(connectionTo(server, wire)));
    seen.push([status, [failure.kind, failure.retryable]]);
  }
  expect(Object.fromEntries(seen)).toEqual(expected);
});

test("a redirect is not followed, so the key goes nowhere else", async () => {
  const wire = wireOf.anthropic;
  await using other = await WireServer.start(wire.schema, { body: [written(wire, text)] });
  const headers = { location: `${other.origin}/v1/messages` };
  await using server = await WireServer.start(wire.schema, { status: 307, headers, body: [""] });
  const failure = failureIn(await collect(connectionTo(server, wire)));
  expect([failure.kind, failure.retryable, other.requests.length]).toEqual(["InvalidRequest", false, 0]);
});

test("a web page instead of an answer points to the base URL", async () => {
  const wire = wireOf.chat;
  const headers = { "content-type": "text/html; charset=utf-8" };
  await using server = await WireServer.start(wire.schema, { headers, body: ["<html>"] });
  expect(failureIn(await collect(connectionTo(server, wire)))).toEqual({
    kind: "InvalidRequest",
    message: "test: the server answered with a web page instead of a model's answer: check the base URL.",
    retryable: false,
  });
});

test("secrets and control characters in an error's text do not come through, and it is bounded", async () => {
  const wire = wireOf.chat;
  const message = `\u001b[31m${key} and header-secret ${"x".repeat(5000)}`;
  await using server = await WireServer.start(wire.schema, troubled(wire, "invalid", message));
  const connection = connectionTo(server, wire, { headers: { "x-api-key": "header-secret" } });
  const said = failureIn(await collect(connection)).message ?? "";
  expect(said.startsWith("test: \\u001b[31m[redacted] and [redacted] xxx")).toBe(true);
  expect(said.length < 2100).toBe(true);
});

test("a model that could not write its call is a failure that may be tried again", async () => {
  const wire = wireOf.google;
  const event = { candidates: [{ index: 0, finishReason: "MALFORMED_FUNCTION_CALL" }] };
  await using server = await WireServer.start(wire.schema, { body: [wire.write([event])] });
  expect(failureIn(await collect(connectionTo(server, wire)))).toEqual({
    kind: "ConnectionError",
    message: "test: the model stopped with an error: MALFORMED_FUNCTION_CALL.",
    retryable: true,
  });
});

test("a picture that the provider does not take is an InvalidRequest, and no request is made", async () => {
  const wire = wireOf.anthropic;
  await using server = await WireServer.start(wire.schema);
  const content = [{ type: "image", mediaType: "video/mp4", data: "AAAA" } as const];
  const failure = failureIn(
    await collect(connectionTo(server, wire), { messages: [{ role: "user", content }], tools: [] }),
  );
  expect([failure.kind, failure.retryable, server.requests.length]).toEqual(["InvalidRequest", false, 0]);
});

test("an answer that does not begin, or does not come to its end, is given up", async () => {
  const wire = wireOf.chat;
  await using server = await WireServer.start(
    wire.schema,
    { body: [], ending: "mute" },
    { body: [unfinished(wire, text)], ending: "silence" },
  );
  const late = failureIn(await collect(connectionTo(server, wire, { limits: { firstByteMs: 30 } })));
  const long = failureIn(await collect(connectionTo(server, wire, { limits: { totalMs: 60 } })));
  expect([late, long]).toEqual([
    {
      kind: "ConnectionError",
      message: "test: the server did not begin to answer within 0.03 s.",
      retryable: true,
    },
    { kind: "ConnectionError", message: "test: the answer was not complete after 0.06 s.", retryable: true },
  ]);
});
