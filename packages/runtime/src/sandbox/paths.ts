// Where commands may write, what they may only read, and what they may not see: the policy as a list of paths.

/** One path with what holds for it and everything below, until a path further down says otherwise. */
export interface PathRule {
  /** Absolute, real. */
  readonly path: string;
  readonly access: "write" | "read" | "hidden";
  readonly kind: "file" | "directory";
}

export interface SandboxPaths {
  /** Outermost first, each path once: a later rule stands on top of the earlier ones. */
  readonly rules: readonly PathRule[];
  /** What a file system without room for absent names needs so that they cannot be created: made before, taken away after. */
  readonly placeholders: readonly Placeholder[];
}

export interface Placeholder {
  readonly path: string;
  readonly kind: "file" | "directory";
  /** For a file. */
  readonly content: string;
}

/** @output one rule a path, the last given one, outermost first */
export function layered(rules: readonly PathRule[]): PathRule[] {
  const byPath = new Map(rules.map((rule) => [rule.path, rule]));
  return [...byPath.values()].toSorted((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}

export function isBelow(path: string, directory: string): boolean {
  return path !== directory && path.startsWith(directory === "/" ? "/" : `${directory}/`);
}
