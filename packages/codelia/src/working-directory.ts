// The working directory as the user sees it.
import { statSync } from "node:fs";

/**
 * The shell's PWD when it names the same directory (links in it are kept), else the system's answer.
 * @error when the directory no longer exists
 */
export function logicalWorkingDirectory(pwd: string | undefined): string {
  let physical: string;
  try {
    physical = process.cwd();
    statSync(physical);
  } catch (error) {
    throw new Error(
      "the working directory no longer exists: change to another one, or name one with -C DIR",
      {
        cause: error,
      },
    );
  }
  return pwd?.startsWith("/") && isSameDirectory(pwd, physical) ? pwd : physical;
}

function isSameDirectory(a: string, b: string): boolean {
  const first = statSync(a, { throwIfNoEntry: false });
  const second = statSync(b, { throwIfNoEntry: false });
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev;
}
