// Where the text of a prompt reference may be: the reference, its fallback, the agent's fallback directory.
import { dirname, join, relative, resolve, sep } from "node:path";
import type { PromptReference } from "@codelia/shared-types";

export interface PromptPlace {
  readonly path: string;
  /** What the file must lie in, links followed. */
  readonly within: string;
}

export interface PromptPlaces {
  /** The agent's own. */
  readonly directory: string;
  readonly fallbackDir: string | undefined;
}

const promptsFolder = "prompts";

/** In the order in which they are tried; a place outside the agent's directory is none. */
export function promptPlaces(
  reference: PromptReference,
  { directory, fallbackDir }: PromptPlaces,
): PromptPlace[] {
  const own = [reference, ...fallbackOf(reference)].map((each) => ({
    path: resolve(directory, relativePath(each)),
    within: resolve(directory),
  }));
  // Agents may share prompts, so that this one may lie beside them.
  const shared = dirname(resolve(directory));
  const last =
    fallbackDir === undefined
      ? []
      : [{ path: resolve(directory, fallbackDir, belowPrompts(relativePath(reference))), within: shared }];
  return [...own, ...last].filter(({ path, within }) => isWithin(path, within));
}

/** As a person would name it. */
export function referenceName(reference: PromptReference): string {
  return relativePath(reference);
}

export function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && resolve(directory, way) === path;
}

function fallbackOf(reference: PromptReference): PromptReference[] {
  return typeof reference === "string" || reference.fallback === undefined ? [] : [reference.fallback];
}

function relativePath(reference: PromptReference): string {
  if (typeof reference === "string") return reference;
  if ("path" in reference) return reference.path;
  const { c3l, edition = "default", adaptation } = reference;
  const name = adaptation === undefined ? `f_${edition}.md` : `f_${edition}_${adaptation}.md`;
  return join(promptsFolder, c3l, name);
}

function belowPrompts(path: string): string {
  const [first, ...rest] = path.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  return first === promptsFolder && rest.length > 0 ? join(...rest) : path;
}
