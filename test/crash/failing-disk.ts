// Runs the scenario on a disk that refuses a call, and says what is wrong with how that ended.
import { join } from "node:path";
import { ProtocolError, type RunEvent } from "@codelia/protocol";
import { TemporaryTree } from "../support/tree.ts";
import { systemError } from "../support/watched-file-system.ts";
import { problemsAfter } from "./after-crash.ts";
import { isClaimOrDraft, restore, stateOf } from "./crash-scene.ts";
import { scenarioTree } from "./scenario.ts";
import { runInScene } from "./scene-run.ts";
import { type AroundCall, type DiskCall, watchedDisk } from "./watched-disk.ts";

export interface Fault {
  readonly code: "ENOSPC" | "EIO" | "EMFILE";
  /** From the refused call on, or that one alone. */
  readonly lasts: boolean;
}

/** Whether a system could answer such a call so. */
const canFail: Readonly<Record<Fault["code"], (call: DiskCall) => boolean>> = {
  ENOSPC: ({ kind, isChange }) =>
    isChange && !["unlink", "rmdir", "truncate", "chmod", "chown"].includes(kind),
  EIO: () => true,
  EMFILE: ({ kind }) => kind === "open" || kind === "readdir",
};

export type FailedRun =
  | { readonly outcome: "refused"; readonly problems: readonly string[] }
  /** There is no call with this number. */
  | { readonly outcome: "finished" };

/** @input number: of the call, from 0, among those that can fail so */
export async function runWithFault({ code, lasts }: Fault, number: number): Promise<FailedRun> {
  using tree = new TemporaryTree(scenarioTree);
  let calls = 0;
  let refused: DiskCall | undefined;
  const around: AroundCall = async (call, make) => {
    if (!canFail[code](call)) return await make();
    const isFaulty = lasts ? calls >= number : calls === number;
    calls += 1;
    if (!isFaulty) return await make();
    refused ??= call;
    throw systemError(code);
  };
  const events: RunEvent[] = [];
  const error = await runInScene({
    top: tree.path,
    disk: watchedDisk(around),
    script: "script.json",
    emit: (event) => events.push(event),
  }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (refused === undefined) return { outcome: "finished" };
  const name = `${code} at ${number}, ${refused.kind} ${refused.path.slice(tree.path.length + 1)}`;
  const left = stateOf(tree.path);
  const locks = [...left.keys()].filter((path) => /\/lock\.\d+$/.test(path) && isClaimOrDraft(path));
  // A claim that the disk did not remove is good for nothing once its process has ended.
  const held = locks.filter((path) => refused?.kind !== "unlink" || refused.path !== join(tree.path, path));
  restore(tree.path, left);
  const found = [
    ...(error === undefined || isClear(error) ? [] : [`not clear: ${Bun.inspect(error)}`]),
    ...held.map((path) => `still held: ${path}`),
    ...(held.length > 0
      ? []
      : await problemsAfter({ top: tree.path, events }).catch((thrown) => [String(thrown)])),
  ];
  return { outcome: "refused", problems: found.map((problem) => `${name}: ${problem}`) };
}

/** A face can say what happened and what to do. */
function isClear(error: unknown): boolean {
  return error instanceof ProtocolError && error.code !== "internal" && error.hint !== undefined;
}

/** How many runs go on at once: most of their time they wait. */
const lanes = 4;

/** @input step: 1 for every call, 7 for every seventh @output what is wrong, each with its call */
export async function problemsWithFault(fault: Fault, step: number): Promise<string[]> {
  const problems: string[] = [];
  let next = 0;
  const lane = async () => {
    for (;;) {
      const number = next;
      next += step;
      const run = await runWithFault(fault, number);
      if (run.outcome === "finished") return;
      problems.push(...run.problems);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return problems;
}
