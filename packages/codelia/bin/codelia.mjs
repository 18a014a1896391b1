#!/usr/bin/env node
// `npx codelia` inside the clone: runs the sources, so that it can never be older than they are.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bunExecutable } from "./bun-executable.mjs";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const child = spawn(bunExecutable(), [main, ...process.argv.slice(2)], { stdio: "inherit" });
// A terminal signals the whole group: the child decides what an interrupt means, we wait for it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  process.stderr.write(`cannot start Bun: ${error.message}\n`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  process.exit(code ?? (signal === "SIGINT" ? 130 : 1));
});
