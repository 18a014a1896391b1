// How files are opened: not through a link at the end of the path, and never waiting for a FIFO's other end.
import { constants } from "node:fs";

const noFollow = constants.O_NOFOLLOW ?? 0;
const noWaiting = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** The kind of what was opened has to be looked at afterwards: it may be a FIFO or a directory. */
export const readFlags = constants.O_RDONLY | noFollow | noWaiting;

/** Fails with EEXIST when the name is taken. */
export const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;

/** For reading, cutting, and writing at the end; creates the file. */
export const appendFlags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | noFollow | noWaiting;

/** For flushing. Follows links: a user may have put a directory elsewhere. */
export const directoryFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);

// Node names no O_PATH; with it a directory that may be entered but not listed can be pinned too.
const pathOnly = process.platform === "linux" ? 0o10000000 : 0;

export const pinFlags = directoryFlags | noFollow | pathOnly;
