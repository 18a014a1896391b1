// `context.inspect` and `agents.tree`.
import { resolve } from "node:path";
import { type AgentsResolver, isInside } from "@codelia/core";
import { type Params, ProtocolError, type Result } from "@codelia/protocol";
import { walkAgentsTree } from "../agents/index.ts";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { loadInstructions, openProject, projectNotices } from "../project/index.ts";
import { wireFile, wireResolvedFile, wireRoot, wireTreeDirectory, wireTrust } from "./wire.ts";

/** What a session started in this directory would be given, and what a tool call on `path` would add. */
export async function inspectContext(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  params: Params<"context.inspect">,
): Promise<Result<"context.inspect">> {
  const project = await openProject(environment, options, params.cwd);
  const settings = project.settings.values.agents;
  const { initial, resolver } = await loadInstructions(environment, project);
  const { bundle } = initial;
  return {
    cwd: project.cwd,
    root: wireRoot(project),
    trust: wireTrust(project.trust),
    agents: {
      enabled: settings.enabled,
      role: bundle.role,
      max_bytes: settings.initial.maxBytes,
      max_files: settings.initial.maxFiles,
      files: bundle.files.map(wireFile),
      skipped: [...bundle.skipped],
      ...(bundle.text === undefined ? {} : { text: bundle.text }),
    },
    ...(params.path === undefined
      ? {}
      : { resolve: await previewResolve(environment, resolver, resolve(project.cwd, params.path)) }),
    ...(params.include_skills
      ? { skills: await (await import("./skills.ts")).skillsContext(environment, project) }
      : {}),
    notices: projectNotices(project),
  };
}

async function previewResolve(
  { fs }: RuntimeEnvironment,
  resolver: AgentsResolver,
  target: string,
): Promise<Result<"context.inspect">["resolve"]> {
  const exists = (await fs.lstat(target).catch(() => undefined)) !== undefined;
  const { resolution, reminder } = await resolver.resolveAgentsForPath(target);
  return {
    path: target,
    exists,
    files: resolution.files.map(wireResolvedFile),
    pending: resolution.pending,
    skipped: resolution.skipped,
    ...(reminder === undefined ? {} : { reminder }),
  };
}

/** The instruction files of a whole project, with the bytes each directory inherits. */
export async function agentsTree(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  params: Params<"agents.tree">,
): Promise<Result<"agents.tree">> {
  const project = await openProject(environment, options, params.cwd);
  const settings = project.settings.values.agents;
  const root = project.root.path;
  const below = params.path === undefined ? root : resolve(project.cwd, params.path);
  if (!isInside(below, root)) {
    throw new ProtocolError(
      "invalid_params",
      `${below}: this path is not inside the project root ${root}`,
      "Name a directory inside the project, or use -C DIR to look at another project.",
    );
  }
  if ((await environment.fs.stat(below))?.kind !== "directory") {
    throw new ProtocolError(
      "not_found",
      `${below}: there is no such directory`,
      "Name an existing directory.",
    );
  }
  const tree = await walkAgentsTree({
    fs: environment.fs,
    root,
    fallbackFilenames: settings.fallbackFilenames,
  });
  const { initial } = await loadInstructions(environment, project);
  const home = initial.bundle.files.find(({ kind }) => kind === "home");
  return {
    root,
    trust: wireTrust(project.trust),
    home_bytes: home?.keptBytes ?? 0,
    max_bytes: settings.initial.maxBytes,
    directories: tree.directories
      .filter(({ path }) => isInside(path, below) || isInside(below, path))
      .map(wireTreeDirectory),
    skipped: tree.skipped.filter(({ path }) => isInside(path, below)),
    visited_directories: tree.visitedDirectories,
    truncated: tree.truncated,
    notices: projectNotices(project),
  };
}
