// codelia agent run --issues: several issues at once, each a run of its own. One that fails does not stop the others.
import {
  type Channel,
  type Client,
  type FlowOutcome,
  isFlowEvent,
  type Params,
  ProtocolError,
} from "@codelia/protocol";
import { visibleJson, visibleText } from "@codelia/shared-types";
import { type CliIo, exitCode } from "../io.ts";
import { IssueTable, renderIssueEnds } from "../render/index.ts";
import { exitCodeOf } from "./exit-code-of.ts";

export interface IssueBatch {
  readonly issues: readonly number[];
  /** At most this many at a time. */
  readonly parallel: number;
  readonly json: boolean;
}

/** How the run on one issue ended; `outcome` is absent when there was none. */
export interface IssueEnd {
  readonly issue: number;
  readonly outcome?: FlowOutcome;
  readonly error?: string;
}

/** @effects runs; an interrupt stops all of them, and begins no more. Each can be resumed */
export async function runIssues(
  client: Client,
  params: Omit<Params<"flow.start">, "issue">,
  { issues, parallel, json }: IssueBatch,
  io: CliIo,
): Promise<number> {
  const table = new IssueTable(issues, io.stderr, io.clock);
  const running = new Map<number, string>();
  const interrupted = new AbortController();
  const cancel = (run_id: string) => void client.call("flow.cancel", { run_id });
  const stopListening = io.onInterrupt(() => {
    interrupted.abort();
    for (const run of running.values()) cancel(run);
  });
  let sequence = 0;
  const runOne = async (issue: number): Promise<IssueEnd> => {
    const emit: Channel["emit"] = (event) => {
      if (!isFlowEvent(event)) return;
      if (event.type === "flow.work") {
        running.set(issue, event.run_id);
        if (interrupted.signal.aborted) cancel(event.run_id);
      }
      sequence += 1;
      if (json) io.stdout.write(`${visibleJson({ seq: sequence, issue, ...event }, "one-line")}\n`);
      else table.tell(issue, event);
    };
    try {
      // Nobody can be asked: several runs would ask at once, and nobody would know which.
      return { issue, outcome: await client.call("flow.start", { ...params, issue }, { emit }) };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const hint = error.hint === undefined ? "" : `\n${error.hint}`;
      return { issue, error: `${error.message}${hint}` };
    } finally {
      running.delete(issue);
    }
  };
  const ends = new Map<number, IssueEnd>();
  const waiting = [...issues];
  const worker = async () => {
    for (
      let issue = waiting.shift();
      issue !== undefined && !interrupted.signal.aborted;
      issue = waiting.shift()
    ) {
      const end = await runOne(issue);
      ends.set(issue, end);
      table.end(end);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(parallel, issues.length) }, worker));
  } finally {
    stopListening();
    table.stop();
  }
  const all = issues.map((issue) => ends.get(issue) ?? { issue, error: "not begun" });
  if (!json) io.stdout.write(renderIssueEnds(all));
  for (const { issue, error, outcome } of json ? [] : all) {
    const text = error ?? [outcome?.result.error ?? "", outcome?.hint ?? ""].join("\n");
    for (const line of text.split("\n"))
      if (line !== "") io.stderr.write(`#${issue}  ${visibleText(line)}\n`);
  }
  return interrupted.signal.aborted ? exitCode.interrupted : worstCode(all);
}

/** Of what went wrong, what says most about what to do. */
function worstCode(ends: readonly IssueEnd[]): number {
  const codes = ends.map(({ outcome }) => (outcome === undefined ? exitCode.failed : exitCodeOf(outcome)));
  return (
    [exitCode.failed, exitCode.needsPermission, exitCode.limit, exitCode.interrupted].find((code) =>
      codes.includes(code),
    ) ?? exitCode.done
  );
}
