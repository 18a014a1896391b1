#!/usr/bin/env node
// `npx codelia` inside the clone: runs the sources, so that it can never be older than they are.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bunExecutable } from "./bun-executable.mjs";

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
// Nothing in the working directory may configure Bun: no preload in a bunfig.toml, no .env, no paths in a tsconfig.json.
const flags = [
  "--config=/dev/null",
  "--no-env-file",
  `--tsconfig-override=${file("../../../tsconfig.json")}`,
];
const child = spawn(bunExecutable(), [...flags, file("../src/main.ts"), ...process.argv.slice(2)], {
  stdio: "inherit",
});
// A terminal sends an interrupt to the whole group: the child has it already, and a second one means "at once".
const isFromTerminal = process.stdin.isTTY || process.stderr.isTTY;
process.on("SIGINT", () => isFromTerminal || child.kill("SIGINT"));
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("error", (error) => {
  process.stderr.write(`cannot start Bun: ${error.message}\n`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  process.exit(code ?? (signal === "SIGINT" ? 130 : 1));
});
