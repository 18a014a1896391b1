// The one error type of this room.
import { errorCode, visibleName } from "@codelia/shared-types";

export type AgentsErrorCode =
  | "root_not_found"
  | "root_not_ancestor"
  | "cwd_not_found"
  | "root_unreadable"
  | "unreadable";

export class AgentsError extends Error {
  override readonly name = "AgentsError";
  readonly code: AgentsErrorCode;
  readonly path: string;
  readonly hint: string;

  constructor(code: AgentsErrorCode, path: string, problem: string, hint: string, cause?: unknown) {
    super(`${visibleName(path)}: ${problem}`, { cause });
    this.code = code;
    this.path = path;
    this.hint = hint;
  }
}

const explanations: Record<string, string> = {
  EROFS: "the file system is mounted read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file is larger than this system allows",
  ENOENT: "there is no such file or directory",
  ENOTDIR: "a file is in the way",
  EISDIR: "it is a directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EIO: "the disk reported an error",
  EMFILE: "too many open files",
  ENFILE: "too many open files on this system",
  ENAMETOOLONG: "the path is longer than this system allows",
  ELOOP: "too many links, or a link that leads back to itself",
};

/** A system error in words, with its code. */
export function explainSystemError(error: unknown): string {
  const code = errorCode(error);
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  const words = explanations[code];
  return words === undefined ? code : `${words} (${code})`;
}
