// The parse of a command, and the files that its redirections open. Loaded when the first command is decided.
import { resolve } from "node:path";
import type { FileSystem } from "@codelia/shared-types";
import { analyseCommand, canReach } from "../shell/index.ts";
import type { CommandFacts } from "./call-facts.ts";
import { namedFiles } from "./named-files.ts";
import { type FilePath, filePaths } from "./real-path.ts";

// After these a relative name leads elsewhere.
const movers = new Set(["cd", "pushd", "popd", "chdir"]);

/**
 * @input   home: words are looked at as names of files, too; without it they are not
 * @effects looks at the file system; loads the shell's grammar
 */
export async function commandFacts(
  fs: FileSystem,
  { command: text, cwd }: { readonly command: string; readonly cwd: string },
  home: string | undefined,
): Promise<CommandFacts> {
  const analysis = await analyseCommand(text);
  const moves = analysis.programs.some(({ name }) => movers.has(name));
  const files = async (wanted: (access: string) => boolean): Promise<FilePath[]> => {
    const named = analysis.redirections.flatMap(({ access, path }) =>
      path !== undefined && wanted(access) ? [path] : [],
    );
    const paths = await filePaths(
      fs,
      named.map((path) => resolve(cwd, path)),
    );
    return paths.map((path, index) =>
      moves && !named[index]?.startsWith("/") ? { ...path, real: undefined } : path,
    );
  };
  return {
    text,
    cwd,
    moves,
    analysis,
    reach: (words) => canReach(analysis, words),
    written: await files((access) => access !== "read"),
    read: await files((access) => access === "read"),
    named: home === undefined ? [] : await namedFiles(fs, analysis, { cwd, home }),
  };
}
