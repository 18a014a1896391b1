// Runs in processes of their own that are killed by SIGKILL at every write of a journal on disk.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { agentFiles } from "./support/definitions.ts";
import { type Death, type DiskPlaces, runOnDisk } from "./support/flow-on-disk.ts";
import { twelveAgent, twelvePrompts, twelveSteps } from "./support/twelve-steps.ts";

/** One file starts in half the time, and there are more than a hundred to start. */
async function bundledProgram(outdir: string): Promise<string> {
  const entrypoint = join(import.meta.dir, "support/flow-process.ts");
  const { outputs } = await Bun.build({ entrypoints: [entrypoint], target: "bun", outdir });
  return outputs[0]?.path ?? entrypoint;
}

/** @output the signal that ended the process */
async function killed(
  program: string,
  { agent, world, journal }: DiskPlaces,
  { write, when }: Death,
): Promise<unknown> {
  const child = Bun.spawn([process.execPath, program, agent, world, journal, String(write), when], {
    stdout: "ignore",
    stderr: "inherit",
  });
  await child.exited;
  return child.signalCode;
}

test("a run that is killed before or after every write goes on in another process to the same Result", async () => {
  using tree = new TemporaryTree(agentFiles(twelveSteps, twelveAgent, twelvePrompts));
  const places = (name: string): DiskPlaces => ({
    agent: tree.path,
    world: tree.at(`worlds/${name}`),
    journal: tree.at(`journals/${name}`),
  });
  const program = await bundledProgram(tree.at("program"));
  const { result: expected, writes, done } = await runOnDisk(places("whole"));
  const deaths = Array.from({ length: writes }, (_, index) => index + 1).flatMap((write): Death[] => [
    { write, when: "before" },
    { write, when: "after" },
  ]);
  const wrong: unknown[] = [];
  const killAndResume = async (death: Death): Promise<void> => {
    const place = places(`${death.write}-${death.when}`);
    const signal = await killed(program, place, death);
    const resumed = await runOnDisk(place);
    const isSame = Bun.deepEquals(resumed.result, expected) && Bun.deepEquals(resumed.done, done);
    if (signal !== "SIGKILL" || !isSame) wrong.push({ death, signal, resumed });
  };
  // Two at a time: they share nothing.
  const waiting = [...deaths];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await killAndResume(next);
  };
  await Promise.all([worker(), worker()]);
  expect([wrong, deaths.length, done]).toEqual([[], 124, ["write s3", "apply s6", "apply s9"]]);
}, 300_000);
