// A flow as a picture: the boxes, the ways, what a run did; always the same, always well-formed, never overlapping.
import { describe, expect, test } from "bun:test";
import { ConnectionError, flowGraph, runGraph, toMermaid, toSvg } from "@codelia/flows";
import type { FlowDefinition } from "@codelia/shared-types";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { agentFiles, type StepDraft, validated } from "./support/definitions.ts";
import { runFlow } from "./support/flow.ts";
import { json } from "./support/scripted-bridge.ts";
import { readMermaid } from "./support/strict-mermaid.ts";
import { elementsOf, readXml } from "./support/strict-xml.ts";

const string = { type: "string" } as const;

/** Every kind of way. */
const steps: Readonly<Record<string, StepDraft>> = {
  look: {
    description: "Find the cause",
    output: { size: string },
    onPass: { branch: { on: "size", cases: { large: "plan", huge: "plan", "": "mend" }, default: "mend" } },
    onExhausted: "skip",
  },
  plan: { onPass: { next: "mend" } },
  mend: {
    check: { type: "command", command: ["npm", "test"] },
    retries: 2,
    onPass: { next: "judge" },
    onExhausted: { fallback: "plan" },
  },
  judge: {
    output: { word: string },
    check: { type: "prompt", prompt: "judge.md" },
    retries: 0,
    onPass: { complete: true },
    onFail: { fallback: "mend" },
  },
};

async function definition(): Promise<FlowDefinition> {
  using tree = new TemporaryTree(
    agentFiles(
      steps,
      {
        name: "fixer",
        completion: {
          type: "composite",
          mode: "any",
          conditions: [
            { type: "keywordSignal", keyword: "DONE" },
            {
              type: "composite",
              mode: "all",
              conditions: [
                { type: "iterationBudget", iterations: 9 },
                { type: "keywordSignal", keyword: "ENOUGH" },
              ],
            },
          ],
        },
      },
      { "judge.md": "Judge it." },
    ),
  );
  return (await validated(tree.path)).flow;
}

describe("the graph of a definition", () => {
  test("has a box for each step and an arrow for each reason to go on, with words", async () => {
    const { nodes, edges, ...rest } = flowGraph(await definition());
    expect(rest).toEqual({
      name: "fixer",
      completion: "the model says DONE or (9 iterations and the model says ENOUGH)",
    });
    expect(nodes.map(({ id, kind, check = "" }) => `${kind} ${id} ${check}`.trim())).toEqual([
      "start (start)",
      "step look",
      "step plan",
      "step mend $ npm test",
      "step judge judged by judge.md",
      "end complete",
    ]);
    expect(edges.map(({ from, to, kind, label }) => `${from} -> ${to} ${kind}: ${label}`)).toEqual([
      "(start) -> look start: ",
      "look -> plan pass: size = large; size = huge",
      'look -> mend pass: size = ""; size: otherwise',
      "look -> look retry: retry, at most 3",
      "look -> mend exhausted: skipped",
      "plan -> mend pass: ",
      "mend -> judge pass: pass",
      "mend -> mend retry: retry, at most 2",
      "mend -> plan exhausted: given up",
      "judge -> complete pass: pass",
      "judge -> mend fail: fail",
    ]);
  });

  test("is written as a Mermaid flowchart", async () => {
    expect(toMermaid(flowGraph(await definition())).split("\n")).toEqual([
      "---",
      'title: "fixer"',
      "---",
      "flowchart TD",
      '  n0(("start"))',
      '  n1["look<br/>Find the cause"]',
      '  n2["plan"]',
      '  n3["mend<br/>check: $ npm test"]',
      '  n4["judge<br/>check: judged by judge.md"]',
      '  n5(["complete<br/>when: the model says DONE or #40;9 iterations and the model says ENOUGH#41;"])',
      "  n0 --> n1",
      '  n1 -->|"size = large#59; size = huge"| n2',
      '  n1 -->|"size = #34;#34;#59; size: otherwise"| n3',
      '  n1 -->|"retry, at most 3"| n1',
      '  n1 -.->|"skipped"| n3',
      "  n2 --> n3",
      '  n3 -->|"pass"| n4',
      '  n3 -->|"retry, at most 2"| n3',
      '  n3 -.->|"given up"| n2',
      '  n4 -->|"pass"| n5',
      '  n4 -.->|"fail"| n3',
      "",
    ]);
  });
});

describe("the graph of a run", () => {
  const answers: Readonly<Record<string, readonly (string | Error)[]>> = {
    look: ["nothing", json({ size: "large" })],
    plan: ["1. Mend it."],
    mend: ["done"],
    judge: [json({ word: "x" }), "result: fail\nmessage: no", json({ word: "y" }), "result: pass"],
  };

  test("marks visited steps, retries, time and cost, and the way by which a condition ended it", async () => {
    const asked: Record<string, number> = {};
    using flow = await runFlow({
      steps,
      agent: { name: "fixer", completion: { type: "keywordSignal", keyword: "DONE" } },
      prompts: { "judge.md": "Judge it." },
      answer: ({ step }) => {
        asked[step] = (asked[step] ?? 0) + 1;
        const text = answers[step]?.[(asked[step] ?? 1) - 1] ?? "";
        const isLast = step === "judge" && asked[step] === 3;
        return text instanceof Error ? text : { text: isLast ? `${text}\nDONE` : text, costUsd: 0.25 };
      },
      dependencies: { commands: { run: async () => ({ exitCode: 0, output: "" }) } },
    });
    const graph = runGraph(flow.journal.records);
    expect(graph?.run).toEqual({
      id: "run-1",
      state: "succeeded",
      reason: 'the model said "DONE"',
      iterations: 7,
      lastStep: "judge",
      elapsedMs: 90,
      costUsd: 2.25,
    });
    expect(graph?.nodes.flatMap(({ id, run }) => (run === undefined ? [] : [{ id, ...run }]))).toEqual([
      { id: "look", visits: 1, iterations: 2, retries: 1, passed: true, elapsedMs: 20, costUsd: 0.5 },
      { id: "plan", visits: 1, iterations: 1, retries: 0, passed: true, elapsedMs: 10, costUsd: 0.25 },
      { id: "mend", visits: 2, iterations: 2, retries: 0, passed: true, elapsedMs: 20, costUsd: 0.5 },
      { id: "judge", visits: 2, iterations: 2, retries: 0, passed: true, elapsedMs: 40, costUsd: 1 },
    ]);
    const taken = (graph?.edges ?? []).flatMap(({ from, to, kind, run }) =>
      run === undefined
        ? []
        : [`${from} -> ${to} ${kind} ${run.count} ${run.elapsedMs} ${run.costUsd ?? "-"}`],
    );
    expect(taken).toEqual([
      "(start) -> look start 1 0 -",
      "look -> plan pass 1 10 0.25",
      "look -> look retry 1 10 0.25",
      "plan -> mend pass 1 10 0.25",
      "mend -> judge pass 2 20 0.5",
      "judge -> mend fail 1 20 0.5",
      "judge -> complete condition 1 20 0.5",
    ]);
    const chart = readMermaid(graph === undefined ? "" : toMermaid(graph));
    expect([chart.title, chart.nodes.get("n1"), chart.edges.at(-1), chart.styles.slice(-2)]).toEqual([
      "fixer, run run-1: succeeded",
      ["look", "Find the cause", "1× · 1 retry · 20 ms · $0.5000"],
      ["n4", "n5", ['the model said "DONE"', "1× · 20 ms · $0.5000"]],
      ["class n1,n2,n3,n4 passed", "linkStyle 0,1,3,5,6,10,11 stroke-width:3px"],
    ]);
    const picture = elementsOf(readXml((graph && toSvg(graph)) ?? "")).map(({ text }) => text);
    expect(picture).toContain("1 visit · 2 iterations · 1 retry · 20 ms · $0.5000");
    expect(picture).toContain("run run-1: succeeded, 7 iterations, 90 ms, $2.25");
  });

  test("says where a run failed, or where it is when it has not ended, and leaves out what is unknown", async () => {
    using flow = await runFlow({
      steps: { a: { onPass: { next: "b" } }, b: {} },
      agent: { recovery: { maxAttempts: 1 } },
      answer: ({ step }) => (step === "b" ? new ConnectionError("down") : { text: "ok", costUsd: undefined }),
    });
    const { records } = flow.journal;
    expect(runGraph(records)?.run).toMatchObject({ state: "failed", reason: "down", lastStep: "b" });
    const upToB = records.slice(0, records.findIndex(({ type }) => type === "transition") + 1);
    const open = runGraph(upToB);
    expect(open?.run).toEqual({
      id: "run-1",
      state: "open",
      reason: "",
      iterations: 1,
      lastStep: "b",
      elapsedMs: 10,
      costUsd: undefined,
    });
    expect((open && toSvg(open)) ?? "").toContain("the run is here");
    expect(runGraph(records.slice(1))).toBeUndefined();
  });
});
