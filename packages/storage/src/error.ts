// The one error type of this package: a code, the path it is about, and what to do next.
import { errorCode, visibleName } from "@codelia/shared-types";
import type { LockOwner } from "./locks/index.ts";

export type StorageErrorCode =
  /** The system refused to read. */
  | "unreadable"
  /** The system refused a change. */
  | "write_failed"
  /** What has the journal's name is something else; it is never changed. */
  | "not_a_journal"
  /** A record that JSON cannot hold, or that is too large; the journal stays usable. */
  | "invalid_record"
  /** The journal takes no more records: an append failed, or it was closed. */
  | "journal_closed"
  | "invalid_blob_id"
  | "blob_missing"
  /** A blob's content is not what its name says. */
  | "blob_damaged"
  /** Somebody else holds the lock. */
  | "locked";

interface StorageErrorDetails extends ErrorOptions {
  readonly owner?: LockOwner | undefined;
}

export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: StorageErrorCode;
  readonly path: string;
  readonly hint: string;
  /** Who holds the lock, for `locked`. */
  readonly owner: LockOwner | undefined;

  constructor(
    code: StorageErrorCode,
    path: string,
    problem: string,
    hint: string,
    { owner, ...options }: StorageErrorDetails = {},
  ) {
    super(`${visibleName(path)}: ${problem}`, options);
    this.code = code;
    this.path = path;
    this.hint = hint;
    this.owner = owner;
  }
}

const meanings: ReadonlyMap<string, readonly [problem: string, hint: string]> = new Map([
  ["ENOSPC", ["the disk is full", "Free some space and try again."]],
  ["EDQUOT", ["the disk quota is used up", "Free some space and try again."]],
  ["EIO", ["the disk reported an error", "Check the disk; copy what matters to another one."]],
  ["EROFS", ["the file system is read-only", "Make it writable, or choose another place."]],
  ["EACCES", ["permission denied", "Check the owner and the mode of the file and its directory."]],
  ["EPERM", ["permission denied", "Check the owner and the mode of the file and its directory."]],
  ["EMFILE", ["too many open files", "Raise the limit (`ulimit -n`) and try again."]],
  ["ENFILE", ["too many open files on this system", "Close some programs and try again."]],
  ["ENOENT", ["does not exist", "Check the path."]],
  ["ENOTDIR", ["lies below something that is no directory", "Check the path."]],
  ["EISDIR", ["is a directory", "Move it away and try again."]],
  ["ELOOP", ["is a link, or lies below too many", "Put a real file there."]],
]);

/** A system error as a StorageError about `path`; anything else, a defect or an abort, as it is. */
export function storageError(code: "unreadable" | "write_failed", path: string, error: unknown): unknown {
  const system = errorCode(error);
  if (error instanceof StorageError || system === undefined || !/^E[A-Z0-9]+$/.test(system)) return error;
  const [problem, hint] = meanings.get(system) ?? ["the system refused", "Check the path and the disk."];
  const doing = code === "unreadable" ? "cannot be read" : "cannot be written";
  return new StorageError(code, path, `${doing}: ${problem} (${system})`, hint, { cause: error });
}

/** @error StorageError where the system refused `action` */
export async function explaining<T>(
  code: "unreadable" | "write_failed",
  path: string,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw storageError(code, path, error);
  }
}
