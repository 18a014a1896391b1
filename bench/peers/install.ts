// Puts the peers from npm into a scratch folder, which is kept so that the next bench starts at once.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "./agent.ts";
import { field, parseJson, text } from "./json.ts";

export interface InstalledAgent {
  readonly agent: Agent;
  readonly version: string;
  readonly command: readonly [string, ...string[]];
}

/**
 * Installs the newest version, or takes the one that is there.
 * @effects writes below `scratch`; install scripts are not run
 * @error when npm fails or there is no program for this machine
 */
export function installPeer(agent: Agent, npmPackage: string, scratch: string): InstalledAgent {
  const folder = join(scratch, "packages", agent.name);
  const manifest = join(folder, "node_modules", npmPackage, "package.json");
  if (!existsSync(manifest)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${npmPackage}@latest`];
    const { status, stderr, error } = spawnSync("npm", args, { cwd: folder });
    if (status !== 0)
      throw new Error(`npm could not install it: ${error?.message ?? lastLine(stderr.toString())}`);
  }
  const version = text(field(parseJson(readFileSync(manifest, "utf8")), "version")) ?? "unknown";
  return { agent, version, command: commandOf(agent, folder) };
}

/** @error when the program is not in the folder */
export function commandOf(agent: Agent, folder: string): [string, ...string[]] {
  const program = agent.program.flatMap((pattern) => globSync(pattern, { cwd: folder })).at(0);
  if (program === undefined)
    throw new Error(
      `${agent.program.join(" or ")} is not in ${folder}: build it, or delete the folder to install it again`,
    );
  const path = join(folder, program);
  return agent.script ? ["node", path] : [path];
}

function lastLine(output: string): string {
  return output.trimEnd().split("\n").at(-1) ?? "";
}
