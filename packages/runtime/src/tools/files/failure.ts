// What the system refuses, told to the model: what is wrong, and what to do instead.

import type { Stats } from "node:fs";
import { ToolError } from "@codelia/core";
import { errorCode } from "@codelia/shared-types";

const meanings: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist. Check the name with `list`."],
  ["ENOTDIR", "lies below something that is no directory. Check the path with `list`."],
  ["EISDIR", "is a directory. Use `list` to see what is in it."],
  ["EACCES", "cannot be accessed: permission denied. Ask the user to change its permissions."],
  ["EPERM", "cannot be changed: the system does not permit it. Ask the user."],
  ["EROFS", "lies on a read-only file system. Choose another place or ask the user."],
  ["ELOOP", "is a symbolic link that leads in a circle. Name the file itself."],
  ["ENAMETOOLONG", "has a name that is too long for the file system. Shorten it."],
  ["ENOSPC", "cannot be written: the disk is full. Nothing was changed; ask the user to free space."],
  [
    "EDQUOT",
    "cannot be written: the disk quota is used up. Nothing was changed; ask the user to free space.",
  ],
  ["EEXIST", "exists already. Read it before you change it."],
  ["EBUSY", "is in use. Try again later."],
  ["EMFILE", "cannot be opened: too many files are open. Try again."],
  ["ENFILE", "cannot be opened: too many files are open. Try again."],
  ["EIO", "cannot be accessed: the device reports an error. Tell the user."],
]);

/** A system error as a ToolError about `shown`; anything else, a defect or an abort, as it is. */
export function explained(error: unknown, shown: string): unknown {
  const code = errorCode(error);
  if (error instanceof ToolError || code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  const meaning = meanings.get(code) ?? `cannot be accessed (${code}). Tell the user.`;
  return new ToolError(`${shown} ${meaning}`, { cause: error });
}

/** @error ToolError where the system refused `action` */
export async function explaining<T>(shown: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw explained(error, shown);
  }
}

/** What a thing that is no regular file is called; undefined for a regular file. */
export function specialKind(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return "directory";
  if (stats.isSymbolicLink()) return "symbolic link";
  if (stats.isFIFO()) return "named pipe (FIFO)";
  if (stats.isSocket()) return "socket";
  return stats.isBlockDevice() || stats.isCharacterDevice() ? "device" : "special file";
}

/** @error ToolError unless it is a regular file */
export function requireRegularFile(stats: Stats, shown: string): void {
  const kind = specialKind(stats);
  if (kind === undefined) return;
  if (kind === "directory") {
    throw new ToolError(`${shown} is a directory, not a file. Use \`list\` to see what is in it.`);
  }
  if (kind === "symbolic link") throw swapped(shown);
  throw new ToolError(`${shown} is a ${kind}, not a regular file. Choose a regular file.`);
}

/** Something on the way was replaced after the call was prepared, so permission was given for another place. */
export function swapped(shown: string): ToolError {
  return new ToolError(
    `${shown} was moved or replaced by a link while this call was under way. Nothing was done; try again.`,
  );
}
