// Puts the policy for a workspace together: settings, protected names, hidden paths, programs that stay visible.
import { dirname, join } from "node:path";
import type { FileSystem, SandboxSettings } from "@codelia/shared-types";
import { pathFolders } from "../programs/index.ts";
import { hiddenPaths } from "./hidden-paths.ts";
import { isBelow, layered, type PathRule, type SandboxPaths } from "./paths.ts";
import { protectedPaths } from "./protected-paths.ts";
import { SandboxError } from "./sandbox.ts";
import { visiblePaths } from "./visible-paths.ts";

export interface PolicyOptions {
  readonly fs: FileSystem;
  readonly settings: SandboxSettings;
  /** The project's root, logical. */
  readonly workspace: string;
  readonly userHome: string;
  readonly codeliaHome: string;
  /** The user's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Readable although it may lie in a hidden place. */
  readonly readable: readonly string[];
  /** A program that commands may need although it is not on the PATH. */
  readonly executable: string;
  readonly isRoot: boolean;
}

/**
 * @input  covered: directories that commands see another one of
 * @error  SandboxError when the workspace cannot be protected as promised
 */
export async function sandboxPaths(
  options: PolicyOptions,
  { cwd, path }: { readonly cwd: string; readonly path: string | undefined },
  covered: readonly string[],
): Promise<SandboxPaths> {
  const { fs, settings, userHome } = options;
  const workspace = await realWorkspace(options);
  const writable = await existing(fs, settings.writablePaths, userHome);
  const guarded = await protectedPaths(fs, workspace, (await fs.realPath(cwd)) ?? cwd);
  const hidden = await hiddenPaths({
    ...options,
    workspace,
    further: settings.hiddenPaths.map((one) => inHome(one, userHome)),
  });
  const hiddenFolders = hidden.filter(({ kind }) => kind === "directory").map((rule) => rule.path);
  const visible = await visiblePaths(
    fs,
    [...pathFolders(path), dirname(options.executable)],
    [...covered, ...hiddenFolders],
    [workspace, ...writable.map((rule) => rule.path)],
  );
  const readable = await existing(fs, options.readable, userHome, "read");
  // What the user opened in so many words is open, even a protected name.
  const opened = new Set([
    ...writable.map((rule) => rule.path),
    ...settings.writablePaths.map((one) => inHome(one, userHome)),
  ]);
  const rules = layered([
    ...hidden,
    ...readable,
    ...visible,
    { path: workspace, access: "write", kind: "directory" },
    ...guarded.rules.filter((rule) => !opened.has(rule.path)),
    ...writable,
  ]);
  return {
    rules: rules.filter((rule) => isNeeded(rule, rules, covered)),
    placeholders: guarded.placeholders.filter((one) => !opened.has(one.path)),
  };
}

async function realWorkspace({ fs, workspace, userHome }: PolicyOptions): Promise<string> {
  const real = (await fs.realPath(workspace)) ?? workspace;
  const home = (await fs.realPath(userHome)) ?? userHome;
  if (real === "/" || real === home || isBelow(home, real)) {
    throw new SandboxError(
      `the workspace ${real} holds your home directory, whose start-up files commands could then change`,
    );
  }
  return real;
}

async function existing(
  fs: FileSystem,
  paths: readonly string[],
  userHome: string,
  access: PathRule["access"] = "write",
): Promise<PathRule[]> {
  const rules: PathRule[] = [];
  for (const path of paths) {
    const real = await fs.realPath(inHome(path, userHome)).catch(() => undefined);
    const stat = real === undefined ? undefined : await fs.stat(real);
    // Another / on top would bring back what stands on it: /proc and /dev of the machine.
    if (real === undefined || stat === undefined || real === "/") continue;
    rules.push({ path: real, access, kind: stat.kind === "directory" ? "directory" : "file" });
  }
  return rules;
}

function inHome(path: string, userHome: string): string {
  return path === "~" || path.startsWith("~/") ? join(userHome, path.slice(1)) : path;
}

/** Nothing need be hidden in what cannot be seen. */
function isNeeded(rule: PathRule, rules: readonly PathRule[], covered: readonly string[]): boolean {
  if (rule.access !== "hidden") return true;
  const above = rules.filter((other) => isBelow(rule.path, other.path)).at(-1);
  const cover = covered.filter((path) => isBelow(rule.path, path)).toSorted((a, b) => b.length - a.length)[0];
  if (above === undefined) return cover === undefined;
  if (cover !== undefined && isBelow(cover, above.path)) return false;
  return above.access !== "hidden";
}
