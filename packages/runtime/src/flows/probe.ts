// After a crash: what the session of a query says about how far it came.
import type { Probe } from "@codelia/flows";
import type { QueryResult, Usage } from "@codelia/shared-types";
import type { Disk } from "@codelia/storage";
import { readRecords, SessionFold } from "../sessions/index.ts";
import { standingOf } from "./open-calls.ts";
import { QueryFold } from "./query-fold.ts";

export interface ProbedQuery {
  readonly run: string;
  readonly effect: number;
  readonly session: string;
}

/** A call that was under way; nobody knows what came of it. */
export interface UnknownCall {
  readonly tool: string;
  readonly title: string;
}

/**
 * `not_done` also means: everything that its tools did is known, and the query can go on in its session.
 *
 * @effects reads the session's journal and files that a tool was about to change
 */
export async function probeQuery(
  disk: Disk,
  directory: string,
  query: ProbedQuery,
  costOf: (model: string, usage: Usage) => Promise<number | undefined>,
): Promise<Probe<QueryResult>> {
  const { known, model, unknownCall } = await lookAtQuery(disk, directory, query);
  if (known === undefined) return { state: "not_done" };
  const { answer, usage } = known;
  if (answer === undefined) return { state: unknownCall === undefined ? "not_done" : "unknown" };
  const costUsd = await costOf(model, usage);
  const { session } = query;
  return {
    state: "done",
    result: { text: answer, session, usage, ...(costUsd === undefined ? {} : { costUsd }) },
  };
}

export interface QueryLook {
  /** Undefined: the session knows nothing of this query. */
  readonly known: QueryFold | undefined;
  /** The model that was asked last. */
  readonly model: string;
  readonly unknownCall: UnknownCall | undefined;
}

export async function lookAtQuery(
  disk: Disk,
  directory: string,
  { run, effect }: ProbedQuery,
): Promise<QueryLook> {
  const fold = new SessionFold();
  const known = new QueryFold();
  for await (const entry of readRecords(disk, directory)) {
    fold.apply(entry);
    known.apply(entry);
  }
  const { start } = fold;
  const { query } = known;
  if (start === undefined || query?.run !== run || query.effect !== effect)
    return { known: undefined, model: "", unknownCall: undefined };
  const { last, progress } = fold.state(start);
  for (const call of fold.conversation.openCalls) {
    const { id, name: tool } = call;
    const standing = await standingOf(disk, {
      call,
      progress: progress.get(id),
      changes: known.changesOf(id),
    });
    if (standing !== "unknown") continue;
    return { known, model: last.model, unknownCall: { tool, title: known.titleOf(id) ?? tool } };
  }
  return { known, model: last.model, unknownCall: undefined };
}
