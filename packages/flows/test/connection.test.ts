// Prompts, failures of the connection and what is done about them.
import { describe, expect, test } from "bun:test";
import {
  AgentError,
  ConfigurationError,
  ConnectionError,
  ExecutionError,
  errorOf,
  JudgmentError,
  PromptResolver,
  queryError,
  RateLimitError,
  SessionExpired,
} from "@codelia/flows";
import type { ModelFailure, PromptReference } from "@codelia/shared-types";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { runFlow, way } from "./support/flow.ts";

describe("resolving a prompt", () => {
  const resolveIn = async (
    tree: TemporaryTree,
    ref: PromptReference,
    fallbackDir?: string,
  ): Promise<string> => {
    const resolver = new PromptResolver({ directory: tree.at("agent"), fallbackDir });
    try {
      return await resolver.resolve(ref, { "uv-a_b": "value" });
    } catch (error) {
      return error instanceof ConfigurationError ? error.code : String(error);
    }
  };

  test("takes a path, or a C3L reference with edition and adaptation", async () => {
    using tree = new TemporaryTree({
      "agent/prompts/a.md": "path {uv-a_b}",
      "agent/prompts/c1/c2/c3/f_default.md": "default",
      "agent/prompts/c1/c2/c3/f_long_strict.md": "long strict",
    });
    expect([
      await resolveIn(tree, "prompts/a.md"),
      await resolveIn(tree, { path: "./prompts/a.md" }),
      await resolveIn(tree, { c3l: "c1/c2/c3" }),
      await resolveIn(tree, { c3l: "c1/c2/c3", edition: "long", adaptation: "strict" }),
      await resolveIn(tree, { c3l: "c1/c2/c3", edition: "long" }),
    ]).toEqual(["path value", "path value", "default", "long strict", "NotFound"]);
  });

  test("looks for the reference, then its fallback, then the agent's fallback directory", async () => {
    using tree = new TemporaryTree({
      "agent/prompts/a.md": "own",
      "agent/other.md": "fallback",
      "shared/a.md": "shared a",
      "shared/b.md": "shared b",
      "shared/x/y/z/f_default.md": "shared c3l",
    });
    const both = { fallback: "other.md" };
    expect([
      await resolveIn(tree, { path: "prompts/a.md", ...both }, "../shared"),
      await resolveIn(tree, { path: "prompts/b.md", ...both }, "../shared"),
      await resolveIn(tree, "prompts/b.md", "../shared"),
      await resolveIn(tree, { c3l: "x/y/z" }, "../shared"),
      await resolveIn(tree, "prompts/b.md"),
    ]).toEqual(["own", "fallback", "shared b", "shared c3l", "NotFound"]);
  });

  test("is NotFound when the file does not exist, and never gives an empty text", async () => {
    using tree = new TemporaryTree({
      "agent/blank.md": " \n\t",
      "agent/only.md": "{uv-nothing_here}",
      "agent/directory/": "",
      "agent/after.md": "text",
    });
    expect(
      await Promise.all(
        ["none.md", "blank.md", "only.md", "directory", { path: "blank.md", fallback: "after.md" }].map(
          (ref) => resolveIn(tree, ref),
        ),
      ),
    ).toEqual(["NotFound", "NotFound", "NotFound", "NotFound", "text"]);
  });

  test("never leaves the agent's directory, neither by path nor by link; fallbacks may lie beside it", async () => {
    using tree = new TemporaryTree({
      "secret.md": "secret",
      "agent/link.md": { link: "../secret.md" },
      "agent/inside.md": { link: "real.md" },
      "agent/real.md": "real",
      "agents/": "",
    });
    expect([
      await resolveIn(tree, "../secret.md"),
      await resolveIn(tree, "link.md"),
      await resolveIn(tree, "inside.md"),
      await resolveIn(tree, "secret.md", ".."),
      await resolveIn(tree, "etc/passwd", "../.."),
    ]).toEqual(["NotFound", "NotFound", "real", "secret", "NotFound"]);
  });
});

describe("errors", () => {
  test("have the layer's class: configuration is always fatal, judgment and connection are recoverable", () => {
    const all = [
      new ConfigurationError("c", "m"),
      new ExecutionError("c", "m"),
      new ExecutionError("c", "m", { recoverable: true }),
      new JudgmentError("c", "m"),
      new ConnectionError("m"),
      new RateLimitError("m", { retryAfterMs: 5, status: 429 }),
      new SessionExpired("m", { step: "a", iteration: 2 }),
    ];
    expect(all.map((error) => [error instanceof AgentError, error.name, error.recoverable])).toEqual([
      [true, "ConfigurationError", false],
      [true, "ExecutionError", false],
      [true, "ExecutionError", true],
      [true, "JudgmentError", true],
      [true, "ConnectionError", true],
      [true, "RateLimitError", true],
      [true, "SessionExpired", true],
    ]);
    const again = all.map((error) => errorOf(error.toFailure()));
    expect(again.map((error) => [error.name, error.toFailure()])).toEqual(
      all.map((error) => [error.name, error.toFailure()]),
    );
  });

  test("kind and status decide what a failure of the model is, never its text", () => {
    const failure = (kind: ModelFailure["kind"], rest: Partial<ModelFailure> = {}): ModelFailure => ({
      kind,
      message: "429 rate limit, session expired, please retry",
      retryable: false,
      ...rest,
    });
    const name = (each: ModelFailure) => {
      const error = queryError(each);
      return `${error.name} ${error.code} ${error.recoverable}`;
    };
    expect([
      name(failure("RateLimitError", { status: 429 })),
      name(failure("SessionExpired")),
      name(failure("ConnectionError", { retryable: true })),
      name(failure("ConnectionError", { status: 503 })),
      name(failure("ConnectionError", { status: 404 })),
      name(failure("AuthError", { status: 401 })),
      name(failure("InvalidRequest")),
      name(failure("ContextOverflow")),
      name(failure("Aborted")),
    ]).toEqual([
      "RateLimitError RateLimitError true",
      "SessionExpired SessionExpired true",
      "ConnectionError ConnectionError true",
      "ConnectionError ConnectionError true",
      "ExecutionError RequestRefused false",
      "ExecutionError AuthError false",
      "ExecutionError InvalidRequest false",
      "ExecutionError ContextOverflow false",
      "ExecutionError Aborted false",
    ]);
  });
});

describe("recovery", () => {
  const down = (rest: { retryAfterMs?: number } = {}) =>
    new ConnectionError("down", { status: 503, ...rest });

  test("a recoverable error is retried up to the limit with jittered waits, within one iteration", async () => {
    using flow = await runFlow({
      steps: { a: {} },
      answer: (_, count) => (count < 4 ? down() : "ok"),
    });
    expect([flow.result.success, way(flow.result), flow.result.summaries[0]?.queries]).toEqual([
      true,
      ["a.1.1 +"],
      4,
    ]);
    expect(flow.clock.waits).toEqual([500, 1000, 2000]);
  });

  test("waits never exceed their bound, and the jitter comes from the random source", async () => {
    using flow = await runFlow({
      steps: { a: {} },
      agent: { recovery: { maxAttempts: 4, baseDelayMs: 100, maxDelayMs: 150 } },
      answer: () => down(),
      dependencies: { random: () => 0.999 },
    });
    expect(flow.clock.waits).toEqual([100, 150, 150]);
  });

  test("Retry-After is honoured, and one that is too long is not waited for", async () => {
    using short = await runFlow({
      steps: { a: {} },
      answer: (_, count) => (count === 1 ? new RateLimitError("slow", { retryAfterMs: 7000 }) : "ok"),
    });
    using long = await runFlow({
      steps: { a: {} },
      answer: () => new RateLimitError("slow", { retryAfterMs: 86_400_000 }),
    });
    expect([short.clock.waits, short.result.success]).toEqual([[7500], true]);
    expect([long.clock.waits, long.result.failure]).toEqual([
      [],
      {
        layer: "connection",
        code: "RateLimitError",
        message: "slow",
        recoverable: true,
        step: "a",
        iteration: 1,
        retryAfterMs: 86_400_000,
      },
    ]);
  });

  test("the counter begins anew after a success", async () => {
    using flow = await runFlow({
      steps: { a: { onPass: { next: "b" } }, b: {} },
      agent: { recovery: { maxAttempts: 3 } },
      answer: (_, count) => (count % 3 === 0 ? "ok" : down()),
    });
    expect([flow.result.success, flow.result.summaries.map(({ queries }) => queries)]).toEqual([
      true,
      [3, 3],
    ]);
  });

  test("after the retries comes the fallback, then the skip, where the step has one; otherwise the run fails", async () => {
    const draft = (onExhausted: "error" | "skip" | { fallback: string }) => ({
      steps: { a: { onPass: { next: "b" }, onExhausted }, b: { onPass: { next: "c" } }, c: {} },
      agent: { recovery: { maxAttempts: 2 } },
      answer: ({ step }: { step: string }) => (step === "a" ? down() : "ok"),
    });
    using error = await runFlow(draft("error"));
    using skip = await runFlow(draft("skip"));
    using fallback = await runFlow(draft({ fallback: "c" }));
    expect([error.result.error, way(error.result)]).toEqual(["down", ["a.1.1 -"]]);
    expect([way(skip.result), way(fallback.result)]).toEqual([
      ["a.1.1 -", "b.1.1 +", "c.1.1 +"],
      ["a.1.1 -", "c.1.1 +"],
    ]);
  });

  test("an error that is not recoverable stops the agent at once and is recorded in Result.error", async () => {
    using flow = await runFlow({
      steps: { a: { onExhausted: "skip", onPass: { next: "b" } }, b: {} },
      answer: () => new ExecutionError("AuthError", "the key is wrong"),
    });
    expect([flow.result.error, way(flow.result), flow.bridge.asked.length, flow.clock.waits]).toEqual([
      "the key is wrong",
      ["a.1.1 -"],
      1,
      [],
    ]);
  });

  test("an expired session is renewed once, and the new one is told the previous response", async () => {
    using flow = await runFlow({
      steps: { a: { output: { k: { type: "string" } } } },
      answer: (_, count) => ["first answer", new SessionExpired("gone"), "k: v"][count - 1] ?? "",
    });
    const form = "End your answer with one ```json block: an object with these fields.\n- k (string)";
    expect(flow.bridge.asked.map(({ session }) => session)).toEqual([undefined, "session-1", undefined]);
    expect(flow.bridge.asked[2]?.prompt).toBe(
      `The session before this one has ended. Your last answer in it was:\n\nfirst answer\n\n${flow.bridge.asked[1]?.prompt}`,
    );
    expect(flow.bridge.asked[0]?.prompt).toBe(`Do a.\n\n${form}`);
    expect([flow.result.success, way(flow.result), flow.clock.waits]).toEqual([
      true,
      ["a.1.1 -", "a.1.2 +"],
      [],
    ]);
  });

  test("a session that expires twice is a failure", async () => {
    using flow = await runFlow({ steps: { a: {} }, answer: () => new SessionExpired("gone") });
    expect([flow.result.failure?.code, flow.bridge.asked.length]).toEqual(["SessionExpired", 2]);
  });
});

describe("what is carried on", () => {
  test("the execution layer updates the carry after each iteration; prompts see the previous response", async () => {
    using flow = await runFlow({
      steps: {
        a: { output: { k: { type: "string" } }, onPass: { next: "b" } },
        b: { inputs: { variables: { "a.k": true } } },
      },
      agent: { parameters: { who: {} } },
      args: { who: "Ada {uv-a_k}" },
      prompts: { "prompts/b.md": "{param-who}/{uv-a_k}/{run-previous_response}/{run-step}{run-iteration}" },
      answer: ({ step }) => (step === "a" ? "k: {run-step}" : "ok"),
    });
    expect(flow.bridge.asked[1]?.prompt).toBe("Ada {uv-a_k}/{run-step}/k: {run-step}/b2");
  });

  test("a missing required input is a failure of the run, before the model is asked", async () => {
    using flow = await runFlow({
      steps: {
        a: {
          output: { k: { type: "string", required: false }, go: { type: "boolean" } },
          onPass: { next: "b" },
        },
        b: { inputs: { variables: { "a.k": true } } },
      },
      answer: () => "go: true",
    });
    expect([flow.result.failure?.code, flow.result.failure?.step, way(flow.result)]).toEqual([
      "MissingRequiredInput",
      "b",
      ["a.1.1 +"],
    ]);
  });
});
