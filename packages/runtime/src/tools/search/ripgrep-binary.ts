// Finds a ripgrep to run: the one that came with this program, or the user's. Never one from the workspace,
// which a repository could have put there.
import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { executableOutside, pathFolders } from "../../programs/index.ts";
import type { ToolEnvironment } from "../environment.ts";

export type RipgrepLocator = () => Promise<string | undefined>;

type RipgrepPlaces = Pick<ToolEnvironment, "workspace"> & {
  readonly env: Readonly<Record<string, string | undefined>>;
};

const oldestVersion = 13;

/** @output a function that looks when it is first called, and answers the same from then on */
export function createRipgrepLocator(environment: RipgrepPlaces): RipgrepLocator {
  let found: Promise<string | undefined> | undefined;
  return () => {
    found ??= locateRipgrep(environment);
    return found;
  };
}

async function locateRipgrep({ workspace, env }: RipgrepPlaces): Promise<string | undefined> {
  const root = await realpath(workspace).catch(() => workspace);
  const bundled = await bundledRipgrep();
  const trusted = bundled === undefined ? undefined : await executableOutside(root, bundled);
  if (trusted !== undefined) return trusted;
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  for (const folder of pathFolders(env.PATH)) {
    const candidate = await executableOutside(root, join(folder, name));
    if (candidate !== undefined && (await isRecent(candidate))) return candidate;
  }
  return undefined;
}

/** Loaded only here: in a single executable the package's binary is missing, and importing it throws. */
async function bundledRipgrep(): Promise<string | undefined> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return isInstalledWith(fileURLToPath(import.meta.url), rgPath) ? rgPath : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A single executable resolves packages from the working directory: it would find a stranger's node_modules.
 * @output whether the folder that holds the binary's node_modules also holds the program's file
 */
export function isInstalledWith(program: string, binary: string): boolean {
  const modules = binary.indexOf(`${sep}node_modules${sep}`);
  return modules >= 0 && program.startsWith(binary.slice(0, modules + 1));
}

function isRecent(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(path, ["--no-config", "--version"], { env: {}, timeout: 5_000 }, (error, stdout) => {
      const major = /^ripgrep (\d+)\./.exec(stdout)?.[1];
      resolve(error === null && Number(major ?? 0) >= oldestVersion);
    });
  });
}
