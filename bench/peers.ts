// Our agent beside others: all run headless against one fake model, in turns, and only ratios of one run count.
// Arguments name the agents to run (all without); CODELIA_BENCH_SCRATCH and CODELIA_BENCH_RUNS are explained in
// docs/benchmarks.md.
import { readdirSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join, resolve } from "node:path";
import { visibleName } from "@codelia/shared-types";
import manifest from "../packages/codelia/package.json";
import { median, report } from "./measure.ts";
import type { Agent } from "./peers/agent.ts";
import { ours, peers } from "./peers/agents.ts";
import { bars, type Peer } from "./peers/bars.ts";
import type { FakeModel } from "./peers/fake-model.ts";
import { commandOf, type InstalledAgent, installPeer } from "./peers/install.ts";
import { type BenchRepository, makeRepository, readTurns } from "./peers/repositories.ts";
import { prepareHome, type RunFigures, runAgent } from "./peers/run.ts";
import { type AgentFigures, figureTable, type Row } from "./peers/table.ts";
import { chosenRuns, openWorkplace, scratch } from "./peers/workplace.ts";

/** One agent through the whole bench; the first failure ends it. */
interface Contestant {
  readonly agent: Agent;
  readonly home: string;
  /** Milliseconds that its runs took. */
  spent: number;
  installed?: InstalledAgent;
  failure?: string;
  readonly timed: RunFigures[];
  readonly sampled: RunFigures[];
  readonly amongMany: RunFigures[];
}

/** A kind of run. */
interface Kind {
  readonly results: "timed" | "sampled" | "amongMany";
  readonly repository: BenchRepository;
  readonly readTurns: number;
  readonly runs: number;
  readonly sampleMemory: boolean;
}

/** A slow agent gets fewer runs once it has spent this, so that the bench takes minutes; it is never the best. */
const timeBudget = 45_000;
const fewestRuns = 3;

/** @error when an argument names no agent */
function chosenAgents(): Agent[] {
  const all = [ours, ...peers];
  const chosen = process.argv.slice(2);
  const names = all.map(({ name }) => name);
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`no agent is called ${unknown}: choose from ${names.join(", ")}`);
  return chosen.length === 0 ? all : all.filter(({ name }) => chosen.includes(name));
}

function installed({ installed: found }: Contestant): InstalledAgent {
  if (!found) throw new Error("it was not installed");
  return found;
}

function install({ agent }: Contestant): InstalledAgent {
  if (agent.npmPackage !== undefined) return installPeer(agent, agent.npmPackage, scratch);
  const command = commandOf(agent, resolve(import.meta.dir, ".."));
  return { agent, version: manifest.version, command };
}

async function attempt(contestant: Contestant, step: () => unknown): Promise<void> {
  if (contestant.failure !== undefined) return;
  try {
    await step();
  } catch (error) {
    contestant.failure = error instanceof Error ? error.message : String(error);
    console.error(`  ${contestant.agent.name}: ${visibleName(contestant.failure)}`);
  }
}

/**
 * Each agent once through all kinds of run, then each again: what slows the machine for a while slows all of them.
 * The first round does not count; it warms the file cache and lets each agent set up its home.
 */
async function play(
  contestants: readonly Contestant[],
  kinds: readonly Kind[],
  model: FakeModel,
  server: string,
) {
  const rounds = Math.max(...kinds.map((kind) => kind.runs));
  for (let round = 0; round <= rounds; round++) {
    console.error(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    for (const contestant of contestants) {
      for (const kind of kinds) {
        if (round > kind.runs || (round === 0 && kind.sampleMemory)) continue;
        if (round > fewestRuns && contestant.spent > timeBudget) continue;
        const started = performance.now();
        await attempt(contestant, async () => {
          const figures = await runAgent({
            ...contestant,
            ...kind,
            installed: installed(contestant),
            model,
            server,
          });
          if (round > 0) contestant[kind.results].push(figures);
        });
        contestant.spent += performance.now() - started;
      }
    }
  }
}

function result({ failure, timed, sampled, amongMany }: Contestant): Row["result"] {
  if (failure !== undefined) return { failure };
  const shares = timed.flatMap((figures) => figures.keptShares);
  const peaks = sampled.flatMap(({ peakMemory }) => (peakMemory === undefined ? [] : [peakMemory]));
  return {
    firstRequest: median(timed.map((figures) => figures.firstRequest)),
    firstRequestAmongMany: median(amongMany.map((figures) => figures.firstRequest)),
    turn: median(timed.map((figures) => figures.turn)),
    memory: peaks.length > 0 ? median(peaks) : undefined,
    firstRequestBytes: median(timed.map((figures) => figures.firstRequestBytes)),
    keptLeast: Math.min(...shares),
    keptMean: shares.reduce((sum, value) => sum + value, 0) / shares.length,
    runs: timed.length,
    others: median(timed.map((figures) => figures.others.length)),
  };
}

function verdict(rows: readonly Row[]): boolean {
  console.log(`\n${figureTable(rows)}`);
  console.log(
    `\n${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)} (with the bench itself about 1)`,
  );
  const figuresOf = ({ result: of }: Row): AgentFigures | undefined => ("failure" in of ? undefined : of);
  const own = rows.find((row) => row.name === ours.name);
  const ownFigures = own && figuresOf(own);
  const measured: Peer[] = rows.flatMap((row) => {
    const figures = figuresOf(row);
    return row === own || figures === undefined ? [] : [{ name: row.name, figures }];
  });
  if (ownFigures === undefined || measured.length === 0) {
    console.log(`\nThe bars were not checked: they need figures of ${ours.name} and of one peer at least.`);
    return false;
  }
  return report(`${ours.name} : the best peer of this run`, bars(ownFigures, measured));
}

/** Programs compiled with Bun list every directory above the working one when they start. */
function warnOfCrowdedParents(): void {
  for (let directory = scratch; ; directory = dirname(directory)) {
    const entries = readdirSync(directory).length;
    if (entries > 5000) {
      console.error(
        `${directory} has ${entries} entries, which slows some agents: set CODELIA_BENCH_SCRATCH to a folder elsewhere`,
      );
    }
    if (directory === dirname(directory)) return;
  }
}

async function main(): Promise<boolean> {
  const agents = chosenAgents();
  const runs = chosenRuns();
  using workplace = openWorkplace();
  warnOfCrowdedParents();
  const { work, model } = workplace;
  const server = await model.listen();
  const contestants = agents.map(
    (agent): Contestant => ({
      agent,
      home: join(work, "home", agent.name),
      spent: 0,
      timed: [],
      sampled: [],
      amongMany: [],
    }),
  );
  console.error(`agents in ${scratch}`);
  for (const contestant of contestants) {
    await attempt(contestant, () => {
      contestant.installed = install(contestant);
      prepareHome({ installed: contestant.installed, home: contestant.home, server });
    });
  }
  const one = makeRepository(join(work, "one"), 1);
  const many = makeRepository(join(work, "many"), 5000);
  await play(
    contestants,
    [
      { results: "timed", repository: one, readTurns, runs, sampleMemory: false },
      { results: "amongMany", repository: many, readTurns: 0, runs, sampleMemory: false },
      { results: "sampled", repository: one, readTurns, runs: Math.min(2, runs), sampleMemory: true },
    ],
    model,
    server,
  );
  return verdict(
    contestants.map((contestant) => ({
      name: contestant.agent.name,
      version: contestant.installed?.version ?? "–",
      result: result(contestant),
    })),
  );
}

process.exitCode = (await main()) ? 0 : 1;
