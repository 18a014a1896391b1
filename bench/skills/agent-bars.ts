// What a tree of skills adds to an agent's first request: ours cold and warm, beside Codex.
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Bar, median } from "../measure.ts";
import { ours, peers } from "../peers/agents.ts";
import type { FakeModel } from "../peers/fake-model.ts";
import { commandOf, type InstalledAgent, installPeer } from "../peers/install.ts";
import type { BenchRepository } from "../peers/repositories.ts";
import { prepareHome, type RunFigures, runAgent } from "../peers/run.ts";

export interface AgentRuns {
  readonly model: FakeModel;
  readonly server: string;
  readonly scratch: string;
  readonly work: string;
  readonly runs: number;
  readonly none: BenchRepository;
  readonly twoThousand: BenchRepository;
  readonly tenThousand: BenchRepository;
}

interface Contestant {
  readonly installed: InstalledAgent;
  readonly home: string;
}

export async function agentBars(bench: AgentRuns): Promise<Bar[]> {
  const us = contestant(bench, {
    agent: ours,
    version: "",
    command: commandOf(ours, resolve(import.meta.dir, "../..")),
  });
  const codexAgent = peers.find(({ name }) => name === "codex");
  if (codexAgent?.npmPackage === undefined) throw new Error("codex is not among the peers");
  const codex = contestant(bench, installPeer(codexAgent, codexAgent.npmPackage, bench.scratch));
  const index = join(us.home, ".codelia", "index");

  const bytes = await requestBytes(bench, us);
  const times = { none: list(), cold: list(), warm: list(), codexNone: list(), codex: list() };
  const memory = { none: list(), many: list() };
  for (let round = -1; round < bench.runs; round++) {
    const run = async (into: number[], who: Contestant, repository: BenchRepository) => {
      const { firstRequest } = await once(bench, who, repository, false);
      if (round >= 0) into.push(firstRequest);
    };
    await run(times.none, us, bench.none);
    rmSync(index, { recursive: true, force: true });
    await run(times.cold, us, bench.twoThousand);
    // Writes the index that the next start finds.
    await once(bench, us, bench.tenThousand, false);
    await run(times.warm, us, bench.tenThousand);
    await run(times.codexNone, codex, bench.none);
    await run(times.codex, codex, bench.twoThousand);
    memory.none.push((await once(bench, us, bench.none, true)).peakMemory ?? 0);
    memory.many.push((await once(bench, us, bench.tenThousand, true)).peakMemory ?? 0);
  }
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const [none, codexNone] = [median(times.none), median(times.codexNone)];
  const [cold, warm, theirs] = [
    median(times.cold) - none,
    median(times.warm) - none,
    median(times.codex) - codexNone,
  ];
  return [
    {
      name: "2,000 skills cold, added to the first request : codex",
      value: cold / theirs,
      bar: 0.33,
      unit: "×",
      detail: `${ms(cold)} on ${ms(none)} : ${ms(theirs)} on ${ms(codexNone)}`,
    },
    {
      name: "10,000 skills with an index, added to the first request",
      value: warm,
      bar: 30,
      unit: " ms",
      detail: `${ms(median(times.warm))} - ${ms(none)}`,
    },
    {
      name: "the same, memory added",
      value: (median(memory.many) - median(memory.none)) / 1e6,
      bar: 30,
      unit: " MB",
      detail: `${(median(memory.many) / 1e6).toFixed(0)} MB - ${(median(memory.none) / 1e6).toFixed(0)} MB`,
    },
    {
      name: "10,000 skills, added to the first request's bytes",
      value: bytes / 1024,
      // The catalog, the two tools, and what JSON adds to its quotes and line ends.
      bar: 36,
      unit: " KiB",
      detail: `${bytes} bytes`,
    },
  ];
}

function list(): number[] {
  return [];
}

function contestant({ work, server }: AgentRuns, installed: InstalledAgent): Contestant {
  const home = join(work, "home", installed.agent.name);
  prepareHome({ installed, home, server });
  return { installed, home };
}

async function once(
  { model, server }: AgentRuns,
  { installed, home }: Contestant,
  repository: BenchRepository,
  sampleMemory: boolean,
): Promise<RunFigures> {
  return await runAgent({ installed, home, model, server, repository, readTurns: 0, sampleMemory });
}

/** @error when the skills do not show in the request at all: then nothing was measured */
async function requestBytes(bench: AgentRuns, us: Contestant): Promise<number> {
  const plain = await once(bench, us, bench.none, false);
  const many = await once(bench, us, bench.tenThousand, false);
  const added = many.firstRequestBytes - plain.firstRequestBytes;
  if (added < 2000)
    throw new Error("the first request does not grow with skills: codelia run does not offer them");
  return added;
}
