// What stays read-only although it lies in the workspace: names that decide what runs or counts next time.
import { dirname, join } from "node:path";
import { projectIdentity } from "@codelia/config";
import { directoriesBetween } from "@codelia/core";
import type { FileSystem } from "@codelia/shared-types";
import type { PathRule, Placeholder } from "./paths.ts";
import { SandboxError } from "./sandbox.ts";

export interface ProtectedPaths {
  readonly rules: readonly PathRule[];
  readonly placeholders: readonly Placeholder[];
}

interface Scene {
  readonly fs: FileSystem;
  readonly rules: PathRule[];
  readonly placeholders: Placeholder[];
}

/**
 * @input  workspace and cwd: real paths
 * @output for a worktree also the rules of its repository's git directory, which is writable then
 * @error  SandboxError when a protected name is a link: nothing can be mounted on a link, so it could be replaced
 */
export async function protectedPaths(
  fs: FileSystem,
  workspace: string,
  cwd: string,
): Promise<ProtectedPaths> {
  const scene: Scene = { fs, rules: [], placeholders: [] };
  for (const name of [".codelia", ".agents"]) {
    await keep(scene, join(workspace, name), { kind: "directory", content: "" });
    for (const folder of foldersOnTheWay(workspace, cwd)) {
      const path = join(folder, name);
      if ((await fs.lstat(path))?.kind === "directory") {
        scene.rules.push({ path, access: "read", kind: "directory" });
      }
    }
  }
  await protectGit(scene, workspace);
  return scene;
}

/** The folders below the workspace that lead to the working directory, which is one of them. */
function foldersOnTheWay(workspace: string, cwd: string): string[] {
  return cwd.startsWith(`${workspace}/`) ? directoriesBetween(workspace, cwd).slice(1) : [];
}

async function protectGit(scene: Scene, workspace: string): Promise<void> {
  const git = join(workspace, ".git");
  const stat = await scene.fs.lstat(git);
  // Without a HEAD it is no repository: it may be what keeps the name for another session.
  if (stat?.kind === "directory" && (await scene.fs.lstat(join(git, "HEAD"))) !== undefined) {
    await protectRepository(scene, git);
    return;
  }
  // None, or a worktree's pointer: neither may be made to lead to a directory with other hooks.
  await keep(scene, git, { kind: "directory", content: "" });
  const common = stat?.kind === "file" ? await projectIdentity(scene.fs, workspace) : workspace;
  if (common !== workspace) await protectWorktree(scene, workspace, common);
}

/** The git directory itself is mounted too: what is a mount point cannot be renamed away. */
async function protectRepository({ fs, rules, placeholders }: Scene, git: string): Promise<void> {
  const scene = { fs, rules, placeholders };
  rules.push({ path: git, access: "write", kind: "directory" });
  await keep(scene, join(git, "hooks"), { kind: "directory", content: "" });
  await keep(scene, join(git, "config"), { kind: "file", content: "" });
  await protectPointers(scene, git, ".\n");
  // Each has hooks and a config of its own below.
  await keep(scene, join(git, "modules"), undefined);
  await keep(scene, join(git, "worktrees"), undefined);
}

async function protectWorktree(scene: Scene, workspace: string, common: string): Promise<void> {
  await protectRepository(scene, common);
  const own = await ownGitDirectory(scene.fs, workspace, common);
  if (own === undefined) return;
  scene.rules.push({ path: own, access: "write", kind: "directory" });
  await protectPointers(scene, own, "../..\n");
  await keep(scene, join(own, "gitdir"), undefined);
}

/**
 * `commondir` says where git takes hooks and config from, `config.worktree` is a config.
 * @input here: the `commondir` that changes nothing; git ends with an error when the file is empty
 */
async function protectPointers(scene: Scene, git: string, here: string): Promise<void> {
  await keep(scene, join(git, "commondir"), { kind: "file", content: here });
  await keep(scene, join(git, "config.worktree"), { kind: "file", content: "" });
}

async function ownGitDirectory(
  fs: FileSystem,
  workspace: string,
  common: string,
): Promise<string | undefined> {
  const file = await fs.open(join(workspace, ".git"));
  if (file === undefined) return undefined;
  try {
    const text = Buffer.from(await file.read(0, 8192)).toString("utf8");
    const pointer = /^gitdir: (.+)$/m.exec(text)?.[1];
    const own =
      pointer === undefined
        ? undefined
        : await fs.realPath(join(pointer.startsWith("/") ? "" : workspace, pointer));
    return own !== undefined && dirname(dirname(own)) === common ? own : undefined;
  } finally {
    await file.close();
  }
}

/** @input absent: what to put there while commands run; undefined: the name may be created */
async function keep(
  { fs, rules, placeholders }: Scene,
  path: string,
  absent: Omit<Placeholder, "path"> | undefined,
): Promise<void> {
  const stat = await fs.lstat(path);
  if (stat === undefined) {
    if (absent === undefined) return;
    placeholders.push({ path, ...absent });
    rules.push({ path, access: "read", kind: absent.kind });
    return;
  }
  if (stat.kind !== "file" && stat.kind !== "directory") {
    throw new SandboxError(
      `${path} is ${stat.kind === "link" ? "a link" : "no file"} and cannot be protected`,
    );
  }
  rules.push({ path, access: "read", kind: stat.kind });
}
