// What the sandbox adds to a command: the same command through the same code, with and without it, in turns.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSettings } from "@codelia/config";
import { nodeFileSystem } from "@codelia/storage";
import { createSandbox, noSandbox, type Sandbox } from "../packages/runtime/src/sandbox/index.ts";
import { Job } from "../packages/runtime/src/tools/process/index.ts";
import { type Bar, median, report } from "./measure.ts";

const runs = Number(process.env.CODELIA_BENCH_RUNS ?? 60);
const warmUp = 5;

/** A home with the files that the sandbox hides for many people: each is a mount. */
const secrets = [
  ".ssh/id",
  ".gnupg/key",
  ".aws/credentials",
  ".kube/config",
  ".netrc",
  ".npmrc",
  ".claude/x",
  ".codex/x",
];

function scene(): { workspace: string; home: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "codelia-bench-sandbox-"));
  const [workspace, home] = [join(folder, "work"), join(folder, "home")];
  for (const path of [
    join(workspace, ".git/hooks"),
    join(folder, "bin"),
    ...secrets.map((name) => join(home, name, "..")),
  ]) {
    mkdirSync(path, { recursive: true });
  }
  writeFileSync(join(workspace, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(workspace, ".git/config"), "");
  for (const name of secrets) writeFileSync(join(home, name), "x");
  return { workspace, home, folder };
}

async function timed(sandbox: Sandbox, cwd: string): Promise<number> {
  const start = performance.now();
  const job = await Job.start({
    command: "true",
    cwd,
    // Below a program's folder nothing is covered by the sandbox's own /tmp: the home is there to be hidden.
    env: { PATH: `${join(cwd, "../bin")}:${process.env.PATH ?? ""}` },
    sandbox,
    unaskedIn: undefined,
    timeout: 60,
    write: () => Promise.resolve(),
  });
  const end = await job.ended;
  if (end.kind !== "exit" || end.code !== 0) throw new Error(`the command failed: ${JSON.stringify(end)}`);
  return performance.now() - start;
}

const { workspace, home, folder } = scene();
const sandbox = createSandbox({
  fs: nodeFileSystem,
  settings: defaultSettings.sandbox,
  workspace,
  userHome: home,
  codeliaHome: join(home, ".codelia"),
  env: process.env,
  readable: [],
  executable: process.execPath,
  isRoot: process.getuid?.() === 0,
  platform: process.platform,
});
const state = await sandbox.state();
if (!state.inForce) throw new Error(`${state.reason}. ${state.fix}`);

const plain: number[] = [];
const walled: number[] = [];
for (let run = -warmUp; run < runs; run += 1) {
  const [without, within] = [
    await timed(noSandbox("to compare"), workspace),
    await timed(sandbox, workspace),
  ];
  if (run < 0) continue;
  plain.push(without);
  walled.push(within);
}
await sandbox.dispose();
rmSync(folder, { recursive: true, force: true });

const bars: Bar[] = [
  {
    name: "sandbox, a command",
    value: median(walled) - median(plain),
    bar: 15,
    unit: " ms",
    detail: `${median(walled).toFixed(1)} ms in the sandbox, ${median(plain).toFixed(1)} ms without, medians of ${runs}`,
  },
];
process.exitCode = report("The sandbox over the plain spawn", bars) ? 0 : 1;
