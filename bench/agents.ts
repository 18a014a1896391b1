// The cost of finding instructions: does it depend on the repository's size, and what does a tool call pay?
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startSession } from "../test/support/session.ts";
import { watchedFileSystem } from "../test/support/watched-file-system.ts";
import { type Bar, median, report, timePrograms } from "./measure.ts";

const folder = mkdtempSync(join(tmpdir(), "codelia-bench-"));
const executable = resolve(import.meta.dir, "../dist/codelia");
const deepest = "a/b/c/d";

/** Both repositories have the same chain to the working directory; only the crowd around it differs. */
function makeRepository(name: string, instructionFiles: number, files: number): string {
  const root = join(folder, name);
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, deepest), { recursive: true });
  writeFileSync(join(root, "AGENTS.md"), "# Rules\n\nKeep it exact.\n");
  for (let index = 0; index < files; index++) {
    const directory = join(root, index % 2 === 0 ? "packages" : deepest, `p${index % 500}`, `m${index % 10}`);
    if (index < 5000) mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `file${index}.ts`), "export {};\n");
  }
  for (let index = 1; index < instructionFiles; index++) {
    const directory = join(root, index % 2 === 0 ? "packages" : deepest, `q${index}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "AGENTS.md"), "# Local rules\n");
  }
  return root;
}

function startUp(small: string, large: string): Bar[] {
  const env = { HOME: join(folder, "home"), CODELIA_HOME: join(folder, "home/.codelia") };
  const context = (root: string) =>
    ({ command: [executable, "context", "--trust", "--json"], cwd: join(root, deepest), env }) as const;
  const [inSmall = [], inLarge = []] = timePrograms([context(small), context(large)], 60);
  const [version = [], node = []] = timePrograms(
    [
      { command: [executable, "--version"], cwd: small },
      { command: ["node", "-e", "0"], cwd: small },
    ],
    40,
  );
  const ms = (times: readonly number[]) => `${median(times).toFixed(1)} ms`;
  return [
    {
      name: "codelia context --json, 5,000 AGENTS.md and 50,000 files : 1",
      value: median(inLarge) / median(inSmall),
      bar: 1.3,
      unit: "×",
      detail: `${ms(inLarge)} : ${ms(inSmall)}`,
    },
    {
      name: "codelia --version : node -e 0",
      value: median(version) / median(node),
      bar: 0.5,
      unit: "×",
      detail: `${ms(version)} : ${ms(node)}`,
    },
  ];
}

async function fileSystemCalls(large: string): Promise<Bar> {
  const perDirectory: number[] = [];
  const counts: string[] = [];
  for (const depth of [2, 8, 32]) {
    const cwd = join(large, "deep", ...Array.from({ length: depth - 1 }, () => "d"));
    mkdirSync(cwd, { recursive: true });
    const { fs, calls } = watchedFileSystem();
    const { resolver } = await startSession({ cwd, fs });
    await resolver.resolveAgentsForPath("x.ts");
    perDirectory.push(calls.length / (depth + 1));
    counts.push(`${calls.length} at depth ${depth}`);
  }
  return {
    name: "file-system calls a directory, start and first resolve",
    value: Math.max(...perDirectory),
    bar: 12,
    unit: "",
    detail: counts.join(", "),
  };
}

async function coveredResolve(large: string): Promise<Bar> {
  const cwd = join(large, deepest);
  const { resolver } = await startSession({ cwd });
  await resolver.resolveAgentsForPath("x.ts");
  const times: number[] = [];
  for (let call = 0; call < 4000; call++) {
    const start = performance.now();
    await resolver.resolveAgentsForPath("x.ts");
    if (call >= 1000) times.push(performance.now() - start);
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  return {
    name: "resolve for a covered path, 5 directories, p50",
    value: median(times),
    bar: 0.1,
    unit: " ms",
    detail: `p95 ${p95.toFixed(3)} ms`,
  };
}

try {
  const small = makeRepository("one", 1, 0);
  const large = makeRepository("many", 5000, 50_000);
  const bars = [...startUp(small, large), await fileSystemCalls(large), await coveredResolve(large)];
  process.exitCode = report("AGENTS.md: cost of finding instructions", bars) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
