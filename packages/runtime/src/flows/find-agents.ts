// Flow agents by name or path. Each is a directory, `.codelia/agents/<name>` of the project.
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "@codelia/core";
import { ProtocolError } from "@codelia/protocol";
import { errorCode, nearNames, visibleName } from "@codelia/shared-types";
import { storageError } from "@codelia/storage";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { locateProject, type Project, requireTrust, trustOf } from "../project/index.ts";

export interface FoundAgent {
  readonly name: string;
  /** Absolute; the definition in it is not yet looked at. */
  readonly directory: string;
}

/** Also what a new agent may be called: it is a directory's name, and is typed. */
export const agentNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const definitionFile = "agent.json";

export function agentsFolder({ root }: Pick<Project, "root">): string {
  return join(root.path, ".codelia", "agents");
}

/**
 * Looks at names only, so that it needs no trust.
 *
 * @output the project's agents by name; a directory without agent.json, or one that a link leads out of the project to, is none
 * @error  StorageError when the folder cannot be read
 */
export async function listAgents(environment: RuntimeEnvironment, project: Project): Promise<FoundAgent[]> {
  const folder = agentsFolder(project);
  const names = (await entriesOf(environment, folder)).filter((name) => agentNamePattern.test(name));
  const looks = names.map(async (name): Promise<FoundAgent[]> => {
    const directory = join(folder, name);
    const isThere = (await environment.fs.stat(join(directory, definitionFile))) !== undefined;
    return isThere && (await staysInside(environment, project, directory)) ? [{ name, directory }] : [];
  });
  return (await Promise.all(looks)).flat().toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * @input  text: a name, or the path of an agent's directory or of its agent.json
 * @output the agent; whether its definition can be used is for `load` to say
 * @error  ProtocolError `not_found` with the nearest names; `untrusted`; `refused` when a link leads out of the project
 */
export async function findAgent(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  project: Project,
  text: string,
): Promise<FoundAgent> {
  if (!agentNamePattern.test(text)) return await agentAtPath(environment, options, project, text);
  requireTrust(project.trust, project.root.path);
  const directory = join(agentsFolder(project), text);
  if (!(await isDirectory(environment, directory))) throw await unknownAgent(environment, project, text);
  if (!(await staysInside(environment, project, directory))) {
    throw new ProtocolError(
      "refused",
      `${visibleName(directory)}: this link leads out of the project`,
      "Copy the agent into the project, or name its own directory.",
    );
  }
  return { name: text, directory };
}

/** An agent of another project needs that project's trust. */
async function agentAtPath(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  project: Project,
  text: string,
): Promise<FoundAgent> {
  const path = resolve(project.cwd, text);
  const directory = basename(path) === definitionFile ? dirname(path) : path;
  if (text === "" || !(await isDirectory(environment, directory))) {
    throw new ProtocolError(
      "not_found",
      `${visibleName(text)}: there is no directory of an agent here`,
      "Give the name of an agent, or the path of its directory. See: codelia agent list",
    );
  }
  const real = (await environment.fs.realPath(directory)) ?? directory;
  if (await staysInside(environment, project, real)) requireTrust(project.trust, project.root.path);
  else {
    const { root } = await locateProject(environment, options, real);
    requireTrust(await trustOf(environment, { trust: false }, root.path), root.path);
  }
  return { name: basename(directory), directory };
}

async function unknownAgent(
  environment: RuntimeEnvironment,
  project: Project,
  name: string,
): Promise<ProtocolError> {
  const names = (await listAgents(environment, project)).map((agent) => agent.name);
  const near = nearNames(name, names);
  const folder = visibleName(agentsFolder(project));
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(", ")}? See also: codelia agent list`
      : names.length > 0
        ? `There are: ${names.slice(0, 10).join(", ")}. See also: codelia agent list`
        : `There are none in ${folder}. Make one with: codelia agent new ${name}`;
  return new ProtocolError("not_found", `${visibleName(name)}: there is no agent with this name here`, hint);
}

async function staysInside(
  { fs }: RuntimeEnvironment,
  { root }: Project,
  directory: string,
): Promise<boolean> {
  const [real, realRoot] = await Promise.all([fs.realPath(directory), fs.realPath(root.path)]);
  return real !== undefined && realRoot !== undefined && isInside(real, realRoot);
}

async function isDirectory({ fs }: RuntimeEnvironment, path: string): Promise<boolean> {
  return (await fs.stat(path))?.kind === "directory";
}

async function entriesOf({ disk }: RuntimeEnvironment, folder: string): Promise<string[]> {
  try {
    return (await disk.readdir(folder)).map(({ name }) => name);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return [];
    throw storageError("unreadable", folder, error);
  }
}
