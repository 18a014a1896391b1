// The states of a run, and that it always ends with a Result whose parts agree.
import { describe, expect, test } from "bun:test";
import { AgentError, ConnectionError, ExecutionError, systemClock } from "@codelia/flows";
import { AgentResultSchema } from "@codelia/shared-types";
import { builtFlow, runFlow, startedFlow, way } from "./support/flow.ts";
import { hang, json } from "./support/scripted-bridge.ts";
import { longMs } from "./support/test-clock.ts";

const string = { type: "string" } as const;

async function codeOf(action: () => Promise<unknown>): Promise<string> {
  try {
    await action();
  } catch (error) {
    return error instanceof AgentError ? `${error.name} ${error.code}` : String(error);
  }
  return "no error";
}

describe("the states of a run", () => {
  test("start moves it from Created to Started, run through Running to Stopped", async () => {
    const states: string[] = [];
    using flow = await builtFlow({
      steps: { a: {} },
      answer: () => {
        states.push(flow.execution.state);
        return "ok";
      },
    });
    states.push(flow.execution.state);
    await flow.execution.start({ cwd: "/" });
    states.push(flow.execution.state);
    await flow.execution.run();
    states.push(flow.execution.state);
    expect(states).toEqual(["Created", "Started", "Running", "Stopped"]);
  });

  test("a second start is AlreadyStarted, also while the first is under way and after the run", async () => {
    using flow = await builtFlow({ steps: { a: {} } });
    const first = flow.execution.start({ cwd: "/" });
    expect(await codeOf(() => flow.execution.start({ cwd: "/" }))).toBe("ExecutionError AlreadyStarted");
    await first;
    await flow.execution.run();
    expect(await codeOf(() => flow.execution.start({ cwd: "/" }))).toBe("ExecutionError AlreadyStarted");
    expect(flow.journal.records.filter(({ type }) => type === "run.start")).toHaveLength(1);
  });

  test("run and stop before start are NotStarted", async () => {
    using flow = await builtFlow({ steps: { a: {} } });
    expect([await codeOf(() => flow.execution.run()), await codeOf(() => flow.execution.stop())]).toEqual([
      "ExecutionError NotStarted",
      "ExecutionError NotStarted",
    ]);
    expect(flow.execution.state).toBe("Created");
  });

  test("wrong arguments are told all at once, and the run can still be started", async () => {
    using flow = await builtFlow({
      steps: { a: {} },
      agent: { parameters: { issue: {}, title: {}, label: { default: "bug" }, note: { required: false } } },
    });
    const failed = flow.execution.start({ cwd: "/", args: { issue: "1", isue: "2" } });
    expect(failed).rejects.toThrow(
      'the parameter "title" is missing; there is no parameter "isue". The flow has these parameters: issue, title, label, note.',
    );
    await failed.catch(() => undefined);
    await flow.execution.start({ cwd: "/", args: { issue: "1", title: "" } });
    const [start] = flow.journal.records;
    expect(start?.type === "run.start" && start.args).toEqual({ issue: "1", title: "", label: "bug" });
  });

  test("build needs something to run commands with when a step is checked by one", async () => {
    const steps = { a: { check: { type: "command" as const, command: ["true"] } } };
    expect(await codeOf(() => builtFlow({ steps }))).toBe("ConfigurationError DependencyError");
  });
});

describe("run", () => {
  test("always returns a Result after it has stopped: a success with a reason", async () => {
    using flow = await runFlow({
      steps: { a: { output: { k: string }, onPass: { next: "b" } }, b: {} },
      answer: ({ step }) => (step === "a" ? json({ k: "v" }) : "fine"),
    });
    const usage = { inputTokens: 10, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 5 };
    const part = { visit: 1, attempt: 1, usage, costUsd: 0.25, queries: 1 };
    expect(flow.result).toEqual({
      success: true,
      completionReason: 'the step "b" completed the flow',
      iterations: 2,
      summaries: [
        {
          ...part,
          iteration: 1,
          step: "a",
          session: "session-1",
          output: { k: "v" },
          check: { passed: true, message: "the output is as it was declared" },
          elapsedMs: 10,
        },
        {
          ...part,
          iteration: 2,
          step: "b",
          session: "session-2",
          check: { passed: true, message: "there is nothing to check" },
          elapsedMs: 20,
        },
      ],
      outputs: { a: { k: "v" } },
      usage: { ...usage, inputTokens: 20, outputTokens: 10 },
      costUsd: 0.5,
    });
  });

  test("nothing throws out of it: whatever goes wrong is in the Result, with step and iteration", async () => {
    const failing = async (error: unknown) => {
      using flow = await runFlow({
        steps: { a: { onPass: { next: "b" } }, b: {} },
        answer: ({ step }) => {
          if (step === "a") return "ok";
          throw error;
        },
      });
      const { success, iterations, summaries, failure } = flow.result;
      expect([success, iterations, summaries.length]).toEqual([false, 2, 2]);
      return `${failure?.layer} ${failure?.code} ${failure?.step} ${failure?.iteration}: ${flow.result.error}`;
    };
    expect([
      await failing(new TypeError("boom")),
      await failing("text"),
      await failing(new ExecutionError("AuthError", "no key")),
      await failing(new ConnectionError("down")),
    ]).toEqual([
      "execution Unexpected b 2: TypeError: boom",
      "execution Unexpected b 2: text",
      "execution AuthError b 2: no key",
      "connection ConnectionError b 2: down",
    ]);
  });

  test("a second call gives the same Result without running again", async () => {
    using flow = await startedFlow({ steps: { a: {} } });
    const [first, second] = await Promise.all([flow.execution.run(), flow.execution.run()]);
    expect([second, await flow.execution.run(), flow.bridge.asked.length]).toEqual([first, first, 1]);
  });

  test("an answer of the bridge that is not of its form is a failure, not a crash", async () => {
    using flow = await runFlow({ steps: { a: {} }, answer: () => ({ costUsd: -1 }) });
    expect([flow.result.failure?.code, flow.result.iterations]).toEqual(["BadAnswer", 1]);
  });

  test("a prompt that disappeared is a failure before the iteration begins", async () => {
    using flow = await startedFlow({ steps: { a: {} } });
    flow.tree.remove("prompts/a.md");
    const result = await flow.execution.run();
    expect([result.failure?.code, result.iterations, result.summaries]).toEqual(["NotFound", 0, []]);
    expect(AgentResultSchema.safeParse(result).success).toBe(true);
  });
});

describe("stop", () => {
  test("ends what is under way; run and stop give the same Result, and calling it twice is safe", async () => {
    let ended = 0;
    using flow = await startedFlow({
      steps: { a: { onPass: { next: "b" } }, b: {} },
      answer: ({ step }) => {
        if (step === "a") return "ok";
        queueMicrotask(() => void flow.execution.stop());
        return hang;
      },
      dependencies: {
        release: async () => {
          ended += 1;
        },
      },
    });
    const result = await flow.execution.run();
    const again = await Promise.all([flow.execution.stop(), flow.execution.stop()]);
    expect(again).toEqual([result, result]);
    expect([result.error, result.failure?.code, way(result), ended, flow.execution.state]).toEqual([
      "The run was stopped.",
      "Stopped",
      ["a.1.1 +", "b.1.1 -"],
      1,
      "Stopped",
    ]);
    expect(flow.journal.records.at(-1)).toEqual({ type: "run.end", result });
  });

  test("before run gives a Result without iterations, and run gives the same", async () => {
    using flow = await startedFlow({ steps: { a: {} } });
    const result = await flow.execution.stop();
    expect([result.iterations, result.error, flow.bridge.asked]).toEqual([0, "The run was stopped.", []]);
    expect(await flow.execution.run()).toEqual(result);
  });

  test("after the run gives the run's Result", async () => {
    using flow = await runFlow({ steps: { a: {} } });
    expect(await flow.execution.stop()).toEqual(flow.result);
    expect(flow.result.success).toBe(true);
  });

  test("does not wait for a bridge that does not listen", async () => {
    using flow = await startedFlow({
      steps: { a: {} },
      answer: () => {
        queueMicrotask(() => void flow.execution.stop());
        return new Promise<never>(() => undefined);
      },
    });
    expect((await flow.execution.run()).failure?.code).toBe("Stopped");
    expect(flow.clock.waits).toEqual([5000]);
  });

  test("at every moment of a run leaves a valid Result and nothing after it", async () => {
    const moments = 20;
    const seen = new Set<string>();
    for (let moment = 1; moment <= moments; moment += 1) {
      let left = Number.POSITIVE_INFINITY;
      let isOver = false;
      const tick = () => {
        if (isOver) throw new Error("something happened after the end");
        left -= 1;
        if (left === 0) void flow.execution.stop();
      };
      using flow = await startedFlow({
        steps: {
          a: { onPass: { next: "b" }, check: { type: "command", command: ["x"] } },
          b: { onPass: { next: "c" } },
          c: {},
        },
        answer: () => {
          tick();
          return "ok";
        },
        dependencies: {
          commands: {
            run: async () => {
              tick();
              return { exitCode: 0, output: "" };
            },
          },
          onRecord: tick,
        },
      });
      left = moment;
      const result = await flow.execution.run();
      isOver = true;
      expect(AgentResultSchema.safeParse(result).success).toBe(true);
      seen.add(`${result.iterations} ${result.failure?.code ?? "success"}`);
    }
    expect([...seen].toSorted()).toEqual(["1 Stopped", "2 Stopped", "3 Stopped", "3 success"]);
  });
});

describe("limits", () => {
  const cycle = { a: { onPass: { next: "b" } }, b: { onPass: { next: "a" } } };
  const completion = { type: "iterationBudget", iterations: 99 } as const;
  const ends = async (
    agent: Parameters<typeof runFlow>[0]["agent"],
    steps: Parameters<typeof runFlow>[0]["steps"] = cycle,
  ) => {
    using flow = await runFlow({ steps, agent: { completion, ...agent } });
    const { failure, iterations } = flow.result;
    return `${failure?.code} ${failure?.step} after ${iterations}`;
  };

  test("the hard cap on iterations ends a run as a failure, of the run and of a step", async () => {
    expect(await ends({ limits: { iterations: 5 } })).toBe("IterationLimit b after 5");
    expect(await ends({}, { ...cycle, b: { ...cycle.b, limits: { iterations: 2 } } })).toBe(
      "IterationLimit b after 5",
    );
    expect(await ends({ limits: { visits: 1000 } })).toBe("undefined undefined after 99");
  });

  test("visits of a step are capped, ten by default", async () => {
    expect(await ends({})).toBe("VisitLimit a after 20");
    expect(await ends({ limits: { visits: 3 } })).toBe("VisitLimit a after 6");
    expect(await ends({}, { ...cycle, b: { ...cycle.b, limits: { visits: 1 } } })).toBe(
      "VisitLimit b after 3",
    );
  });

  test("tokens and cost are counted, of the run and of a step", async () => {
    expect(await ends({ limits: { tokens: 40 } })).toBe("TokenLimit b after 3");
    expect(await ends({ limits: { costUsd: 1 } })).toBe("CostLimit a after 4");
    expect(await ends({}, { ...cycle, b: { ...cycle.b, limits: { costUsd: 0.5 } } })).toBe(
      "CostLimit b after 5",
    );
    expect(await ends({}, { ...cycle, a: { ...cycle.a, limits: { tokens: 16 } } })).toBe(
      "TokenLimit a after 4",
    );
  });

  test("a cost limit with an unknown price is an error instead of never being reached", async () => {
    using flow = await runFlow({
      steps: cycle,
      agent: { completion, limits: { costUsd: 1 } },
      answer: () => ({ costUsd: undefined }),
    });
    expect([flow.result.failure?.code, flow.result.iterations, flow.result.costUsd]).toEqual([
      "CostUnknown",
      1,
      undefined,
    ]);
  });

  test("the time of the run ends a query under way", async () => {
    using flow = await startedFlow({
      steps: { a: {} },
      agent: { limits: { timeMs: longMs } },
      answer: () => {
        queueMicrotask(() => flow.clock.pass(longMs));
        return hang;
      },
    });
    const result = await flow.execution.run();
    expect([result.failure?.code, way(result)]).toEqual(["TimeLimit", ["a.1.1 -"]]);
  });

  test("the time of an iteration ends it, and the step is retried", async () => {
    using flow = await startedFlow({
      steps: { a: { limits: { timeMs: longMs } } },
      answer: (_, count) => {
        if (count > 1) return "ok";
        queueMicrotask(() => flow.clock.pass(longMs));
        return hang;
      },
    });
    const result = await flow.execution.run();
    expect([result.success, way(result)]).toEqual([true, ["a.1.1 -", "a.1.2 +"]]);
    expect(result.summaries[0]?.error?.code).toBe("IterationTimeout");
  });
});

test("a limit of more than 24 days does not end at once, as a timer of that length would", async () => {
  const waiting = new AbortController();
  const first = await Promise.race([
    systemClock.wait(3_000_000_000, waiting.signal).then(() => "the limit"),
    systemClock.wait(50, waiting.signal).then(() => "another timer"),
  ]);
  waiting.abort();
  expect(first).toBe("another timer");
});
