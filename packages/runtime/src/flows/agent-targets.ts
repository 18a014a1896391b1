// What somebody names to have it checked: an agent, its folder, or a folder above agents. Nothing of it is read here.
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "@codelia/core";
import { errorCode, nearNames, visibleName } from "@codelia/shared-types";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { locateProject } from "../project/index.ts";
import { agentNamePattern, agentsFolder } from "./find-agents.ts";

export interface AgentTarget {
  readonly name: string;
  readonly directory: string;
  /** Why there is nothing to look at. */
  readonly problem?: { readonly code: string; readonly message: string; readonly fix: string };
}

const definitionFile = "agent.json";

/**
 * Needs no trust: it looks at names only, and what it finds is what the caller asked for.
 *
 * @input  targets: names, directories, agent.json files, folders above agents; none: the agents of the project
 * @output each agent once, in the order of the targets; what is none is there with its problem
 */
export async function agentTargets(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  cwd: string,
  targets: readonly string[],
): Promise<AgentTarget[]> {
  const project = await locateProject(environment, options, cwd);
  const folder = agentsFolder(project);
  const found: AgentTarget[] = [];
  if (targets.length === 0) found.push(...(await agentsIn(environment, folder, project.root.path)));
  for (const target of targets) {
    const own = agentNamePattern.test(target) ? join(folder, target) : undefined;
    if (own !== undefined && (await kindOf(environment, own)) === "directory") {
      found.push(await agentOf(environment, own, project.root.path));
    } else found.push(...(await agentsAt(environment, resolve(cwd, target), target, folder)));
  }
  return [...new Map(found.map((each) => [each.directory, each])).values()];
}

async function agentsAt(
  environment: RuntimeEnvironment,
  path: string,
  target: string,
  folder: string,
): Promise<AgentTarget[]> {
  const kind = target === "" ? undefined : await kindOf(environment, path);
  if (kind === undefined) {
    const near = nearNames(target, await namesIn(environment, folder));
    const meant = near.length > 0 ? `Did you mean ${near.map(visibleName).join(", ")}?` : "";
    const fix = `${meant} Give the name of an agent, or the path of its directory.`.trim();
    const message = "there is no agent of this name here, and nothing at this path";
    return [{ name: target, directory: path, problem: { code: "NotFound", message, fix } }];
  }
  if (kind === "file") {
    if (basename(path) === definitionFile) return [await agentOf(environment, dirname(path), undefined)];
    const problem = {
      code: "NotFound",
      message: "this is a file, and not an agent.json",
      fix: "Give the agent's directory.",
    };
    return [{ name: basename(path), directory: path, problem }];
  }
  if ((await kindOf(environment, join(path, definitionFile))) !== undefined) {
    return [await agentOf(environment, path, undefined)];
  }
  const own = join(path, ".codelia", "agents");
  if ((await kindOf(environment, own)) === "directory") return await agentsIn(environment, own, path);
  return await agentsIn(environment, path, undefined);
}

/** @input root: what links may not lead out of; undefined: they may lead anywhere */
async function agentsIn(
  environment: RuntimeEnvironment,
  folder: string,
  root: string | undefined,
): Promise<AgentTarget[]> {
  const names = await namesIn(environment, folder);
  const agents: AgentTarget[] = [];
  for (const name of names) {
    const directory = join(folder, name);
    const isAgent =
      root === undefined
        ? (await kindOf(environment, join(directory, definitionFile))) !== undefined
        : (await kindOf(environment, directory)) !== "file";
    if (isAgent) agents.push(await agentOf(environment, directory, root));
  }
  if (agents.length > 0) return agents;
  const problem = {
    code: "NoAgents",
    message: "there is no flow agent in this folder",
    fix: "Name an agent or a folder of agents, or make one: codelia agent new NAME",
  };
  return [{ name: basename(folder), directory: folder, problem }];
}

async function agentOf(
  environment: RuntimeEnvironment,
  directory: string,
  root: string | undefined,
): Promise<AgentTarget> {
  const name = basename(directory);
  const problem = await problemOf(environment, directory, root);
  return { name, directory, ...(problem === undefined ? {} : { problem }) };
}

async function problemOf(
  { fs }: RuntimeEnvironment,
  directory: string,
  root: string | undefined,
): Promise<AgentTarget["problem"]> {
  if (root === undefined) return undefined;
  const [real, realRoot] = await Promise.all([orNothing(() => fs.realPath(directory)), fs.realPath(root)]);
  if (real === undefined || realRoot === undefined || !isInside(real, realRoot)) {
    const where = real === undefined ? "nowhere" : "out of the project";
    const message = `this link leads ${where}, so that the agent cannot be run`;
    return { code: "LinkOut", message, fix: "Copy the agent into the project." };
  }
  if (agentNamePattern.test(basename(directory))) return undefined;
  return {
    code: "WrongName",
    message: "an agent of this name cannot be run",
    fix: "Use letters, digits, dots, _ and -, beginning with a letter or digit; at most 64.",
  };
}

/** A link that leads in a circle leads nowhere. */
async function kindOf({ fs }: RuntimeEnvironment, path: string): Promise<"file" | "directory" | undefined> {
  const stat = await orNothing(() => fs.stat(path));
  if (stat === undefined) return undefined;
  return stat.kind === "directory" ? "directory" : "file";
}

async function orNothing<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (errorCode(error) === "ELOOP") return undefined;
    throw error;
  }
}

/** Without those that are hidden. */
async function namesIn({ disk }: RuntimeEnvironment, folder: string): Promise<string[]> {
  try {
    const names = (await disk.readdir(folder)).map(({ name }) => name);
    return names.filter((name) => !name.startsWith(".")).toSorted();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return [];
    throw error;
  }
}
