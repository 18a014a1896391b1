// A directory as a project: its root, whether it is trusted, and the settings that hold in it.
import { join, resolve } from "node:path";
import {
  codeliaHome,
  type EffectiveSettings,
  environmentLayer,
  flagLayer,
  type Layer,
  mergeLayers,
  openTrustStore,
  projectIdentity,
  readFileLayer,
  userConfigFiles,
} from "@codelia/config";
import { findAgentsRoot } from "@codelia/core";
import type { AgentsRoot } from "@codelia/shared-types";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";

export interface ProjectTrust {
  readonly state: "trusted" | "trusted_for_this_run" | "untrusted";
  readonly identity: string;
  readonly trustedAt?: string;
}

export interface ConfigFile {
  readonly path: string;
  readonly layer: "user" | "project";
  /** `unused`: another user file goes before it. */
  readonly state: "read" | "absent" | "untrusted" | "unused";
}

export interface Project {
  readonly cwd: string;
  readonly root: AgentsRoot;
  readonly trust: ProjectTrust;
  readonly settings: EffectiveSettings;
  readonly configFiles: readonly ConfigFile[];
  readonly codeliaHome: string;
}

/** The settings that hold everywhere: without any project's. */
export async function readUserSettings(
  environment: RuntimeEnvironment,
  options: Pick<RuntimeOptions, "settings">,
): Promise<EffectiveSettings> {
  const user = await readUserLayer(environment);
  return mergeLayers([...user.layers, environmentLayer(environment.env), flagLayer(options.settings)]);
}

interface LocatedProject {
  readonly cwd: string;
  readonly root: AgentsRoot;
  readonly codeliaHome: string;
  readonly user: ReadLayers;
  readonly outer: Layer[];
}

/**
 * Finds the root of a directory with the user's own settings alone.
 * @error ConfigError, AgentsError
 */
export async function locateProject(
  environment: RuntimeEnvironment,
  options: Pick<RuntimeOptions, "settings">,
  directory: string,
): Promise<LocatedProject> {
  const { fs, env, userHome } = environment;
  const cwd = resolve(directory);
  const home = codeliaHome(environment);
  const user = await readUserLayer(environment);
  const outer = [environmentLayer(env), flagLayer(options.settings)];
  const { values } = mergeLayers([...user.layers, ...outer]);
  const root = await findAgentsRoot({ fs, cwd, settings: values.agents.root, userHome, codeliaHome: home });
  return { cwd, root, codeliaHome: home, user, outer };
}

/**
 * The order matters: the root is found with the user's settings alone, trust is decided for that root, and only
 * then may the project's own file take part.
 * @error ConfigError, AgentsError
 */
export async function openProject(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  directory: string,
): Promise<Project> {
  const { cwd, root, codeliaHome: home, user, outer } = await locateProject(environment, options, directory);
  const trust = await trustOf(environment, options, root.path);
  const project = await readProjectLayer(environment, root.path, trust, user.files);
  const settings = mergeLayers([...user.layers, ...project.layers, ...outer]);
  if (settings.rules.length > 0) {
    const { checkRulesIn } = await import("../permissions/index.ts");
    await checkRulesIn(environment, root.path, settings.rules);
  }
  return {
    cwd,
    root,
    trust,
    settings,
    configFiles: [...user.files, ...project.files],
    codeliaHome: home,
  };
}

/** Whether a project may speak to the model. `--trust` covers every root of this run's own project only. */
export async function trustOf(
  environment: RuntimeEnvironment,
  options: Pick<RuntimeOptions, "trust">,
  root: string,
): Promise<ProjectTrust> {
  const { fs, now } = environment;
  const identity = await projectIdentity(fs, root);
  const entry = await openTrustStore({ fs, codeliaHome: codeliaHome(environment), now }).findByIdentity(
    identity,
  );
  if (entry !== undefined) return { state: "trusted", identity, trustedAt: entry.trustedAt };
  return { state: options.trust ? "trusted_for_this_run" : "untrusted", identity };
}

interface ReadLayers {
  readonly layers: Layer[];
  readonly files: ConfigFile[];
}

async function readUserLayer(environment: RuntimeEnvironment): Promise<ReadLayers> {
  const layers: Layer[] = [];
  const files: ConfigFile[] = [];
  for (const path of userConfigFiles(environment)) {
    if (layers.length > 0) {
      const isThere = (await environment.fs.stat(path)) !== undefined;
      files.push({ path, layer: "user", state: isThere ? "unused" : "absent" });
      continue;
    }
    const layer = await readFileLayer(environment.fs, path, "user");
    if (layer !== undefined) layers.push(layer);
    files.push({ path, layer: "user", state: layer === undefined ? "absent" : "read" });
  }
  return { layers, files };
}

async function readProjectLayer(
  { fs }: RuntimeEnvironment,
  root: string,
  trust: ProjectTrust,
  userFiles: readonly ConfigFile[],
): Promise<ReadLayers> {
  const path = join(root, ".codelia", "config.json");
  // In a home directory that is itself a repository, this is the user's file.
  if (userFiles.some((file) => file.path === path)) return { layers: [], files: [] };
  if (trust.state === "untrusted") {
    const isThere = (await fs.lstat(path)) !== undefined;
    return { layers: [], files: [{ path, layer: "project", state: isThere ? "untrusted" : "absent" }] };
  }
  const layer = await readFileLayer(fs, path, "project");
  return {
    layers: layer === undefined ? [] : [layer],
    files: [{ path, layer: "project", state: layer === undefined ? "absent" : "read" }],
  };
}
