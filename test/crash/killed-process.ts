// Starts a process that runs the scenario, waits until it has killed itself, and looks at what it left.
import { join } from "node:path";
import { type RunEvent, RunEventSchema } from "@codelia/protocol";
import { processToItsEnd } from "../support/process-to-its-end.ts";
import { TemporaryTree } from "../support/tree.ts";
import { problemsAfter } from "./after-crash.ts";
import { scenarioTree } from "./scenario.ts";

/** How far the change gets; one that is no write has no half, and is left out then. */
export const killMoments = ["before", "half of", "after"] as const;

export type KillMoment = (typeof killMoments)[number];

export type KilledProcess =
  | { readonly outcome: "killed"; readonly problems: readonly string[] }
  /** There is no change with this number. */
  | { readonly outcome: "finished" };

/** @error when it ended in another way */
export async function killProcessAt(change: number, moment: KillMoment): Promise<KilledProcess> {
  using tree = new TemporaryTree(scenarioTree);
  const program = join(import.meta.dir, "child.ts");
  const ended = await processToItsEnd(program, tree.path, [String(change), moment]);
  const { exitCode, signal, stdout, stderr } = ended;
  if (exitCode === 0) return { outcome: "finished" };
  if (signal !== "SIGKILL") throw new Error(`change ${change}, ${moment}: ${stderr}`);
  const found = await problemsAfter({ top: tree.path, events: eventsIn(stdout) });
  return { outcome: "killed", problems: found.map((problem) => `${change}, ${moment}: ${problem}`) };
}

/** Half a line was not told. */
function eventsIn(text: string): RunEvent[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => RunEventSchema.parse(JSON.parse(line)));
}
