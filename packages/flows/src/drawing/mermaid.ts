// A flow as a Mermaid flowchart, for pages that draw it.
import { oneLine, plural } from "@codelia/shared-types";
import type { EdgeKind, FlowGraph, GraphEdge, GraphNode } from "./flow-graph.ts";
import { describeAmounts } from "./words.ts";

const maxText = 120;

/**
 * @input  graph: of a definition, or of a run
 * @output the text, the same for the same graph; names and words of the definition are text in it and nothing else
 * @effects none
 */
export function toMermaid({ name, completion, nodes, edges, run }: FlowGraph): string {
  // Of its own making: an id such as `end` has a meaning in Mermaid.
  const ids = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const idOf = (id: string) => ids.get(id) ?? "unknown";
  const visited = nodes.filter((node) => node.run !== undefined);
  const classes = (word: string, of: readonly GraphNode[]) =>
    of.length === 0 ? [] : [`  class ${of.map(({ id }) => idOf(id)).join(",")} ${word}`];
  const taken = edges.flatMap((edge, index) => (edge.run === undefined ? [] : [index]));
  const summary = run && `run ${run.id}: ${run.state}`;
  return [
    "---",
    `title: ${quoted(oneLine([name, summary].filter(Boolean).join(", "), maxText))}`,
    "---",
    "flowchart TD",
    ...nodes.map((node) => `  ${idOf(node.id)}${shape(node, completion)}`),
    ...edges.map((edge) => `  ${idOf(edge.from)} ${arrow(edge)} ${idOf(edge.to)}`),
    ...(visited.length === 0 ? [] : classDefinitions),
    ...classes(
      "passed",
      visited.filter((node) => node.run?.passed === true),
    ),
    ...classes(
      "failed",
      visited.filter((node) => node.run?.passed === false),
    ),
    ...(taken.length === 0 ? [] : [`  linkStyle ${taken.join(",")} stroke-width:3px`]),
    "",
  ].join("\n");
}

const classDefinitions = [
  "  classDef passed fill:#ecfdf5,stroke:#047857",
  "  classDef failed fill:#fef2f2,stroke:#b91c1c",
];

function shape(node: GraphNode, completion: string | undefined): string {
  switch (node.kind) {
    case "start":
      return '(("start"))';
    case "end":
      return `(["${lines(["complete", ...(completion === undefined ? [] : [`when: ${completion}`])])}"])`;
    case "step": {
      const { id, description = "", check, run } = node;
      const amounts = run && [`${run.visits}×`, retried(run.retries), ...describeAmounts(run)];
      return `["${lines([
        id,
        description,
        ...(check === undefined ? [] : [`check: ${check}`]),
        amounts?.filter((each) => each !== "").join(" · ") ?? "",
      ])}"]`;
    }
  }
}

function retried(retries: number): string {
  return retries === 0 ? "" : plural(retries, "retry", "retries");
}

const strokes: Readonly<Record<EdgeKind, string>> = {
  start: "-->",
  pass: "-->",
  retry: "-->",
  fail: "-.->",
  exhausted: "-.->",
  condition: "-.->",
};

function arrow({ kind, label, run }: GraphEdge): string {
  const amounts = run === undefined || kind === "start" ? [] : [`${run.count}×`, ...describeAmounts(run)];
  const text = lines([label, amounts.join(" · ")]);
  return text === "" ? strokes[kind] : `${strokes[kind]}|"${text}"|`;
}

function lines(texts: readonly string[]): string {
  return texts
    .map((text) => escaped(oneLine(text, maxText)))
    .filter((text) => text !== "")
    .join("<br/>");
}

/** As YAML. Mermaid looks for directives and entities in the whole text, so that their signs are written as escapes. */
function quoted(text: string): string {
  const asEscape = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text).replaceAll(/[%#&<>{};`]/g, asEscape);
}

/** Letters, digits and a few signs as they are, everything else by its number. */
function escaped(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N} .,:=$/_×·…-]/gu, (character) => `#${character.codePointAt(0)};`);
}
