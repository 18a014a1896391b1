// Sessions: what it costs to go on with a long one, to append, to undo, to list many. Bars in milliseconds are held
// against the fastest run, which says what the program needs; the median says what else the machine was doing.
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { openJournal } from "../packages/storage/src/index.ts";
import { type Bar, median, report } from "./measure.ts";
import { makeLongSession } from "./sessions/long-session.ts";
import { makeManySessions } from "./sessions/many-sessions.ts";
import { makePlace, modelArguments, type Place, peakMemory, timed } from "./sessions/place.ts";

const runs = Number(process.env.CODELIA_BENCH_RUNS ?? 9);

/** Milliseconds of one command, after one that does not count. */
async function repeated(place: Place, args: readonly string[]): Promise<number[]> {
  await timed(place, args);
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await timed(place, args));
  return times;
}

/** The largest of three. */
async function largestPeak(place: Place, args: readonly string[]): Promise<number> {
  const peaks: number[] = [];
  for (let run = 0; run < 3; run += 1) peaks.push(await peakMemory(place, args));
  return Math.max(...peaks);
}

async function resume(place: Place): Promise<Bar[]> {
  const long = await makeLongSession(place);
  const model = modelArguments(place, "answer", [{ text: "Gone on." }]);
  const begin = ["run", "Begin.", ...model];
  const goOn = ["run", "Go on.", "--resume", long.id, ...model];
  const [fresh, resumed] = [await repeated(place, begin), await repeated(place, goOn)];
  const size = `${long.messages} messages, ${megabytes(long.outputBytes)} of outputs, ${long.compactions} compactions, ${megabytes(sizeOf(long.directory))} on disk`;
  return [
    {
      name: "resume, from the start of the program to its end",
      value: Math.min(...resumed),
      bar: 300,
      unit: " ms",
      detail: `${size}; median ${ms(median(resumed))}; a new session ${ms(Math.min(...fresh))}`,
    },
    {
      name: "resume, peak memory",
      value: await largestPeak(place, goOn),
      bar: 150,
      unit: " MB",
      detail: `a new session ${(await largestPeak(place, begin)).toFixed(0)} MB`,
    },
  ];
}

async function append({ folder }: Place): Promise<Bar> {
  const journal = await openJournal(join(folder, "appended"));
  const record = { type: "message.tool", output: "x".repeat(2000) };
  const times: number[] = [];
  for (let number = 0; number < 10_000; number += 1) {
    const start = performance.now();
    await journal.append(record);
    if (number >= 1000) times.push(performance.now() - start);
  }
  const flush = performance.now();
  await journal.close();
  const flushed = performance.now() - flush;
  return {
    name: "append a record of 2 KB without a flush, p50",
    value: median(times),
    bar: 0.2,
    unit: " ms",
    detail: `p99 ${percentile(times, 0.99).toFixed(3)} ms; the flush at the end ${flushed.toFixed(0)} ms`,
  };
}

const undoneFiles = 1000;

async function undo(place: Place): Promise<Bar> {
  const writes = (text: string) =>
    Array.from({ length: undoneFiles }, (_, file) => ({
      name: "write",
      arguments: { path: `many/${file}.txt`, content: `${text} ${file}\n`.repeat(100) },
    }));
  const model = (name: string) =>
    modelArguments(place, name, [{ tool_calls: writes(name) }, { text: "Written." }]);
  const times: number[] = [];
  const plain: number[] = [];
  for (let run = -1; run < Math.min(runs, 5); run += 1) {
    rmSync(join(place.repository, "many"), { recursive: true, force: true });
    await timed(place, ["run", "Write.", ...model("old")]);
    await timed(place, ["run", "Write anew.", "--continue", ...model("new")]);
    const milliseconds = await timed(place, ["sessions", "undo"]);
    if (run < 0) continue;
    times.push(milliseconds);
    plain.push(plainReplacement(place));
  }
  return {
    name: `undo of ${undoneFiles} files`,
    value: Math.min(...times),
    bar: 1000,
    unit: " ms",
    detail: `put back, each flushed; median ${ms(median(times))}; a plain loop that replaces them ${ms(Math.min(...plain))}`,
  };
}

/** The least that a disk needs for as many files: write beside, flush, rename, one after the other. */
function plainReplacement({ repository }: Place): number {
  const start = performance.now();
  for (let file = 0; file < undoneFiles; file += 1) {
    const path = join(repository, `many/${file}.txt`);
    const descriptor = openSync(`${path}.new`, "w");
    writeSync(descriptor, `old ${file}\n`.repeat(100));
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(`${path}.new`, path);
  }
  return performance.now() - start;
}

async function list(place: Place): Promise<Bar[]> {
  const [few, many] = [10, 10_000];
  await makeManySessions(place, few);
  const short = await repeated(place, ["sessions", "list"]);
  await makeManySessions(place, many);
  const long = await repeated(place, ["sessions", "list"]);
  const all = await repeated(place, ["sessions", "list", "--limit", String(many)]);
  return [
    {
      name: `list the last 20 of ${many} sessions`,
      value: Math.min(...long),
      bar: 300,
      unit: " ms",
      detail: `median ${ms(median(long))}; of ${few} ${ms(Math.min(...short))}; all ${many} ${ms(Math.min(...all))}; no index`,
    },
  ];
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function sizeOf(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Each in a place of its own, so that none has the sessions of another. */
async function inPlace<T>(bench: (place: Place) => Promise<T>): Promise<T> {
  const place = makePlace();
  try {
    return await bench(place);
  } finally {
    rmSync(place.folder, { recursive: true, force: true });
  }
}

const bars = [
  ...(await inPlace(resume)),
  await inPlace(append),
  await inPlace(undo),
  ...(await inPlace(list)),
];
process.exitCode = report("Sessions", bars) ? 0 : 1;
