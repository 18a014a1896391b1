// The scenario, run once in a tree of its own, with its records and every state in which it could have been ended.
import type { SessionEntry } from "@codelia/shared-types";
import { TemporaryTree } from "../support/tree.ts";
import { problemsAfter } from "./after-crash.ts";
import { readSession, restore, sessionDirectory, stateOf } from "./crash-scene.ts";
import type { DiskState } from "./disk-model.ts";
import { type CrashPoint, type RecordedRun, recordRun } from "./recorded-run.ts";
import { scenarioTree } from "./scenario.ts";

export interface RecordedScene extends RecordedRun, Disposable {
  readonly top: string;
  /** The session's. */
  readonly directory: string;
  readonly whole: readonly SessionEntry[];
  /** What is really there at the end. */
  readonly really: DiskState;
}

export async function recordScene(): Promise<RecordedScene> {
  const tree = new TemporaryTree(scenarioTree);
  const top = tree.path;
  const run = await recordRun(top);
  const really = stateOf(top);
  const directory = sessionDirectory(top, really) ?? "";
  const { entries: whole } = await readSession(directory);
  return { ...run, top, directory, whole, really, [Symbol.dispose]: () => tree[Symbol.dispose]() };
}

/** @output what is wrong after a crash at any point, each with its point; none: all is well */
export async function problemsAtEveryPoint(
  scene: RecordedScene,
  stateAt: (point: CrashPoint) => DiskState | undefined,
  eventsAt: (point: CrashPoint) => CrashPoint["events"],
): Promise<string[]> {
  const problems: string[] = [];
  for (const point of scene.points) {
    const state = stateAt(point);
    if (state === undefined) continue;
    restore(scene.top, state);
    const found = await problemsAfter({ ...scene, events: eventsAt(point) }).catch(String);
    problems.push(...[found].flat().map((problem) => `${point.name}: ${problem}`));
  }
  return problems;
}
