// A path of a skill as a person or a model writes it: absolute, from the working directory on, or as file://.
import { isAbsolute, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** @output absolute and without a slash at its end; undefined: it names nothing */
export function givenPath(given: string, cwd: string | undefined): string | undefined {
  if (given.startsWith("file://")) return pathOfUrl(given);
  if (isAbsolute(given)) return trimmed(normalize(given));
  return cwd === undefined || given === "" ? undefined : trimmed(resolve(cwd, given));
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function pathOfUrl(url: string): string | undefined {
  try {
    return trimmed(normalize(fileURLToPath(url)));
  } catch {
    return undefined;
  }
}
