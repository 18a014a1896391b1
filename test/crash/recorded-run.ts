// Runs the scenario once and keeps, for every call that changes the disk, what a crash at that moment would leave.
// The call not made is the state before it; made in whole, the state before the next one; only a write can be half.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Result, RunEvent } from "@codelia/protocol";
import type { Disk } from "@codelia/storage";
import { DirectoryNode, DiskModel, type DiskState, FileNode, flushNode } from "./disk-model.ts";
import { effectsFile } from "./scenario.ts";
import { runInScene } from "./scene-run.ts";
import { type AroundCall, type DiskCall, watchedDisk } from "./watched-disk.ts";

export interface CrashPoint {
  /** For a person who reads about it. */
  readonly name: string;
  /** What the face had been told by then. */
  readonly events: readonly RunEvent[];
  /** The process was ended, and nothing else. */
  readonly killed: DiskState;
  /** The process was ended in the middle of a write. */
  readonly killedHalfway: DiskState | undefined;
  /** The power went off, and nothing lasted but what was flushed. */
  readonly powerCut: DiskState;
  /** The power went off; names lasted although only the contents that were flushed did. */
  readonly powerCutNamesKept: DiskState;
}

export interface RecordedRun {
  readonly sessionId: string;
  readonly result: Result<"run.start">;
  /** In the order of the calls; the last one is after all of them. */
  readonly points: readonly CrashPoint[];
  /** At the end, as the model of the disk has it. */
  readonly last: DiskState;
}

export async function recordRun(top: string): Promise<RecordedRun> {
  const model = new DiskModel(top);
  const events: RunEvent[] = [];
  const points: CrashPoint[] = [];
  const point = (call: DiskCall | undefined) => {
    const path = join(top, effectsFile);
    const written = readIfThere(path);
    if (written !== undefined) model.writtenByOthers(path, written);
    const what =
      call === undefined ? "after the last call" : `${call.kind} ${call.path.slice(top.length + 1)}`;
    points.push({ name: `${points.length}: ${what}`, events: [...events], ...crashStates(model, call) });
  };
  // One change at a time, so that each has a definite state before it.
  let last: Promise<unknown> = Promise.resolve();
  const around: AroundCall = async (call, make) => {
    if (!call.isChange) return await make();
    const turn = last.then(async () => {
      point(call);
      const made = await make();
      applyTo(model, call);
      return made;
    });
    last = turn.catch(() => {});
    return await turn;
  };
  const disk: Disk = watchedDisk(around);
  const result = await runInScene({ top, disk, script: "script.json", emit: (event) => events.push(event) });
  point(undefined);
  return { sessionId: result.session_id, result, points, last: model.state("current", "current") };
}

function crashStates(model: DiskModel, call: DiskCall | undefined) {
  return {
    killed: model.state("current", "current"),
    killedHalfway: call?.data === undefined ? undefined : halfWritten(model, call.path, call.data),
    powerCut: model.state("flushed", "flushed"),
    powerCutNamesKept: model.state("current", "flushed"),
  };
}

function halfWritten(model: DiskModel, path: string, data: Uint8Array): DiskState {
  const node = model.at(path);
  if (!(node instanceof FileNode)) throw new Error(`${path}: there is no such file to write to`);
  const whole = node.current;
  node.current = Buffer.concat([whole, data.subarray(0, Math.ceil(data.length / 2))]);
  const state = model.state("current", "current");
  node.current = whole;
  return state;
}

/** What the call, once made, did to the disk. Modes and owners are not followed. */
function applyTo(model: DiskModel, { kind, path, to, data, length }: DiskCall): void {
  const node = model.at(path);
  if (kind === "open" && node === undefined) model.name(path, new FileNode());
  if (kind === "mkdir") model.name(path, new DirectoryNode());
  if (kind === "unlink" || kind === "rmdir") model.unname(path);
  if (kind === "sync" && node !== undefined) flushNode(node);
  if (kind === "write" && node instanceof FileNode)
    node.current = Buffer.concat([node.current, data ?? Buffer.of()]);
  if (kind === "truncate" && node instanceof FileNode) node.current = node.current.subarray(0, length);
  if (to === undefined || node === undefined) return;
  model.name(to, node);
  if (kind === "rename") model.unname(path);
}

function readIfThere(path: string): Uint8Array | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}
