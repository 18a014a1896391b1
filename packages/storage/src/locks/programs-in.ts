// Which programs work in a directory, as far as they can be seen from here.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * @input  directory: canonical; name: a part of the program's name
 * @output whether a program of such a name has its working directory there or below; true where nobody can tell
 */
export function isProgramIn(directory: string, name: string): boolean {
  if (process.platform !== "linux") return true;
  return readdirSync("/proc").some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      if (!readFileSync(`/proc/${pid}/comm`, "latin1").includes(name)) return false;
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      return cwd === directory || cwd.startsWith(`${directory}/`);
    } catch {
      // It has ended, or is another user's.
      return false;
    }
  });
}
