export type { LockOwner } from "./claims.ts";
export { acquireLock, type HeldLock, type LockOptions, lockedError, type RefusedLock } from "./lock.ts";
export { lookAtLock } from "./look.ts";
export { nodeProcesses, type Processes, type ProcessIdentity } from "./processes.ts";
export { isProgramIn } from "./programs-in.ts";
