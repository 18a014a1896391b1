// The policy as arguments of bubblewrap. Pure: everything is decided before.
import { isBelow, type PathRule } from "./paths.ts";
import { standInFor } from "./stand-ins.ts";

export interface BubblewrapRequest {
  readonly rules: readonly PathRule[];
  /** Host directory → where commands find it, writable. */
  readonly temporary: readonly { readonly source: string; readonly target: string }[];
  /** Host directories that are replaced by nothing; sockets of services live there. */
  readonly emptied: readonly string[];
  /** Links in emptied directories that have to be there. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Where the stand-ins of hidden files are. */
  readonly standIns: string;
  /** Host socket of the proxy → where the bridge inside finds it. */
  readonly proxy: { readonly source: string; readonly target: string } | undefined;
  readonly cwd: string;
  /** Variables that only what runs inside gets. Others of the machine can read them. */
  readonly innerVariables: readonly (readonly [name: string, value: string])[];
  readonly canDisableUserNamespaces: boolean;
}

/** Namespaces for everything, no capabilities, and the end of all with the end of one. */
export function isolation(canDisableUserNamespaces: boolean): string[] {
  return [
    "--unshare-all",
    ...(canDisableUserNamespaces ? ["--unshare-user", "--disable-userns"] : []),
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    // The kernel lets root set these by its user id alone, without any capability: core_pattern names a program that runs
    // outside of every sandbox. Bubblewrap only looks at the folder, which is never writable.
    "--ro-bind-try",
    "/proc/sys",
    "/proc/sys",
  ];
}

/** @output what stands before the program and its arguments */
export function bubblewrapArguments(request: BubblewrapRequest): string[] {
  const mounts = [
    // What a command writes in an emptied or hidden directory is in memory, and gone with it.
    ...request.emptied.map((path) => ({ path, make: ["--perms", "0755", "--tmpfs", path] })),
    ...request.temporary.map(({ source, target }) => ({ path: target, make: ["--bind", source, target] })),
    ...request.rules.map((rule) => ({ path: rule.path, make: mountOf(rule, request) })),
  ];
  // Outermost first, so that nothing is covered by what is made later; a rule stands above a place of the same name.
  const ordered = mounts.toSorted((a, b) => depth(a.path) - depth(b.path));
  const { proxy } = request;
  return [
    ...isolation(request.canDisableUserNamespaces),
    ...ordered.flatMap(({ make }) => make),
    ...request.links.flatMap(({ path, target }) => ["--symlink", target, path]),
    ...(proxy === undefined ? [] : ["--ro-bind", proxy.source, proxy.target]),
    ...request.innerVariables.flatMap(([name, value]) => ["--setenv", name, value]),
    "--chdir",
    request.cwd,
    "--",
  ];
}

function mountOf({ path, access, kind }: PathRule, { rules, standIns }: BubblewrapRequest): string[] {
  if (access === "write") return ["--bind", path, path];
  if (access === "read") return ["--ro-bind", path, path];
  if (kind === "file") return ["--ro-bind", `${standIns}/${standInFor(path).name}`, path];
  const holdsVisible = rules.some((other) => other.access !== "hidden" && isBelow(other.path, path));
  return ["--perms", holdsVisible ? "0111" : "0000", "--tmpfs", path];
}

function depth(path: string): number {
  return path.split("/").length;
}
