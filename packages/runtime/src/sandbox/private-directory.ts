// A sandbox's own directory on the host: the temporary directories of its commands, stand-ins, the proxy's socket.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeStandIns } from "./stand-ins.ts";

export interface PrivateDirectory {
  readonly path: string;
  /** Becomes /tmp. */
  readonly tmp: string;
  /** Becomes /var/tmp. */
  readonly varTmp: string;
  readonly standIns: string;
  readonly socket: string;
}

/** @effects a new directory below the system's temporary one, for this user alone */
export async function makePrivateDirectory(): Promise<PrivateDirectory> {
  const path = await mkdtemp(join(tmpdir(), "codelia-sandbox-"));
  const directory = {
    path,
    tmp: join(path, "tmp"),
    varTmp: join(path, "var-tmp"),
    standIns: join(path, "stand-ins"),
    socket: join(path, "proxy.sock"),
  };
  await Promise.all([mkdir(directory.tmp), mkdir(directory.varTmp), writeStandIns(directory.standIns)]);
  return directory;
}

export async function removePrivateDirectory({ path }: PrivateDirectory): Promise<void> {
  // A command may have left a directory that its owner may not enter; the system clears it some day.
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
