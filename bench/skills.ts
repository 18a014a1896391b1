// Skills by the thousand: what they cost before one is needed.
// CODELIA_BENCH_SCRATCH and CODELIA_BENCH_RUNS are explained in docs/benchmarks.md; `engine` as an argument leaves out
// the runs of agents.
import { join } from "node:path";
import { type Bar, report } from "./measure.ts";
import { makeRepository } from "./peers/repositories.ts";
import { chosenRuns, openWorkplace, scratch } from "./peers/workplace.ts";
import { agentBars } from "./skills/agent-bars.ts";
import { engineBars } from "./skills/engine-bars.ts";
import { writeSkills } from "./skills/tree.ts";

const runs = chosenRuns();
const engineOnly = process.argv.includes("engine");
/** The index does not rely on files that are younger than this. */
const settlingMs = 2500;

using workplace = openWorkplace();
const { work, model } = workplace;
const none = makeRepository(join(work, "none"), 1);
const twoThousand = makeRepository(join(work, "two"), 1);
const tenThousand = makeRepository(join(work, "ten"), 1);
writeSkills(twoThousand.root, 2000);
const folder = writeSkills(tenThousand.root, 10_000);
await Bun.sleep(settlingMs);
const bars: Bar[] = engineBars({
  project: tenThousand.root,
  folder,
  indexDirectory: join(work, "index"),
  runs,
});
if (!engineOnly) {
  const server = await model.listen();
  bars.push(...(await agentBars({ model, server, scratch, work, runs, none, twoThousand, tenThousand })));
}
process.exitCode = report("Skills: what thousands of them cost", bars) ? 0 : 1;
