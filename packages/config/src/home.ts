// Where the user's own files are.
import { join, resolve } from "node:path";

export interface HomeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
}

/** Codelia's data directory: CODELIA_HOME, else ~/.codelia. */
export function codeliaHome({ env, userHome }: HomeOptions): string {
  const configured = env.CODELIA_HOME;
  return configured ? resolve(userHome, configured) : join(userHome, ".codelia");
}

/**
 * The places of the user's config.json, the one to prefer first. CODELIA_HOME stands alone; otherwise the XDG
 * directory goes before ~/.codelia where XDG_CONFIG_HOME is set.
 */
export function userConfigFiles(options: HomeOptions): string[] {
  const own = join(codeliaHome(options), "config.json");
  const xdg = options.env.XDG_CONFIG_HOME;
  // The XDG specification says to ignore relative paths.
  if (options.env.CODELIA_HOME || !xdg?.startsWith("/")) return [own];
  return [join(xdg, "codelia", "config.json"), own];
}
