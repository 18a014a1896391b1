// `context.inspect` and `agents.tree`.
import { resolve } from "node:path";
import { createAgentsResolver, foldAgentsRecords, isInside, loadInitialAgents } from "@codelia/core";
import { type Params, ProtocolError, type Result } from "@codelia/protocol";
import { walkAgentsTree } from "../agents/index.ts";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject, type Project, projectNotices, trustOf } from "../project/index.ts";
import { wireFile, wireResolvedFile, wireRoot, wireTreeDirectory, wireTrust } from "./wire.ts";

/** What a session started in this directory would be given, and what a tool call on `path` would add. */
export async function inspectContext(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  params: Params<"context.inspect">,
): Promise<Result<"context.inspect">> {
  const project = await openProject(environment, options, params.cwd);
  const settings = project.settings.values.agents;
  const initial = await loadProjectAgents(environment, project);
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
      : { resolve: await previewResolve(environment, project, initial, params.path) }),
    notices: projectNotices(project),
  };
}

type Initial = Awaited<ReturnType<typeof loadInitialAgents>>;

function loadProjectAgents({ fs }: RuntimeEnvironment, project: Project): Promise<Initial> {
  const { cwd, root, codeliaHome } = project;
  const settings = project.settings.values.agents;
  return loadInitialAgents({
    fs,
    cwd,
    root,
    settings,
    codeliaHome,
    trusted: project.trust.state !== "untrusted",
  });
}

async function previewResolve(
  environment: RuntimeEnvironment,
  project: Project,
  initial: Initial,
  path: string,
): Promise<Result<"context.inspect">["resolve"]> {
  const { fs, userHome } = environment;
  const target = resolve(project.cwd, path);
  const resolver = createAgentsResolver({
    fs,
    settings: project.settings.values.agents,
    userHome,
    codeliaHome: project.codeliaHome,
    state: foldAgentsRecords([initial.record]),
    // `--trust` is about the project one stands in, not about others that a path leads to.
    isTrusted: async (root) =>
      (root === project.root.path ? project.trust : await trustOf(environment, { trust: false }, root))
        .state !== "untrusted",
  });
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
  const initial = await loadProjectAgents(environment, project);
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
