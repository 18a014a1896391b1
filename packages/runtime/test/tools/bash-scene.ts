// The tool `bash` in tests: ends its jobs after each test, and looks at processes from outside.
import { afterEach } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type BashTool, createBashTool } from "../../src/tools/bash.ts";
import { environmentAt } from "./tool-run.ts";

const tools: BashTool[] = [];

export function bashAt(cwd: string, env?: Readonly<Record<string, string>>): BashTool {
  const tool = createBashTool(environmentAt(cwd, env));
  tools.push(tool);
  return tool;
}

export function endJobsAfterEachTest(): void {
  afterEach(async () => {
    await Promise.all(tools.splice(0).map((tool) => tool.dispose()));
  });
}

/** A zombie does not count as alive. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** The number that a command writes into a file. */
export async function pidIn(path: string): Promise<number> {
  for (let tries = 0; tries < 500; tries += 1) {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (text.endsWith("\n")) return Number(text);
    await delay(10);
  }
  throw new Error(`${path} was not written`);
}
