// A flow as an SVG picture.
import { oneLine, plural, withEntities } from "@codelia/shared-types";
import type { FlowGraph, GraphEdge, GraphNode } from "./flow-graph.ts";
import { type Arrow, type Box, type Layout, layOut, type PlacedArrow, type Point } from "./layout/index.ts";
import { widthOf } from "./text.ts";
import { describeAmounts } from "./words.ts";

// More could be laid out, but nobody could read it.
const maxBoxes = 500;
const maxWays = 2_000;
const margin = 24;
const titleSize = 16;
const nameSize = 14;
const textSize = 12;
const lineHeight = 17;
const padding = 12;
const maxLine = 52;
const maxLabel = 36;
const loopWidth = 22;
const dotRadius = 8;

/**
 * @input  graph: of a definition, or of a run
 * @output the picture, the same for the same graph; undefined when it is too large to be drawn
 * @effects none
 */
export function toSvg(graph: FlowGraph): string | undefined {
  if (graph.nodes.length > maxBoxes || graph.edges.length > maxWays) return undefined;
  const nodes = graph.nodes.map((node) => drawnNode(node, graph));
  const edges = graph.edges.filter(({ from, to }) => from !== to);
  const labels = edges.map(labelLines);
  const arrows = labels.map((lines, index): Arrow => {
    const { from, to } = edges[index] ?? { from: "", to: "" };
    return { from, to, labelWidth: widest(lines, textSize), labelHeight: lines.length * lineHeight };
  });
  const layout = layOut(nodes.map(boxOf), arrows);
  return layout && picture(graph, nodes, edges, labels, layout);
}

interface DrawnNode {
  readonly node: GraphNode;
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly state: "passed" | "failed" | "unvisited";
  /** Those that lead back to the same box; one arrow is drawn, with the words of all beside it. */
  readonly loops: readonly GraphEdge[];
}

function drawnNode(node: GraphNode, { edges, run }: FlowGraph): DrawnNode {
  if (node.kind === "start") {
    return { node, lines: [], width: 2 * dotRadius, height: 2 * dotRadius, state: "passed", loops: [] };
  }
  const { description = "", check, run: own } = node;
  const lines = [
    oneLine(node.id, maxLine),
    ...(description.trim() === "" ? [] : [oneLine(description, maxLine)]),
    ...(check === undefined ? [] : [oneLine(`check: ${check}`, maxLine)]),
    ...(own === undefined ? [] : [oneLine(nodeAmounts(own), maxLine + 16)]),
    ...(run?.state === "failed" && run.lastStep === node.id ? ["the run failed here"] : []),
    ...(run?.state === "open" && run.lastStep === node.id ? ["the run is here"] : []),
  ];
  const [name = "", ...rest] = lines;
  const width = Math.max(90, widthOf(name, nameSize) * 1.08, widest(rest, textSize)) + 2 * padding;
  const loops = edges.filter(({ from, to }) => from === node.id && to === node.id);
  return {
    node,
    lines,
    width,
    height: lines.length * lineHeight + 2 * padding - 6,
    state: stateOf(node, run),
    loops,
  };
}

function stateOf({ kind, run: own }: GraphNode, run: FlowGraph["run"]): DrawnNode["state"] {
  if (kind === "end") return run?.state === "succeeded" ? "passed" : "unvisited";
  return own === undefined ? "unvisited" : own.passed ? "passed" : "failed";
}

function nodeAmounts({ visits, iterations, retries, ...amounts }: NonNullable<GraphNode["run"]>): string {
  const parts = [
    plural(visits, "visit"),
    ...(iterations === visits ? [] : [plural(iterations, "iteration")]),
    ...(retries === 0 ? [] : [plural(retries, "retry", "retries")]),
    ...describeAmounts(amounts),
  ];
  return parts.join(" · ");
}

function labelLines({ label, run, kind }: GraphEdge): string[] {
  const words = label === "" ? [] : [oneLine(label, maxLabel)];
  if (run === undefined || kind === "start") return words;
  return [...words, [`${run.count}×`, ...describeAmounts(run)].join(" · ")];
}

function boxOf({ node, width, height, loops }: DrawnNode): Box {
  const half = width / 2;
  const words = loops.flatMap(labelLines);
  const beside = loops.length === 0 ? 0 : loopWidth + 6 + widest(words, textSize);
  const needed = Math.max(height, words.length * lineHeight);
  return { id: node.id, height: needed, left: half, right: half + beside, isLast: node.kind === "end" };
}

function picture(
  graph: FlowGraph,
  nodes: readonly DrawnNode[],
  edges: readonly GraphEdge[],
  labels: readonly (readonly string[])[],
  layout: Layout,
): string {
  const heading = headingLines(graph);
  const top = margin + heading.length * (lineHeight + 2) + 8;
  const [title = "", ...rest] = heading;
  const headingWidth = Math.max(widthOf(title, titleSize) * 1.08, widest(rest, textSize));
  const width = round(Math.max(layout.width, headingWidth) + 2 * margin);
  const height = round(top + layout.height + margin);
  const isRun = graph.run !== undefined;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="ui-sans-serif, system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif" font-size="${textSize}">`,
    `<title>${escaped(oneLine(graph.name, 200))}</title>`,
    `<style>${style}</style>`,
    "<defs>",
    ...kinds.map(
      (kind) =>
        `<marker id="tip-${kind}" class="tip ${kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker>`,
    ),
    "</defs>",
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...heading.map(
      (line, index) =>
        `<text class="${index === 0 ? "title" : "words"}" x="${margin}" y="${round(margin + 12 + index * (lineHeight + 2))}">${escaped(line)}</text>`,
    ),
    `<g transform="translate(${margin} ${round(top)})"${isRun ? ' class="run"' : ""}>`,
    ...layout.arrows.map((arrow, index) => arrowDrawing(arrow, edges[index])),
    ...nodes.flatMap((node) => drawing(node, layout.boxes.get(node.node.id) ?? { x: 0, y: 0 })),
    ...layout.arrows.flatMap((arrow, index) => labelDrawing(labels[index] ?? [], arrow.label, edges[index])),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function headingLines({ name, description = "", completion, run }: FlowGraph): string[] {
  const result =
    run === undefined
      ? []
      : [
          `run ${run.id}: ${run.state}, ${plural(run.iterations, "iteration")}, ${describeAmounts(run).join(", ")}`,
          ...(run.reason === "" ? [] : [run.reason]),
        ];
  return [
    oneLine(name, 80),
    ...[description, ...(completion === undefined ? [] : [`complete when: ${completion}`]), ...result]
      .filter((each) => each.trim() !== "")
      .map((each) => oneLine(each, 110)),
  ];
}

function drawing({ node, lines, width, height, loops, state }: DrawnNode, { x, y }: Point): string[] {
  if (node.kind === "start")
    return [`<circle class="dot" cx="${round(x)}" cy="${round(y)}" r="${dotRadius}"/>`];
  const left = x - width / 2;
  const upper = y - height / 2;
  const radius = node.kind === "end" ? round(height / 2) : 8;
  return [
    `<g class="node ${node.kind} ${state}">`,
    `<rect x="${round(left)}" y="${round(upper)}" width="${round(width)}" height="${round(height)}" rx="${radius}"/>`,
    ...lines.map(
      (each, index) =>
        `<text class="${index === 0 ? "name" : "words"}" x="${round(x)}" y="${round(upper + padding + 9 + index * lineHeight)}">${escaped(each)}</text>`,
    ),
    "</g>",
    ...loopDrawing(loops, { x: x + width / 2, y }),
  ];
}

function loopDrawing(edges: readonly GraphEdge[], { x, y }: Point): string[] {
  const drawn = edges.find(({ run }) => run !== undefined) ?? edges[0];
  if (drawn === undefined) return [];
  const reach = x + loopWidth;
  const lines = edges.flatMap((edge) => labelLines(edge).map((text) => ({ text, edge })));
  const first = y + 4 - ((lines.length - 1) / 2) * lineHeight;
  return [
    `<path class="way ${edgeClass(drawn)}" marker-end="url(#tip-${drawn.kind})" d="M${round(x)} ${round(y - 10)}C${round(reach)} ${round(y - 16)} ${round(reach)} ${round(y + 16)} ${round(x + 1)} ${round(y + 10)}"/>`,
    ...lines.map(
      ({ text, edge }, index) =>
        `<text class="label beside ${edgeClass(edge)}" x="${round(reach - 2)}" y="${round(first + index * lineHeight)}">${escaped(text)}</text>`,
    ),
  ];
}

function arrowDrawing({ points }: PlacedArrow, edge: GraphEdge | undefined): string {
  const [first, ...rest] = points;
  if (first === undefined || edge === undefined) return "";
  let path = `M${round(first.x)} ${round(first.y)}`;
  let last = first;
  for (const point of rest) {
    const bend = (point.y - last.y) / 2;
    path +=
      point.x === last.x
        ? `L${round(point.x)} ${round(point.y)}`
        : `C${round(last.x)} ${round(last.y + bend)} ${round(point.x)} ${round(point.y - bend)} ${round(point.x)} ${round(point.y)}`;
    last = point;
  }
  return `<path class="way ${edgeClass(edge)}" marker-end="url(#tip-${edge.kind})" d="${path}"/>`;
}

function labelDrawing(lines: readonly string[], { x, y }: Point, edge: GraphEdge | undefined): string[] {
  if (lines.length === 0 || edge === undefined) return [];
  const width = widest(lines, textSize) + 6;
  const height = lines.length * lineHeight;
  return [
    `<rect class="paper" x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${round(width)}" height="${round(height)}"/>`,
    ...lines.map(
      (each, index) =>
        `<text class="label ${edgeClass(edge)}" x="${round(x)}" y="${round(y - height / 2 + 13 + index * lineHeight)}">${escaped(each)}</text>`,
    ),
  ];
}

function edgeClass({ kind, run }: GraphEdge): string {
  return run === undefined ? kind : `${kind} taken`;
}

const kinds = ["start", "pass", "fail", "retry", "exhausted", "condition"] as const;

const style = [
  ".paper{fill:#fff}",
  "text{fill:#1f2937}",
  `.title{font-size:${titleSize}px;font-weight:700}`,
  `.name{font-size:${nameSize}px;font-weight:600;text-anchor:middle}`,
  ".words{fill:#4b5563}",
  ".node .words{text-anchor:middle}",
  ".label{text-anchor:middle}",
  ".beside{text-anchor:start}",
  ".node rect{fill:#f8fafc;stroke:#64748b;stroke-width:1.4}",
  ".node.end rect{fill:#eef2ff;stroke:#4f46e5}",
  ".dot{fill:#1f2937}",
  ".way{fill:none;stroke:#334155;stroke-width:1.5}",
  ".way.fail,.way.exhausted{stroke:#b91c1c;stroke-dasharray:6 4}",
  ".way.retry{stroke:#b45309}",
  ".way.condition{stroke:#4f46e5;stroke-dasharray:2 3}",
  ".tip{fill:#334155}.tip.fail,.tip.exhausted{fill:#b91c1c}.tip.retry{fill:#b45309}.tip.condition{fill:#4f46e5}",
  ".label.fail,.label.exhausted{fill:#b91c1c}.label.retry{fill:#b45309}.label.condition{fill:#4f46e5}",
  ".run .node rect{fill:#fff;stroke:#cbd5e1}.run .node.passed rect{fill:#ecfdf5;stroke:#047857}.run .node.failed rect{fill:#fef2f2;stroke:#b91c1c}",
  ".run .way{opacity:.35}.run .way.taken{opacity:1;stroke-width:2.4}.run .label{opacity:.6}.run .label.taken{opacity:1}",
].join("");

function widest(lines: readonly string[], fontSize: number): number {
  return Math.max(0, ...lines.map((each) => widthOf(each, fontSize)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** XML knows no control characters, not even as entities. */
function escaped(text: string): string {
  return withEntities(text.replaceAll(/[\p{Cc}\ufffe\uffff]/gu, "\ufffd"));
}
