// Where agents are measured: a folder in the scratch that is left with the process, however that ends.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { FakeModel } from "./fake-model.ts";
import { endRunningAgent } from "./run.ts";

export interface Workplace extends Disposable {
  /** For this process alone. */
  readonly work: string;
  readonly model: FakeModel;
}

/** What was installed stays here: CODELIA_BENCH_SCRATCH, explained in docs/benchmarks.md. */
export const scratch = resolve(process.env.CODELIA_BENCH_SCRATCH ?? join(tmpdir(), "codelia-bench-peers"));

/** @effects makes a folder; on SIGINT and SIGTERM ends the agent under way, removes the folder and exits */
export function openWorkplace(): Workplace {
  mkdirSync(scratch, { recursive: true });
  const work = realpathSync(mkdtempSync(join(scratch, "work-")));
  const model = new FakeModel();
  const remove = () => rmSync(work, { recursive: true, force: true });
  const leave = () => {
    endRunningAgent();
    remove();
    process.exit(130);
  };
  process.once("SIGINT", leave);
  process.once("SIGTERM", leave);
  return {
    work,
    model,
    [Symbol.dispose]() {
      process.off("SIGINT", leave);
      process.off("SIGTERM", leave);
      model.close();
      remove();
    },
  };
}

/** @error when CODELIA_BENCH_RUNS is not a whole number above zero */
export function chosenRuns(): number {
  const runs = Number(process.env.CODELIA_BENCH_RUNS ?? 7);
  if (Number.isInteger(runs) && runs > 0) return runs;
  throw new Error(
    "CODELIA_BENCH_RUNS is not a whole number above zero: unset it, or give the runs of each agent",
  );
}
