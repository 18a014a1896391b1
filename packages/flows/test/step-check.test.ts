// Checks of a step and the ways after them: pass, fail, retry, fallback, branch, and what happens when all is tried.
import { describe, expect, test } from "bun:test";
import { type CommandRunner, ConnectionError, JudgmentError, StepCheck } from "@codelia/flows";
import type { FlowStep } from "@codelia/shared-types";
import { runFlow, startedFlow, way } from "./support/flow.ts";
import { hang, json } from "./support/scripted-bridge.ts";
import { longMs } from "./support/test-clock.ts";

const string = { type: "string" } as const;
const command = { type: "command" as const, command: ["npm", "test"] };

function commands(run: CommandRunner["run"]): { dependencies: { commands: CommandRunner } } {
  return { dependencies: { commands: { run } } };
}

const codes = (...exits: (number | undefined)[]) =>
  commands(async () => {
    const exitCode = exits.shift();
    return { ...(exitCode === undefined ? {} : { exitCode }), output: `exit ${exitCode}` };
  });

describe("a schema check", () => {
  test("asks no model: it passes when the output is as declared, and fails otherwise", async () => {
    using flow = await runFlow({
      steps: { a: { output: { k: string, n: { type: "number" } }, check: { type: "schema" } } },
      answer: (_, count) => [json([1]), json({ k: 1 }), json({ k: "v", n: 1, extra: 1 })][count - 1] ?? "",
    });
    expect(flow.result.summaries.map(({ check, output }) => [check.message, output])).toEqual([
      [
        "block 1 of 1 is JSON, but no object\nthe whole response is not valid JSON\nno line begins with a declared key and a colon",
        undefined,
      ],
      ["k must be of type string, found number\nn is missing: a number is required", undefined],
      ["the output is as it was declared", { k: "v", n: 1 }],
    ]);
    expect(flow.bridge.asked).toHaveLength(3);
  });

  test("in strict mode refuses fields that are not declared", async () => {
    using flow = await runFlow({
      steps: { a: { output: { k: string }, check: { type: "schema", strict: true }, retries: 0 } },
      answer: () => json({ k: "v", extra: 1 }),
    });
    expect(flow.result.summaries[0]?.check).toEqual({ passed: false, message: '"extra" is not declared' });
  });
});

describe("a command check", () => {
  test("passes with exit code 0 alone; the retry is told the message and the output", async () => {
    using flow = await runFlow({ steps: { a: { check: command } }, ...codes(1, undefined, 0) });
    expect(flow.result.summaries.map(({ check }) => check)).toEqual([
      { passed: false, message: "npm test ended with 1", output: "exit 1" },
      { passed: false, message: "npm test was ended by a signal", output: "exit undefined" },
      { passed: true, message: "npm test ended with 0", output: "exit 0" },
    ]);
    expect(flow.bridge.asked.map(({ prompt }) => prompt).slice(0, 2)).toEqual([
      "Do a.\n",
      "Do a.\n\nYour last answer did not pass the check: npm test ended with 1\nIts output ends with:\nexit 1\nMend it and answer again.",
    ]);
  });

  test("that does not end in time has failed", async () => {
    using flow = await startedFlow({
      steps: { a: { check: { ...command, timeoutMs: longMs }, retries: 0 } },
      ...commands((_, { signal }) => {
        const ended = new Promise<{ output: string }>((resolve) => {
          signal.addEventListener("abort", () => resolve({ output: "half" }));
        });
        queueMicrotask(() => flow.clock.pass(longMs));
        return ended;
      }),
    });
    const { summaries } = await flow.execution.run();
    expect(summaries[0]?.check.message).toBe("npm test did not end in time");
  });

  test("that cannot be started is a JudgmentError, and the step can be retried", async () => {
    using flow = await runFlow({
      steps: { a: { check: command, retries: 1 } },
      ...commands(async () => {
        throw new Error("ENOENT");
      }),
    });
    expect(flow.result.summaries.map(({ check }) => check.message)).toEqual([
      "npm test could not be run: ENOENT",
      "npm test could not be run: ENOENT",
    ]);
    expect(new JudgmentError("x", "y").recoverable).toBe(true);
  });

  test("is not run when the output is not there", async () => {
    let runs = 0;
    using flow = await runFlow({
      steps: { a: { output: { k: string }, check: command } },
      answer: (_, count) => (count === 1 ? "?" : "k: v"),
      ...commands(async () => {
        runs += 1;
        return { exitCode: 0, output: "" };
      }),
    });
    expect([way(flow.result), runs]).toEqual([["a.1.1 -", "a.1.2 +"], 1]);
  });

  test("a retry prompt of its own has the output as a variable", async () => {
    using flow = await runFlow({
      steps: { a: { check: command, retryPrompt: "retry.md" } },
      prompts: { "retry.md": "{run-check_message}: {run-check_output}" },
      ...codes(2, 0),
    });
    expect(flow.bridge.asked[1]?.prompt).toBe("npm test ended with 2: exit 2");
  });
});

describe("a prompt check", () => {
  const steps = {
    a: { output: { k: string }, check: { type: "prompt" as const, prompt: "judge.md" }, retries: 1 },
  };
  const prompts = { "judge.md": "Judge {run-response} and {run-output}" };

  test("asks a model without tools in a session of its own, and takes {result, message}", async () => {
    using flow = await runFlow({
      steps,
      prompts,
      answer: (_, count) =>
        [
          "k: v",
          json({ result: "fail", message: "too short" }),
          "k: longer",
          json({ result: "pass", message: "good" }),
        ][count - 1] ?? "",
    });
    expect(flow.result.summaries.map(({ check, queries }) => [check, queries])).toEqual([
      [{ passed: false, message: "too short" }, 2],
      [{ passed: true, message: "good" }, 2],
    ]);
    expect(flow.bridge.asked.map(({ session, tools }) => [session, tools])).toEqual([
      [undefined, undefined],
      [undefined, []],
      ["session-1", undefined],
      [undefined, []],
    ]);
    expect(flow.bridge.asked[1]?.prompt.split("\n\n")[0]).toBe('Judge k: v and {"k":"v"}');
  });

  test("whose answer cannot be read has failed: only a clear pass passes", async () => {
    const answers = [
      "",
      "pass",
      "result: passed",
      json({ result: true }),
      json({ result: "PASS" }),
      '["pass"]',
    ];
    const passed = await Promise.all(
      answers.map(async (verdict) => {
        using flow = await runFlow({
          steps: { a: { ...steps.a, retries: 0 } },
          prompts,
          answer: ({ tools }) => (tools === undefined ? "k: v" : verdict),
        });
        return flow.result.summaries[0]?.check.passed;
      }),
    );
    expect(passed).toEqual(answers.map(() => false));
  });

  test("whose judge cannot be reached has failed, and can be retried", async () => {
    using flow = await runFlow({
      steps,
      prompts,
      agent: { recovery: { maxAttempts: 1 } },
      answer: (_, count) => ["k: v", new ConnectionError("down"), "k: v", "result: pass"][count - 1] ?? "",
    });
    expect([flow.result.success, flow.result.summaries[0]?.check.message]).toEqual([
      true,
      "the check could not be made: down",
    ]);
  });
});

describe("transitions", () => {
  const branch = {
    on: "k",
    cases: { left: "left", end: "complete" as const, "3": "left" },
    default: "right",
  };

  test("a branch follows the value of the output, and its default for every other", async () => {
    const ways = await Promise.all(
      ["left", "end", "other", "constructor"].map(async (k) => {
        using flow = await runFlow({
          steps: { a: { output: { k: string }, onPass: { branch } }, left: {}, right: {} },
          answer: () => json({ k }),
        });
        return way(flow.result).join(" ");
      }),
    );
    expect(ways).toEqual(["a.1.1 + left.1.1 +", "a.1.1 +", "a.1.1 + right.1.1 +", "a.1.1 + right.1.1 +"]);
  });

  test("a branch after a failed check takes the default when there is no output", async () => {
    using flow = await runFlow({
      steps: { a: { output: { k: string }, onFail: { branch } }, left: {}, right: {} },
      answer: ({ step }) => (step === "a" ? "nothing" : "ok"),
    });
    expect(way(flow.result)).toEqual(["a.1.1 -", "right.1.1 +"]);
  });

  test("a branch never follows the output of another step, also when there was no response", async () => {
    using flow = await startedFlow({
      steps: {
        a: { output: { k: string }, onPass: { next: "b" } },
        b: {
          output: { k: string },
          limits: { timeMs: longMs },
          onFail: { branch },
          onPass: { next: "right" },
        },
        left: {},
        right: {},
      },
      answer: ({ step }) => {
        if (step !== "b") return json({ k: "left" });
        queueMicrotask(() => flow.clock.pass(longMs));
        return hang;
      },
    });
    expect(way(await flow.execution.run())).toEqual(["a.1.1 +", "b.1.1 -", "right.1.1 +"]);
  });

  test("onFail can lead to another step, to a fallback, or to the end", async () => {
    const failed = { output: { k: string } };
    const ways = await Promise.all(
      [{ next: "b" }, { fallback: "b" }, { complete: true as const }].map(async (onFail) => {
        using flow = await runFlow({
          steps: { a: { ...failed, onFail, onPass: { next: "b" } }, b: {} },
          answer: () => "nothing",
        });
        return [flow.result.success, ...way(flow.result)].join(" ");
      }),
    );
    expect(ways).toEqual(["true a.1.1 - b.1.1 +", "true a.1.1 - b.1.1 +", "true a.1.1 -"]);
  });

  test("retries default to three; then the run fails with the check's message", async () => {
    using flow = await runFlow({ steps: { a: { output: { k: string } } }, answer: () => json({ k: 1 }) });
    expect([
      way(flow.result),
      flow.result.failure?.code,
      flow.result.error,
      flow.result.failure?.recoverable,
    ]).toEqual([
      ["a.1.1 -", "a.1.2 -", "a.1.3 -", "a.1.4 -"],
      "RetriesExhausted",
      'The step "a" was done 4 times and its check asks for more: k must be of type string, found number',
      false,
    ]);
  });

  test("exhausted retries fall back or skip where the step says so, and never complete the run", async () => {
    const failing = { output: { k: string }, retries: 1 };
    const draft = (a: Partial<FlowStep>) => ({
      steps: { a: { ...failing, onPass: { next: "b" }, ...a }, b: { onPass: { next: "c" } }, c: {} },
      answer: () => "no",
    });
    using skipped = await runFlow(draft({ onExhausted: "skip" }));
    using fallen = await runFlow(draft({ onExhausted: { fallback: "c" } }));
    expect([way(skipped.result), way(fallen.result)]).toEqual([
      ["a.1.1 -", "a.1.2 -", "b.1.1 +", "c.1.1 +"],
      ["a.1.1 -", "a.1.2 -", "c.1.1 +"],
    ]);
  });

  test("a new visit has its retries anew and a session of its own; a retry goes on in the session", async () => {
    using flow = await runFlow({
      steps: {
        a: { output: { k: string }, retries: 1, onPass: { next: "b" } },
        b: { onPass: { next: "a" } },
      },
      agent: { completion: { type: "iterationBudget", iterations: 6 } },
      answer: ({ step }, count) => (step === "a" && count % 3 === 1 ? "no" : "k: v"),
    });
    expect(way(flow.result)).toEqual(["a.1.1 -", "a.1.2 +", "b.1.1 +", "a.2.1 -", "a.2.2 +", "b.2.1 +"]);
    expect(flow.bridge.asked.map(({ session }) => session)).toEqual([
      undefined,
      "session-1",
      undefined,
      undefined,
      "session-3",
      undefined,
    ]);
  });

  test("transition moves the position and returns the next step or complete", async () => {
    using flow = await startedFlow({ steps: { a: { onPass: { next: "b" } }, b: {} } });
    const [start] = flow.journal.records;
    if (start?.type !== "run.start") throw new Error("no start");
    const never = async () => {
      throw new Error("not asked");
    };
    const check = new StepCheck(start.definition, { runCommand: never, askModel: never });
    const context = { iteration: 1, response: "", problems: [] };
    const first = await check.check(context);
    expect([check.position.id, check.transition(first), check.position.id]).toEqual(["a", "b", "b"]);
    expect(check.transition({ passed: false, message: "x" })).toBe("b");
    expect([check.position.attempt, check.transition(await check.check(context))]).toEqual([2, "complete"]);
  });

  test("an unrecoverable error in a check ends the run at once", async () => {
    using flow = await startedFlow({
      steps: { a: { check: command } },
      ...commands(() => {
        void flow.execution.stop();
        return new Promise(() => undefined);
      }),
      answer: () => "ok",
    });
    const result = await flow.execution.run();
    expect([result.failure?.code, way(result)]).toEqual(["Stopped", ["a.1.1 -"]]);
  });
});
