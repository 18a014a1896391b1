// Empty entries under names that commands must not create: a mount needs something to stand on. They are taken away
// with the session, and stay as long as another sandbox of this machine stands on them. What a session that was killed
// left is taken away by the next one: directories carry a mark.
import { lstat, mkdir, readdir, readFile, readlink, rmdir, unlink, writeFile } from "node:fs/promises";
import { errorCode } from "@codelia/shared-types";
import type { Placeholder } from "./paths.ts";

/** The sticky bit: it changes nothing for a directory that belongs to one user, and nobody sets it on these names. */
const mark = 0o1000;

export class Placeholders {
  readonly #made = new Map<string, Placeholder>();

  /**
   * @output those that are there now; where the directory cannot be written to, commands cannot create them either
   * @effects creates them
   */
  async make(wanted: readonly Placeholder[]): Promise<ReadonlySet<string>> {
    const present = new Set<string>();
    for (const one of wanted) {
      const outcome = await create(one);
      if (outcome === "made") this.#made.set(one.path, one);
      if (outcome !== "impossible") present.add(one.path);
    }
    return present;
  }

  /**
   * @input   paths of protected directories that are there
   * @effects those that an earlier session made and left are taken away with this one
   */
  async adopt(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const isLeft = ((await lstat(path).catch(() => undefined))?.mode ?? 0) & mark;
      // One that something was put into is not removed in the end.
      if (isLeft !== 0) this.#made.set(path, { path, kind: "directory", content: "" });
    }
  }

  /** @effects removes what was made, if it is still as it was and no running sandbox stands on it */
  async dispose(): Promise<void> {
    // Innermost first.
    const made = [...this.#made.values()].toReversed();
    this.#made.clear();
    if (made.length === 0) return;
    const mounted = await mountedElsewhere();
    for (const one of made) if (!mounted.has(one.path)) await remove(one);
  }
}

async function create({ path, kind, content }: Placeholder): Promise<"made" | "there" | "impossible"> {
  try {
    if (kind === "directory") await mkdir(path, { mode: 0o777 | mark });
    else await writeFile(path, content, { flag: "wx" });
    return "made";
  } catch (error) {
    // Somebody made it meanwhile: it is protected as it is.
    if (errorCode(error) === "EEXIST") return "there";
    if (["EACCES", "EPERM", "EROFS"].includes(errorCode(error) ?? "")) return "impossible";
    throw error;
  }
}

async function remove({ path, kind, content }: Placeholder): Promise<void> {
  try {
    // Fails when the user put something into it, which is right.
    if (kind === "directory") await rmdir(path);
    else if ((await readFile(path, "utf8")) === content) await unlink(path);
  } catch {
    // Gone or in use: nothing to tidy up.
  }
}

/**
 * To remove what another namespace has mounted would take the mount away there, and its protection with it.
 * @output mount points of all other mount namespaces that can be looked into
 */
async function mountedElsewhere(): Promise<ReadonlySet<string>> {
  const points = new Set<string>();
  const seen = new Set([await readlink("/proc/self/ns/mnt").catch(() => "")]);
  const names = await readdir("/proc").catch((): string[] => []);
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const namespace = await readlink(`/proc/${name}/ns/mnt`).catch(() => undefined);
    if (namespace === undefined || seen.has(namespace)) continue;
    seen.add(namespace);
    const table = await readFile(`/proc/${name}/mountinfo`, "utf8").catch(() => "");
    for (const line of table.split("\n")) points.add(unescaped(line.split(" ")[4] ?? ""));
  }
  return points;
}

/** The kernel writes white space and backslashes as octal numbers. */
function unescaped(point: string): string {
  return point.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
