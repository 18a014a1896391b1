export { type EdgeKind, type FlowGraph, flowGraph, type GraphEdge, type GraphNode } from "./flow-graph.ts";
export { toMermaid } from "./mermaid.ts";
export { type EdgeRun, type NodeRun, type RunSummary, runGraph } from "./run-marks.ts";
export { toSvg } from "./svg.ts";
