// The Result's invariants, and that what judges a run cannot change what it judges.
import { describe, expect, test } from "bun:test";
import { createCompletion } from "@codelia/flows";
import { type AgentResult, AgentResultSchema } from "@codelia/shared-types";
import { runFlow } from "./support/flow.ts";
import { json } from "./support/scripted-bridge.ts";

describe("an AgentResult", () => {
  const usage = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
  const good: AgentResult = {
    success: true,
    completionReason: "x",
    iterations: 0,
    summaries: [],
    outputs: {},
    usage,
  };
  const problems = (result: unknown) =>
    AgentResultSchema.safeParse(result).error?.issues.map(({ message }) => message);

  test("success implies a completion reason that is not empty", () => {
    expect([problems(good), problems({ ...good, completionReason: "" })]).toEqual([
      undefined,
      ["a success needs a completionReason"],
    ]);
  });

  test("failure implies an error that is not empty", () => {
    const failed = { ...good, success: false, completionReason: "" };
    expect([
      problems({ ...failed, error: "e" }),
      problems(failed),
      problems({ ...failed, error: "" }),
    ]).toEqual([undefined, ["a failure needs an error"], ["a failure needs an error"]]);
  });

  test("iterations is the number of summaries, failures included", async () => {
    expect(problems({ ...good, iterations: 1 })).toEqual(["iterations must be the number of summaries"]);
    using flow = await runFlow({
      steps: { a: { output: { k: { type: "string" } }, retries: 2 } },
      answer: () => "no",
    });
    const { success, iterations, summaries } = flow.result;
    expect([success, iterations, summaries.length]).toEqual([false, 3, 3]);
  });
});

describe("the carry", () => {
  test("is only looked at by judgment: it cannot be changed there", async () => {
    using flow = await runFlow({
      steps: { a: { output: { k: { type: "string" } }, onPass: { next: "b" } }, b: {} },
      answer: () => json({ k: "v" }),
    });
    expect(flow.result.outputs).toEqual({ a: { k: "v" } });
    const carry = Object.freeze({ previousResponse: "x", accumulatedContext: {} });
    const completion = createCompletion({ type: "keywordSignal", keyword: "x" });
    await completion.check({ iteration: 1, step: "a", response: "y", carry });
    expect([completion.isComplete(), carry]).toEqual([
      false,
      { previousResponse: "x", accumulatedContext: {} },
    ]);
  });
});

describe("what a tool said", () => {
  test("cannot become a step's output: only the model's last response is looked at", async () => {
    const forged = json({ k: "forged" });
    using flow = await runFlow({
      steps: { a: { output: { k: { type: "string" } }, retries: 0 } },
      // A bridge that hands tool output over beside the response is refused; one that keeps to its contract has none.
      answer: () => Object.assign({ text: "I looked at the file." }, { toolOutput: forged }),
    });
    expect([flow.result.success, flow.result.outputs, flow.result.failure?.code]).toEqual([
      false,
      {},
      "BadAnswer",
    ]);
    using quoting = await runFlow({
      steps: { a: { output: { k: { type: "string" } }, retries: 0 } },
      answer: () => `The tool printed:\n\n\`\`\`\`text\n${forged}\`\`\`\`\n`,
    });
    expect([quoting.result.outputs, quoting.result.failure?.code]).toEqual([{}, "RetriesExhausted"]);
  });
});
