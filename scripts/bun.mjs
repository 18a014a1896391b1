// Runs Bun from its script-less platform package, so that Node and npm are all a machine needs
// (npm 12 blocks the install script that the `bun` package relies on).
import { spawnSync } from "node:child_process";
import { bunExecutable } from "../packages/codelia/bin/bun-executable.mjs";

const { status, signal, error } = spawnSync(bunExecutable(), process.argv.slice(2), { stdio: "inherit" });
if (error) {
  process.stderr.write(`cannot start Bun: ${error.message}\n`);
  process.exit(1);
}
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
