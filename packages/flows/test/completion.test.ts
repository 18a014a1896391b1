// When a run is complete: each type alone, combined, and as part of a run.
import { describe, expect, test } from "bun:test";
import { createCompletion } from "@codelia/flows";
import type { CompletionSpec } from "@codelia/shared-types";
import { CompletionSchema } from "@codelia/shared-types";
import { runFlow, way } from "./support/flow.ts";

const at = (iteration: number, response = "") => ({ iteration, step: "a", response, carry: {} });
const budget = (iterations: number): CompletionSpec => ({ type: "iterationBudget", iterations });
const keyword = (word: string, match?: "contains"): CompletionSpec => ({
  type: "keywordSignal",
  keyword: word,
  ...(match === undefined ? {} : { match }),
});

/** What is said after each of these responses. */
async function answers(spec: CompletionSpec, ...responses: string[]): Promise<string[]> {
  const completion = createCompletion(spec);
  const said: string[] = [];
  for (const [index, response] of responses.entries()) {
    const context = at(index + 1, response);
    completion.observe(context);
    const { complete, reason } = await completion.check(context);
    expect([completion.isComplete(), completion.getReason()]).toEqual([complete, reason ?? ""]);
    said.push(complete ? (reason ?? "NO REASON") : "-");
  }
  return said;
}

describe("completion", () => {
  test("iterationBudget is complete after N iterations", async () => {
    expect(await answers(budget(2), "a", "b", "c")).toEqual([
      "-",
      "the budget of 2 iterations is used",
      "the budget of 2 iterations is used",
    ]);
  });

  test("keywordSignal is complete when the keyword stands alone on a line of the last response", async () => {
    const said = ["I will say DONE when I am done", "ok\r\n  DONE \r\nbye", "- DONE", "DONE."];
    expect(await answers(keyword("DONE"), ...said)).toEqual(["-", 'the model said "DONE"', "-", "-"]);
    expect(await answers(keyword("DONE", "contains"), ...said)).not.toContain("-");
  });

  test("composite any is complete as soon as one is, and gives the first one's reason", async () => {
    const spec: CompletionSpec = {
      type: "composite",
      mode: "any",
      conditions: [keyword("A"), budget(2), keyword("B")],
    };
    expect(await answers(spec, "B", "B", "A")).toEqual([
      'the model said "B"',
      "the budget of 2 iterations is used",
      'the model said "A"',
    ]);
  });

  test("composite all is complete when every one is; all of them observe every iteration, nested ones too", async () => {
    const spec: CompletionSpec = {
      type: "composite",
      mode: "all",
      conditions: [keyword("A"), { type: "composite", mode: "any", conditions: [keyword("B"), budget(3)] }],
    };
    expect(await answers(spec, "A", "B", "A", "x")).toEqual([
      "-",
      "-",
      'the model said "A" and the budget of 3 iterations is used',
      "-",
    ]);
  });

  test("an empty composite is no definition", () => {
    expect(CompletionSchema.safeParse({ type: "composite", mode: "any", conditions: [] }).success).toBe(
      false,
    );
  });

  test("complete implies that a reason is set; before the first check nothing is complete", async () => {
    const completion = createCompletion(budget(1));
    expect([completion.isComplete(), completion.getReason()]).toEqual([false, ""]);
    completion.observe(at(1));
    expect([completion.isComplete(), completion.getReason()]).toEqual([false, ""]);
    const { complete, reason } = await completion.check();
    expect([complete, reason]).toEqual([true, "the budget of 1 iterations is used"]);
  });

  test("check is pure: asked twice about an iteration it counts once and says the same", async () => {
    const completion = createCompletion(budget(2));
    await completion.check(at(1));
    expect(await completion.check(at(1))).toEqual({ complete: false });
    expect(await completion.check(at(2))).toEqual(await completion.check(at(2)));
    expect([completion.isComplete(), completion.isComplete()]).toEqual([true, true]);
  });
});

describe("completion in a run", () => {
  const cycle = { a: { onPass: { next: "b" } }, b: { onPass: { next: "a" } } };

  test("ends it as a success, before the step's own transition", async () => {
    using flow = await runFlow({ steps: cycle, agent: { completion: budget(3) } });
    expect([flow.result.success, flow.result.completionReason, way(flow.result)]).toEqual([
      true,
      "the budget of 3 iterations is used",
      ["a.1.1 +", "b.1.1 +", "a.2.1 +"],
    ]);
    expect(flow.journal.records.at(-2)).toEqual({
      type: "transition",
      from: "a",
      to: "complete",
      reason: "the budget of 3 iterations is used",
      iteration: 3,
    });
  });

  test("does not happen in an iteration whose check failed, whatever the model says", async () => {
    using flow = await runFlow({
      steps: { a: { output: { k: { type: "string" } } } },
      agent: { completion: keyword("DONE") },
      answer: (_, count) => (count < 3 ? "DONE" : "k: v\nDONE"),
    });
    expect([flow.result.completionReason, way(flow.result)]).toEqual([
      'the model said "DONE"',
      ["a.1.1 -", "a.1.2 -", "a.1.3 +"],
    ]);
  });

  test("is reached in the iteration of the hard cap; one more would be a failure", async () => {
    using at3 = await runFlow({ steps: cycle, agent: { completion: budget(3), limits: { iterations: 3 } } });
    using at4 = await runFlow({ steps: cycle, agent: { completion: budget(4), limits: { iterations: 3 } } });
    expect([at3.result.success, at4.result.success, at4.result.failure?.code]).toEqual([
      true,
      false,
      "IterationLimit",
    ]);
  });

  test("quoting the keyword does not end it", async () => {
    using flow = await runFlow({
      steps: cycle,
      agent: { completion: { type: "composite", mode: "any", conditions: [keyword("DONE"), budget(5)] } },
      answer: (_, count) =>
        count === 4 ? "all well\nDONE" : 'I shall write "DONE" at the end. DONE comes later.',
    });
    expect([flow.result.completionReason, flow.result.iterations]).toEqual(['the model said "DONE"', 4]);
  });
});
