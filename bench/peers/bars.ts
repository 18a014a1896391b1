// The bars that our agent must stay under, as ratios to the best peer of the same run.
import type { Bar } from "../measure.ts";
import type { AgentFigures } from "./table.ts";

export interface Peer {
  readonly name: string;
  readonly figures: AgentFigures;
}

/** @output the bars; those that need a peer's figure which no peer has are left out */
export function bars(ours: AgentFigures, peers: readonly Peer[]): Bar[] {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const mb = (value: number) => `${(value / 1e6).toFixed(0)} MB`;
  return [
    ...ratio("first request : the fastest peer's", 0.33, ours, peers, (of) => of.firstRequest, ms),
    ...ratio("the same, among 5,000 AGENTS.md", 0.33, ours, peers, (of) => of.firstRequestAmongMany, ms),
    ...ratio("read turn : the fastest peer's", 0.5, ours, peers, (of) => of.turn, ms),
    ...ratio("peak memory : the smallest peer's", 0.5, ours, peers, (of) => of.memory, mb),
    {
      name: "first request with all tools",
      value: ours.firstRequestBytes / 1000,
      bar: 12,
      unit: " KB",
      detail: `${ours.firstRequestBytes} bytes`,
    },
    {
      name: "share of a request that the next one does not begin with",
      value: 1 - ours.keptLeast,
      bar: 0,
      unit: "",
      detail: "the worst request",
    },
  ];
}

function ratio(
  name: string,
  bar: number,
  ours: AgentFigures,
  peers: readonly Peer[],
  figure: (of: AgentFigures) => number | undefined,
  format: (value: number) => string,
): Bar[] {
  const own = figure(ours);
  const [best] = peers
    .map((peer) => ({ name: peer.name, value: figure(peer.figures) ?? Number.POSITIVE_INFINITY }))
    .toSorted((a, b) => a.value - b.value);
  if (own === undefined || best === undefined || !Number.isFinite(best.value)) return [];
  const detail = `${format(own)} : ${format(best.value)} (${best.name})`;
  return [{ name, value: own / best.value, bar, unit: "×", detail }];
}
