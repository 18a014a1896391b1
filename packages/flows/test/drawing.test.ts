// A flow as a picture: the boxes, the ways, what a run did; always the same, always well-formed, never overlapping.
import { describe, expect, test } from "bun:test";
import { ConnectionError, flowGraph, runGraph, toMermaid, toSvg } from "@codelia/flows";
import type { FlowDefinition, FlowStep } from "@codelia/shared-types";
import fc from "fast-check";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { agentFiles, type StepDraft, validated } from "./support/definitions.ts";
import { runFlow } from "./support/flow.ts";
import { randomContract } from "./support/random-flows.ts";
import { json } from "./support/scripted-bridge.ts";
import { readMermaid } from "./support/strict-mermaid.ts";
import { type Element, elementsOf, readXml } from "./support/strict-xml.ts";

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

/** Text that would act in Mermaid, in SVG or on a terminal. */
const hostile = fc.constantFrom(
  "plain",
  '"]; click n0 "javascript:alert(1)"',
  "</text><script>alert(1)</script>",
  '%%{init: {"theme": "dark"}}%%',
  "#quot; &amp; #59; `x`",
  "\u001b[2J\u0000\u202e",
  "two\nsubgraph lines",
  "設計する",
  "e\u0301 \ud800",
  "end",
  "x".repeat(5000),
);

const drawn = fc.record({
  contract: randomContract,
  words: fc.array(hostile, { minLength: 8, maxLength: 8 }),
});

function hostileFlow({
  contract,
  words,
}: {
  contract: { steps: Record<string, FlowStep> };
  words: string[];
}) {
  const [name = "", about = "", keyword = "", ...rest] = words;
  const entries = Object.entries(contract.steps).map(([id, step], index): [string, FlowStep] => {
    const description = rest[index % rest.length] ?? "";
    const { branch } = step.onPass;
    const onPass =
      branch === undefined
        ? step.onPass
        : { branch: { ...branch, cases: { ...branch.cases, [description]: "complete" as const } } };
    return [id, { ...step, description, onPass, check: { type: "command", command: [about, name] } }];
  });
  const flow: FlowDefinition = {
    directory: "/x",
    name,
    description: about,
    version: "1.0",
    entry: "s1",
    completion: { type: "keywordSignal", keyword },
    steps: Object.fromEntries(entries),
  };
  return flow;
}

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function rectangleOf({ attributes: { x, y, width, height } }: Element): Rectangle {
  const [left, top] = [Number(x), Number(y)];
  return { left, top, right: left + Number(width), bottom: top + Number(height) };
}

const touch = (a: Rectangle, b: Rectangle) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe("whatever is written in a definition", () => {
  test("Mermaid is of the grammar, with a line for each box and way", () => {
    fc.assert(
      fc.property(drawn, (each) => {
        const graph = flowGraph(hostileFlow(each));
        const { nodes, edges } = readMermaid(toMermaid(graph));
        expect([nodes.size, edges.length]).toEqual([graph.nodes.length, graph.edges.length]);
        expect(toMermaid(graph)).toBe(toMermaid(flowGraph(hostileFlow(each))));
      }),
      { numRuns: 200 },
    );
  });

  test("SVG is well-formed, always the same, and no box or word overlaps another box", () => {
    fc.assert(
      fc.property(drawn, (each) => {
        const graph = flowGraph(hostileFlow(each));
        const svg = toSvg(graph) ?? "";
        expect(svg).toBe(toSvg(flowGraph(hostileFlow(each))) ?? "");
        const root = readXml(svg);
        const all = elementsOf(root);
        const known = ["svg", "title", "style", "defs", "marker", "path", "rect", "text", "g", "circle"];
        expect(all.filter(({ name }) => !known.includes(name))).toEqual([]);
        const group = all.find(({ name }) => name === "g");
        const boxes = all
          .filter(({ attributes }) => attributes.class?.startsWith("node ") === true)
          .flatMap(({ children }) => children.filter(({ name }) => name === "rect").map(rectangleOf));
        const labels = (group?.children ?? []).filter(({ name }) => name === "rect").map(rectangleOf);
        expect(boxes.length).toBe(graph.nodes.length - 1);
        const taken = [...boxes, ...labels];
        const overlaps = taken.flatMap((a, index) => taken.slice(index + 1).filter((b) => touch(a, b)));
        expect(overlaps).toEqual([]);
        const [, , width = 0] = (root.attributes.viewBox ?? "").split(" ").map(Number);
        expect(taken.filter(({ left, right }) => left < -3.1 || right > width)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

test("ten thousand steps are written as Mermaid; a picture that nobody could read is not drawn", () => {
  const many = Array.from({ length: 10_000 }, (_, index): [string, FlowStep] => [
    `s${index}`,
    { prompt: "p", onPass: index === 9_999 ? { complete: true } : { next: `s${index + 1}` } },
  ]);
  const flow: FlowDefinition = {
    directory: "/x",
    name: "many",
    version: "1.0",
    entry: "s0",
    steps: Object.fromEntries(many),
  };
  const graph = flowGraph(flow);
  expect([toSvg(graph), toMermaid(graph).split("\n").length]).toEqual([undefined, 20_008]);
});
