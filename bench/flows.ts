// Flows: what the engine adds to an iteration over the bare agent loop, and what fifty runs at once need. The model is
// scripted and answers at once, so that everything that is measured is ours.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RuntimeEnvironment } from "../packages/runtime/src/environment.ts";
import { RuntimeBridge } from "../packages/runtime/src/flows/bridge.ts";
import { FlowConnections, newRunId } from "../packages/runtime/src/flows/index.ts";
import { createHandlers } from "../packages/runtime/src/index.ts";
import { openProject } from "../packages/runtime/src/project/index.ts";
import type { AgentFile } from "../packages/shared-types/src/index.ts";
import { nodeDisk, nodeFileSystem } from "../packages/storage/src/index.ts";
import { type Bar, median, report } from "./measure.ts";

const iterations = 40;
const rounds = Number(process.env.CODELIA_BENCH_RUNS ?? 9);
const parallel = 50;

interface Place {
  readonly top: string;
  readonly repo: string;
  readonly model: string;
}

function makePlace(): Place {
  const top = mkdtempSync(join(tmpdir(), "codelia-bench-flows-"));
  const repo = join(top, "repo");
  const folder = join(repo, ".codelia/agents/loop");
  mkdirSync(join(repo, ".git"), { recursive: true });
  mkdirSync(join(top, "home"));
  mkdirSync(folder, { recursive: true });
  const agent: AgentFile = {
    limits: { iterations: iterations + 1, visits: iterations + 1 },
    completion: { type: "iterationBudget", iterations },
    steps: {
      a: {
        prompt: "p.md",
        output: { word: { type: "string" } },
        tools: ["read"],
        onPass: { next: "b" },
      },
      b: {
        prompt: "p.md",
        inputs: { from_step: "a", variables: { "a.word": true } },
        tools: ["read"],
        onPass: { next: "a" },
      },
    },
  };
  writeFileSync(join(folder, "agent.json"), JSON.stringify(agent));
  writeFileSync(join(folder, "p.md"), "Say a word.");
  const turns = [{ text: "word: x" }];
  writeFileSync(join(top, "script.json"), JSON.stringify({ turns, after_last: "repeat_last" }));
  return { top, repo, model: `scripted/${join(top, "script.json")}` };
}

function environmentOf({ top }: Place): RuntimeEnvironment {
  return {
    env: { PATH: process.env.PATH },
    userHome: join(top, "home"),
    fs: nodeFileSystem,
    disk: nodeDisk,
    version: "0.0.0",
    now: () => new Date(),
    fetch: () => Promise.reject(new Error("there is no network here")),
    executable: process.execPath,
  };
}

const options = { settings: [], trust: true };

/** @output milliseconds of each iteration */
async function flow(place: Place): Promise<number[]> {
  const { repo: cwd, model } = place;
  const start = createHandlers(environmentOf(place), options)["flow.start"];
  const moments: number[] = [];
  const { status, result } = await start(
    { cwd, agent: "loop", args: {}, approval: "full", model },
    {
      emit: ({ type }) => {
        if (type === "flow.iteration.started" || type === "flow.finished") moments.push(performance.now());
      },
      confirm: undefined,
    },
  );
  if (status !== "done" || result.iterations !== iterations) throw new Error(`${status}: ${result.error}`);
  return moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0));
}

/** The same prompts in as many sessions of the agent loop, one after the other, without a flow around them. */
async function bare(place: Place): Promise<number[]> {
  const environment = environmentOf(place);
  const project = await openProject(environment, options, place.repo);
  const connections = new FlowConnections(environment, project, { model: place.model, cwd: place.repo });
  const bridge = new RuntimeBridge({
    environment,
    project,
    agent: "loop",
    connections,
    approval: "full",
    confirm: () => undefined,
    onEvent: () => undefined,
    notify: () => undefined,
  });
  const run = newRunId(environment.now());
  const rest = { session: undefined, purpose: "step", tools: ["read"], approval: undefined } as const;
  const { signal } = new AbortController();
  const times: number[] = [];
  for (let effect = 1; effect <= iterations; effect += 1) {
    const where = { run, effect, step: "a", cwd: place.repo };
    const start = performance.now();
    await bridge.query("Say a word.", { ...rest, ...where, model: undefined, signal });
    times.push(performance.now() - start);
  }
  await connections.close();
  return times;
}

/** The fastest tenth says what the program needs, the median what else the machine was doing. */
function fastTenth(times: readonly number[]): number {
  return times.toSorted((x, y) => x - y)[Math.floor(times.length / 10)] ?? Number.NaN;
}

async function overhead(place: Place): Promise<Bar> {
  await flow(place);
  await bare(place);
  const flows: number[] = [];
  const loops: number[] = [];
  // Taking turns, so that drift of the machine hits both alike.
  for (let round = 0; round < rounds; round += 1) {
    flows.push(...(await flow(place)));
    loops.push(...(await bare(place)));
  }
  const [needed, plain] = [fastTenth(flows), fastTenth(loops)];
  return {
    name: "an iteration of a flow over the bare loop",
    value: Math.max(0, needed - plain),
    bar: 2,
    unit: " ms",
    detail: `${needed.toFixed(2)} ms : ${plain.toFixed(2)} ms; medians ${median(flows).toFixed(2)} ms : ${median(loops).toFixed(2)} ms`,
  };
}

/** Each run in turn alone takes as long as the others when nobody starves. */
async function together(place: Place): Promise<Bar[]> {
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const start = performance.now();
  const ends = await Promise.all(
    Array.from({ length: parallel }, async () => {
      await flow(place);
      return performance.now() - start;
    }),
  );
  clearInterval(watch);
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const mb = (bytes: number) => bytes / 1024 / 1024;
  return [
    {
      name: `${parallel} runs at once, memory of each`,
      value: mb(peak - before) / parallel,
      bar: 15,
      unit: " MB",
      detail: `${mb(before).toFixed(0)} MB before, ${mb(peak).toFixed(0)} MB at the peak`,
    },
    {
      name: "the last to end beside the first",
      value: last / first,
      bar: 2,
      unit: " ×",
      detail: `${first.toFixed(0)} ms : ${last.toFixed(0)} ms, ${((parallel * iterations) / (last / 1000)).toFixed(0)} iterations a second`,
    },
  ];
}

const place = makePlace();
try {
  const bars = [await overhead(place), ...(await together(place))];
  process.exitCode = report("Flows", bars) ? 0 : 1;
} finally {
  rmSync(place.top, { recursive: true, force: true });
}
