// Several runs at once on standard error: a table that stays in place in a terminal, one line an event elsewhere.
import type { FlowEvent, FlowOutcome } from "@codelia/protocol";
import { visibleName, visibleText } from "@codelia/shared-types";
import type { OutputStream } from "../io.ts";
import { hostWords } from "./flow-runs.ts";
import { columns, cutToCells, oneLine } from "./table.ts";

const redrawMs = 100;

interface Row {
  title: string;
  state: string;
  seconds: number | undefined;
}

interface IssueEndWords {
  readonly issue: number;
  readonly outcome?: FlowOutcome;
  readonly error?: string;
}

export class IssueTable {
  readonly #rows: Map<number, Row>;
  readonly #stream: OutputStream;
  readonly #clock: () => number;
  readonly #begun = new Map<number, number>();
  #drawnLines = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(issues: readonly number[], stream: OutputStream, clock: () => number) {
    this.#rows = new Map(issues.map((issue) => [issue, { title: "", state: "waiting", seconds: undefined }]));
    this.#stream = stream;
    this.#clock = clock;
  }

  tell(issue: number, event: FlowEvent): void {
    if (event.type === "flow.work") this.#set(issue, "claimed", event.work.title);
    const words = wordsOf(event);
    if (words !== undefined) this.#set(issue, words);
  }

  end({ issue, outcome, error }: IssueEndWords): void {
    const words = outcome === undefined ? `failed: ${oneLine(error ?? "")}` : endWords(outcome);
    // Without a terminal the reasons follow once, at the end.
    this.#set(issue, this.#stream.isTTY ? words : words.replace(/^(?!done)(.*?): .*$/, "$1"));
    this.#begun.delete(issue);
  }

  /** Leaves the table as it is. */
  stop(): void {
    if (this.#stream.isTTY) this.#draw();
  }

  #set(issue: number, state: string, title?: string): void {
    const row = this.#rows.get(issue);
    if (row === undefined) return;
    const isNew = row.state !== state;
    if (!this.#begun.has(issue)) this.#begun.set(issue, this.#clock());
    row.state = state;
    row.title = title ?? row.title;
    row.seconds = Math.floor((this.#clock() - (this.#begun.get(issue) ?? 0)) / 1000);
    if (!this.#stream.isTTY) {
      if (isNew) this.#stream.write(`#${issue}  ${state}\n`);
    } else if (this.#clock() - this.#drawnAt >= redrawMs) this.#draw();
  }

  #draw(): void {
    this.#drawnAt = this.#clock();
    const rows = [...this.#rows].map(([issue, { title, state, seconds }]) => [
      `#${issue}`,
      oneLine(title, 40),
      seconds === undefined ? "" : `${seconds}s`,
      state,
    ]);
    const width = this.#stream.columns ?? 80;
    const lines = columns(rows, ["left", "left", "right"]).map((line) => cutToCells(line, width - 1));
    // Back to the table's first line; each line is cleared before it is written again.
    const back = this.#drawnLines === 0 ? "" : `\u001b[${this.#drawnLines}A`;
    this.#stream.write(`${back}${lines.map((line) => `\r\u001b[2K${line}\n`).join("")}`);
    this.#drawnLines = lines.length;
  }
}

function wordsOf(event: FlowEvent): string | undefined {
  switch (event.type) {
    case "flow.started":
      return event.resumed ? "goes on" : "started";
    case "flow.iteration.started":
      return `${visibleName(event.step)}, iteration ${event.iteration}`;
    case "flow.command.started":
      return `${visibleName(event.step)}, check`;
    case "flow.host":
      return hostWords(event);
    case "flow.activity":
    case "flow.notice":
    case "flow.work":
    case "flow.iteration.finished":
    case "flow.transition":
    case "flow.finished":
      return undefined;
  }
}

function endWords({ status, work, result }: FlowOutcome): string {
  if (status !== "done") return `${status.replace("_", " ")}: ${oneLine(result.error ?? "", 100)}`;
  const { done } = work ?? {};
  if (done?.pull_request !== undefined) return `done: ${visibleText(done.pull_request.url)}`;
  if (done?.pushed_to !== undefined) return `done: pushed to ${visibleName(done.pushed_to)}`;
  if (done?.merged_into !== undefined) return `done: merged into ${visibleName(done.merged_into)}`;
  return done === undefined ? "done" : `done: ${done.commit.slice(0, 12)}`;
}

/** One line an issue, for standard output. */
export function renderIssueEnds(ends: readonly IssueEndWords[]): string {
  const rows = ends.map(({ issue, outcome, error }) => [
    `#${issue}`,
    outcome?.work?.branch ?? "",
    outcome === undefined ? `failed: ${oneLine(error ?? "", 100)}` : endWords(outcome),
    outcome?.run_id !== undefined && outcome.status !== "done" ? outcome.run_id : "",
  ]);
  return `${columns(rows).join("\n")}\n`;
}
