// The parse of a command, and the files that its redirections open. Loaded when the first command is decided.
import type { FileSystem } from "@codelia/shared-types";
import { analyseCommand, canReach } from "../shell/index.ts";
import type { CommandFacts, CommandFactsOptions } from "./call-facts.ts";
import { namedFiles } from "./named-files.ts";
import type { FilePath } from "./real-path.ts";
import { isMover, joined, placeOf, placesOf } from "./word-places.ts";

/**
 * @input   asksForFiles: words are looked at as names of files, too
 * @effects looks at the file system; loads the shell's grammar
 */
export async function commandFacts(
  fs: FileSystem,
  { command: text, cwd }: { readonly command: string; readonly cwd: string },
  { home, asksForFiles }: CommandFactsOptions,
): Promise<CommandFacts> {
  const analysis = await analyseCommand(text);
  const moves = analysis.programs.some(({ name }) => isMover(name));
  const places = placesOf(analysis, cwd, home);
  const files = async (wanted: (access: string) => boolean): Promise<FilePath[]> => {
    const named = analysis.redirections.flatMap(({ access, path }) =>
      path !== undefined && wanted(access) ? [path] : [],
    );
    const paths = await Promise.all(named.map((path) => placeOf(fs, joined(cwd, path))));
    return paths.map((path, index) =>
      moves && !named[index]?.startsWith("/") ? { ...path, real: undefined } : path,
    );
  };
  return {
    text,
    cwd,
    moves,
    places,
    analysis,
    reach: (words) => canReach(analysis, words),
    written: await files((access) => access !== "read"),
    read: await files((access) => access === "read"),
    // Where nobody can tell where it goes, what it names from here on is all there is.
    named: asksForFiles ? await namedFiles(fs, analysis, { places: places ?? [cwd], home }) : [],
  };
}
