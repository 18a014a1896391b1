// Measuring in one run: ratios of medians, with the bar that each must stay under.
import { spawnSync } from "node:child_process";

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The value must not be larger. */
  readonly bar: number;
  readonly unit: string;
  /** The figures behind the value. */
  readonly detail: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export interface Program {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Wall milliseconds of each program, interleaved so that drift of the machine hits all alike. */
export function timePrograms(programs: readonly Program[], runs: number): number[][] {
  const times: number[][] = programs.map(() => []);
  for (let run = -2; run < runs; run++) {
    for (const [index, { command, cwd, env }] of programs.entries()) {
      const [file, ...args] = command;
      const start = performance.now();
      const { status, stderr } = spawnSync(file, args, {
        cwd,
        env: { ...process.env, ...env },
        stdio: ["ignore", "ignore", "pipe"],
      });
      const elapsed = performance.now() - start;
      if (status !== 0) throw new Error(`${command.join(" ")} failed: ${stderr.toString()}`);
      // The first two rounds warm the file cache.
      if (run >= 0) times[index]?.push(elapsed);
    }
  }
  return times;
}

/** Prints the table and says whether every bar was kept. */
export function report(title: string, bars: readonly Bar[]): boolean {
  console.log(`\n${title}\n`);
  const rows = bars.map(({ name, value, bar, unit, detail }) => [
    name,
    `${format(value)}${unit}`,
    `≤ ${format(bar)}${unit}`,
    value <= bar ? "kept" : "MISSED",
    detail,
  ]);
  const header = ["", "measured", "bar", "", "figures"];
  const widths = header.map((_, index) =>
    Math.max(...[header, ...rows].map((row) => (row[index] ?? "").length)),
  );
  for (const row of [header, ...rows]) {
    console.log(
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
  return bars.every(({ value, bar }) => value <= bar);
}

function format(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toFixed(3).replace(/\.?0+$/, "");
}
