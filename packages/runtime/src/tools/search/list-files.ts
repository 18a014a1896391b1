// Every file of a folder that is neither ignored nor hidden: by ripgrep where there is one, else by our own walk.
import { listWithRipgrep, RipgrepError } from "./ripgrep.ts";
import { walkFiles } from "./walk.ts";

/** @input rg: the path of ripgrep; undefined: there is none */
export async function listFiles(
  rg: string | undefined,
  env: Readonly<Record<string, string>>,
  options: Parameters<typeof walkFiles>[0],
  take: (path: string) => void,
): Promise<void> {
  if (rg !== undefined) {
    try {
      await listWithRipgrep({ path: rg, env }, options, take);
      return;
    } catch (error) {
      // It fails only before its first file: the walk below starts from nothing.
      if (!(error instanceof RipgrepError)) throw error;
    }
  }
  for await (const path of walkFiles(options)) take(path);
}
