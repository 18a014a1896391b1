// Pictures of flows whose words would act if they were not text: always the same, well-formed, never overlapping.
import { describe, expect, test } from "bun:test";
import { flowGraph, toMermaid, toSvg } from "@codelia/flows";
import type { FlowDefinition, FlowStep } from "@codelia/shared-types";
import fc from "fast-check";
import { randomContract } from "./support/random-flows.ts";
import { readMermaid } from "./support/strict-mermaid.ts";
import { type Element, elementsOf, readXml } from "./support/strict-xml.ts";

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
