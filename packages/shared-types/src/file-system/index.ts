// The port through which the engine reads files. It never opens one by itself.

export interface FileStat {
  readonly kind: "file" | "directory" | "link" | "other";
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  readonly device: number;
}

export interface DirectoryEntry {
  readonly name: string;
  /** Of the entry itself: a link is not followed. */
  readonly kind: FileStat["kind"];
}

export interface OpenFile {
  readonly stat: FileStat;
  /** Bytes from `position`; fewer than `length` only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Absence is a value (`undefined`: ENOENT or ENOTDIR). Every other failure is thrown as an error with the
 * system's `code`.
 */
export interface FileSystem {
  /** Does not follow a link at the end of the path. */
  lstat(path: string): Promise<FileStat | undefined>;
  stat(path: string): Promise<FileStat | undefined>;
  realPath(path: string): Promise<string | undefined>;
  /** What a directory holds, in no order. */
  list(path: string): Promise<readonly DirectoryEntry[] | undefined>;
  /** Opens for reading without ever waiting for a writer (a FIFO does not block). */
  open(path: string): Promise<OpenFile | undefined>;
}

/** The system's error code, where the value has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
