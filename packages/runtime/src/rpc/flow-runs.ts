// `flow.list`, `flow.status` and `flow.log`.
import { setTimeout as sleep } from "node:timers/promises";
import { addedUsage, noUsage } from "@codelia/core";
import { type FlowRunSummary, type Params, ProtocolError, type Result } from "@codelia/protocol";
import type { FlowRecord, Usage } from "@codelia/shared-types";
import { lookAtLock, readJournalPage, StorageError } from "@codelia/storage";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import {
  canGoOn,
  type FoundRun,
  findRun,
  findRuns,
  parsedRecord,
  type RunReading,
  readRun,
} from "../flows/index.ts";
import { openProject } from "../project/index.ts";
import { cursorOf, damageNotice, pageOf, positionAt } from "../sessions/index.ts";
import { wireCost, wireFlowResult, wireLogEntry } from "./flow-wire.ts";
import { foreignCursor, listPlaceOf, nextCursor } from "./list-cursor.ts";
import { wireUsage } from "./run-events.ts";

export async function listFlowRuns(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, all, limit, cursor }: Params<"flow.list">,
): Promise<Result<"flow.list">> {
  const from = listPlaceOf(cursor);
  const { codeliaHome, trust } = await openProject(environment, options, cwd);
  const { disk } = environment;
  const found = await findRuns(disk, all ? { codeliaHome } : { codeliaHome, repository: trust.identity });
  const look = async (run: FoundRun) => {
    const reading = await readRun(disk, run);
    return reading === undefined ? undefined : summary(run, reading);
  };
  const { shown, total, problems, next } = await pageOf(found, { limit, from, look, problemIn });
  return { runs: shown, total, problems, ...nextCursor(next) };
}

function problemIn(error: unknown): string {
  if (error instanceof ProtocolError || error instanceof StorageError) return error.message;
  throw error;
}

export async function flowStatus(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, run_id }: Params<"flow.status">,
): Promise<Result<"flow.status">> {
  const run = await runFor(environment, options, cwd, run_id);
  const reading = await readRun(environment.disk, run);
  if (reading === undefined) {
    throw new ProtocolError("in_use", `${run.id}: this run is just being made`, "Try again in a moment.");
  }
  const { start, end } = reading.history;
  return {
    run: summary(run, reading),
    args: start.args,
    ...(end === undefined ? {} : { result: wireFlowResult(end.result) }),
  };
}

const lookEveryMs = 100;

export async function flowLog(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, run_id, cursor, limit, wait_ms }: Params<"flow.log">,
  signal: AbortSignal | undefined,
): Promise<Result<"flow.log">> {
  const from = cursor === undefined ? { seq: 1, offset: 0 } : positionAt(cursor);
  if (from === undefined) throw foreignCursor();
  const run = await runFor(environment, options, cwd, run_id);
  const { disk } = environment;
  for (let waited = 0; ; waited += lookEveryMs) {
    // Before the page: what a process wrote before it ended is on the page then.
    const isRunning = (await lookAtLock(run.directory, { disk })) !== undefined;
    const page = await readJournalPage(run.directory, { disk, from, maxRecords: limit });
    if (page.entries.length === 0 && isRunning && waited < wait_ms && !signal?.aborted) {
      await sleep(lookEveryMs);
      continue;
    }
    const isTorn = page.damage !== undefined && !(page.damage.reason === "torn" && isRunning);
    return {
      run_id: run.id,
      entries: page.entries.map(({ seq, at, record }) =>
        wireLogEntry(seq, at, parsedRecord(run.id, seq, record)),
      ),
      next_cursor: cursorOf(page.next ?? page.end),
      more: page.next !== undefined || isRunning,
      notices: isTorn && page.damage !== undefined ? [damageNotice(page.damage)] : [],
    };
  }
}

async function runFor(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  cwd: string,
  id: string,
): Promise<FoundRun> {
  const { codeliaHome, trust } = await openProject(environment, options, cwd);
  return await findRun(environment.disk, { codeliaHome, repository: trust.identity }, id);
}

function summary({ id, updatedAt }: FoundRun, reading: RunReading): FlowRunSummary {
  const { history, records, startedAt, owner } = reading;
  const { start, end } = history;
  const iterations = records.filter((record) => record.type === "iteration").map((each) => each.summary);
  const usage = iterations.reduce<Usage>((total, each) => addedUsage(total, each.usage), noUsage);
  return {
    id,
    agent: start.definition.name,
    started_at: startedAt,
    updated_at: updatedAt.toISOString(),
    cwd: start.cwd,
    state: stateOf(reading),
    iterations: iterations.length,
    step: lastStep(records) ?? start.definition.entry,
    usage: wireUsage(usage),
    ...wireCost(sumOfKnown(iterations.map(({ costUsd }) => costUsd))),
    ...(end?.result.error === undefined ? {} : { error: end.result.error }),
    ...(owner === undefined || owner === "unknown"
      ? {}
      : { owner: { pid: owner.pid, host: owner.host, since: owner.since } }),
  };
}

function stateOf({ history, owner }: RunReading): FlowRunSummary["state"] {
  if (canGoOn(history)) return owner === undefined ? "open" : "running";
  const result = history.end?.result;
  if (result?.success) return "done";
  return result?.failure?.code === "Stopped" ? "stopped" : "failed";
}

function lastStep(records: readonly FlowRecord[]): string | undefined {
  const last = records.findLast(({ type }) => type === "effect.intent" || type === "iteration");
  if (last?.type === "effect.intent") return last.intent.step;
  return last?.type === "iteration" ? last.summary.step : undefined;
}

/** Undefined once one part is. */
function sumOfKnown(parts: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const part of parts) {
    if (part === undefined) return undefined;
    sum += part;
  }
  return sum;
}
