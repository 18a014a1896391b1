// `files.search`: which of a project's files fit what somebody types.
import { realpath } from "node:fs/promises";
import type { Params, Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject } from "../project/index.ts";
import { childEnvironment, secretVariables } from "../secrets/index.ts";
import { createRipgrepLocator, listFiles } from "../tools/index.ts";

/** The files of a directory as they were a moment ago: whoever types asks again with every key. */
export interface FileList {
  readonly at: number;
  readonly paths: Promise<readonly string[]>;
}

const freshMs = 3000;
const maxFiles = 200_000;
const timeLimitMs = 5000;

/** Names only, so that no project has to be trusted for it. @effects lists folders; may run ripgrep */
export async function searchFiles(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  lists: Map<string, FileList>,
  { cwd, query, limit }: Params<"files.search">,
): Promise<Result<"files.search">> {
  const now = environment.now().getTime();
  const known = lists.get(cwd);
  const list =
    known !== undefined && now - known.at < freshMs
      ? known
      : { at: now, paths: readList(environment, options, cwd) };
  lists.set(cwd, list);
  const paths = await list.paths.catch((error: unknown) => {
    lists.delete(cwd);
    throw error;
  });
  const ranked = rank(paths, query);
  return { files: ranked.slice(0, limit), truncated: ranked.length > limit || paths.length >= maxFiles };
}

async function readList(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  cwd: string,
): Promise<readonly string[]> {
  const { root, settings } = await openProject(environment, options, cwd);
  const env = childEnvironment(environment.env, secretVariables(environment.env, settings.values));
  const rg = await createRipgrepLocator({ workspace: root.path, env })();
  const paths: string[] = [];
  const enough = new AbortController();
  const signal = AbortSignal.any([enough.signal, AbortSignal.timeout(timeLimitMs)]);
  try {
    await listFiles(rg, env, { root: await realpath(cwd), hidden: false, git: false, signal }, (path) => {
      paths.push(path);
      if (paths.length >= maxFiles) enough.abort();
    });
  } catch (error) {
    // What was found until then is better than nothing.
    if (!signal.aborted) throw error;
  }
  return paths;
}

/** The best first: by where the query stands in the path, then the shorter path, then by name. */
function rank(paths: readonly string[], query: string): string[] {
  const wanted = query.toLowerCase();
  return paths
    .map((path) => ({ path, band: bandOf(path.toLowerCase(), wanted) }))
    .filter(({ band }) => band < 5)
    .toSorted((a, b) => a.band - b.band || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

function bandOf(path: string, wanted: string): number {
  if (wanted === "") return 0;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === wanted || path === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  if (path.includes(wanted)) return 3;
  return holdsInOrder(path, wanted) ? 4 : 5;
}

function holdsInOrder(path: string, wanted: string): boolean {
  let at = 0;
  for (const character of wanted) {
    const found = path.indexOf(character, at);
    if (found < 0) return false;
    at = found + character.length;
  }
  return true;
}
