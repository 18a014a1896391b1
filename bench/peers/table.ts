// The figures of all agents as a table; an agent that has none is listed with the reason.

export interface AgentFigures {
  readonly firstRequest: number;
  readonly firstRequestAmongMany: number;
  readonly turn: number;
  /** Undefined where the system does not show it. */
  readonly memory: number | undefined;
  readonly firstRequestBytes: number;
  readonly keptLeast: number;
  readonly keptMean: number;
  /** How often it was timed. */
  readonly runs: number;
  /** Requests outside the conversation, a run. */
  readonly others: number;
}

export interface Row {
  readonly name: string;
  readonly version: string;
  readonly result: AgentFigures | { readonly failure: string };
}

const header = [
  "agent",
  "version",
  "first request",
  "5,000 AGENTS.md",
  "read turn",
  "peak memory",
  "first body",
  "prefix kept, least",
  "mean",
  "other requests",
  "runs",
];

/** @output lines of a Markdown table, which is what the document holds too, and a line for each failure */
export function figureTable(rows: readonly Row[]): string {
  const cells = rows.map(({ name, version, result }) => [name, version, ...figureCells(result)]);
  const widths = header.map((title, index) =>
    Math.max(title.length, ...cells.map((row) => (row[index] ?? "").length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, index) => (index < 2 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, index) => (index < 2 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  const failures = rows.flatMap(({ name, result }) =>
    "failure" in result ? [`${name} has no figures: ${result.failure}`] : [],
  );
  return [line(header), rule, ...cells.map(line), ...failures.map((failure) => `\n${failure}`)].join("\n");
}

function figureCells(result: Row["result"]): string[] {
  if ("failure" in result) return header.slice(2).map((_, index) => (index === 0 ? "failed" : "–"));
  return [
    `${result.firstRequest.toFixed(0)} ms`,
    `${result.firstRequestAmongMany.toFixed(0)} ms`,
    `${result.turn.toFixed(1)} ms`,
    result.memory === undefined ? "–" : `${(result.memory / 1e6).toFixed(0)} MB`,
    `${(result.firstRequestBytes / 1000).toFixed(1)} KB`,
    share(result.keptLeast),
    share(result.keptMean),
    result.others.toFixed(0),
    result.runs.toFixed(0),
  ];
}

/** Rounded down, so that 1.000 means all of it. */
function share(value: number): string {
  return (Math.floor(value * 1000) / 1000).toFixed(3);
}
