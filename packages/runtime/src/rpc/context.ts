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
  const { enabled, initial } = project.settings.values.agents;
  const isAsked = params.include_agents ?? true;
  const loaded =
    isAsked || params.path !== undefined ? await loadInstructions(environment, project) : undefined;
  const bundle = isAsked ? loaded?.initial.bundle : undefined;
  return {
    cwd: project.cwd,
    root: wireRoot(project),
    trust: wireTrust(project.trust),
    agents: {
      enabled,
      role: bundle?.role ?? initial.role,
      max_bytes: initial.maxBytes,
      max_files: initial.maxFiles,
      files: bundle?.files.map(wireFile) ?? [],
      skipped: [...(bundle?.skipped ?? [])],
      ...(bundle?.text === undefined ? {} : { text: bundle.text }),
    },
    ...(params.path === undefined || loaded === undefined
      ? {}
      : { resolve: await preview(environment, loaded.resolver, resolve(project.cwd, params.path)) }),
    ...(params.include_skills
      ? { skills: await (await import("./skills.ts")).skillsContext(environment, project) }
      : {}),
    notices: projectNotices(project),
  };
}

/** Which further files a tool call on `path` would be told of, in a session that starts in `cwd`. */
export async function resolveAgents(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, path }: Params<"agents.resolve">,
): Promise<Result<"agents.resolve">> {
  const project = await openProject(environment, options, cwd);
  const { resolver } = await loadInstructions(environment, project);
  const found = await preview(environment, resolver, resolve(project.cwd, path));
  return { ...found, notices: projectNotices(project) };
}

type Resolved = Omit<Result<"agents.resolve">, "notices">;

async function preview(
  { fs }: RuntimeEnvironment,
  resolver: AgentsResolver,
  target: string,
): Promise<Resolved> {
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
