// The engine alone: finding 10,000 skills beside ripgrep, a warm start, searching, the size of the catalog.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { z } from "zod";
import { type Bar, median } from "../measure.ts";

const FiguresSchema = z.object({
  skills: z.number(),
  catalogMs: z.number(),
  catalogMemory: z.number(),
  catalogBytes: z.number(),
  wholeMs: z.number(),
  firstSearchMs: z.number(),
  searchMs: z.array(z.number()),
});
type Figures = z.infer<typeof FiguresSchema>;

export interface EngineRuns {
  /** A project with 10,000 skills. */
  readonly project: string;
  readonly folder: string;
  readonly indexDirectory: string;
  readonly runs: number;
}

export function engineBars({ project, folder, indexDirectory, runs }: EngineRuns): Bar[] {
  const [cold, warm, ripgrep]: [Figures[], Figures[], number[]] = [[], [], []];
  for (let run = -1; run < runs; run++) {
    const ripgrepMs = timeRipgrep(folder);
    rmSync(indexDirectory, { recursive: true, force: true });
    const coldFigures = look(project, indexDirectory);
    const warmFigures = look(project, indexDirectory);
    // The first round warms the file cache.
    if (run < 0) continue;
    ripgrep.push(ripgrepMs);
    cold.push(coldFigures);
    warm.push(warmFigures);
  }
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const of = (figures: readonly Figures[], pick: (each: Figures) => number) => median(figures.map(pick));
  const coldMs = of(cold, ({ wholeMs }) => wholeMs);
  const warmMs = of(warm, ({ catalogMs }) => catalogMs);
  const p95 = of(warm, ({ searchMs }) => percentile(searchMs, 0.95));
  return [
    {
      name: `${cold[0]?.skills} skills cold : rg -l --max-count 1 '^name:'`,
      value: coldMs / median(ripgrep),
      bar: 2,
      unit: "×",
      detail: `${ms(coldMs)} : ${ms(median(ripgrep))}`,
    },
    {
      name: "their catalog with an index",
      value: warmMs,
      bar: 30,
      unit: " ms",
      detail: `all files looked at: ${ms(of(warm, ({ wholeMs }) => wholeMs))}`,
    },
    {
      name: "search, p95",
      value: p95,
      bar: 3,
      unit: " ms",
      detail: `p50 ${ms(of(warm, ({ searchMs }) => median(searchMs)))}, first ${ms(of(warm, ({ firstSearchMs }) => firstSearchMs))}`,
    },
    {
      name: "first search, which builds its index",
      value: of(warm, ({ firstSearchMs }) => firstSearchMs),
      bar: 100,
      unit: " ms",
      detail: "",
    },
    {
      name: "catalog",
      value: of(warm, ({ catalogBytes }) => catalogBytes) / 1024,
      bar: 32,
      unit: " KiB",
      detail: `${of(warm, ({ catalogBytes }) => catalogBytes)} bytes`,
    },
    {
      name: "memory of the catalog with an index",
      value: of(warm, ({ catalogMemory }) => catalogMemory) / 1e6,
      bar: 30,
      unit: " MB",
      detail: `cold ${(of(cold, ({ catalogMemory }) => catalogMemory) / 1e6).toFixed(0)} MB`,
    },
  ];
}

function look(project: string, indexDirectory: string): Figures {
  const script = join(import.meta.dir, "engine.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, project, indexDirectory]);
  if (status !== 0) throw new Error(`the engine failed: ${stderr.toString()}`);
  return FiguresSchema.parse(JSON.parse(stdout.toString()));
}

function timeRipgrep(folder: string): number {
  const start = performance.now();
  const { status } = spawnSync(rgPath, ["-l", "--max-count", "1", "^name:", resolve(folder)], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  const elapsed = performance.now() - start;
  if (status !== 0) throw new Error("rg found nothing");
  return elapsed;
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
