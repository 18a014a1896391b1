// Begins or resumes a run whose journal is on disk, and can let the process die at one of its writes.
import { build, type FlowJournal, load, resume, validate } from "@codelia/flows";
import type { AgentResult } from "@codelia/shared-types";
import { openJournal } from "@codelia/storage";
import { stillClock, World } from "./twelve-steps.ts";

export interface DiskPlaces {
  readonly agent: string;
  readonly world: string;
  readonly journal: string;
}

export interface Death {
  /** The number of the write, from 1; 0 for none. */
  readonly write: number;
  readonly when: string;
}

export async function runOnDisk(
  places: DiskPlaces,
  { write, when }: Death = { write: 0, when: "before" },
): Promise<{ readonly result: AgentResult; readonly writes: number; readonly done: string[] }> {
  const records: unknown[] = [];
  const journal = await openJournal(places.journal, { replay: ({ record }) => records.push(record) });
  let writes = 0;
  const dieIf = (moment: string) => {
    if (writes === write && when === moment) process.kill(process.pid, "SIGKILL");
  };
  const killing: FlowJournal = {
    append: async (record) => {
      writes += 1;
      dieIf("before");
      await journal.append(record);
      dieIf("after");
    },
    flush: () => journal.flush(),
  };
  const world = new World(places.world);
  const { bridge, commands } = world;
  const dependencies = { bridge, commands, journal: killing, clock: stillClock, random: () => 0 };
  const { definition } = validate(await load(places.agent));
  if (definition === undefined) throw new Error("the flow is not valid");
  const execution = records.length === 0 ? build(definition, dependencies) : resume(records, dependencies);
  if (records.length === 0) await execution.start({ cwd: "/work", id: "run-1" });
  const result = await execution.run();
  await journal.close();
  return { result, writes, done: world.done };
}
