// Claims on a lock: files `lock.1`, `lock.2`, …, each whole from the moment its name appears.
import { join } from "node:path";
import { errorCode } from "@codelia/shared-types";
import { closing, type Disk, Draft, isDraftName, readFlags, readFully } from "../disk/index.ts";
import { StorageError } from "../error.ts";
import type { Processes, ProcessIdentity } from "./processes.ts";

/** Who took a lock, and when. */
export interface LockOwner extends ProcessIdentity {
  /** ISO time. */
  readonly since: string;
}

export interface Claim {
  readonly number: number;
  readonly path: string;
  /** Undefined where the file does not tell. */
  readonly owner: LockOwner | undefined;
  readonly isAlive: boolean;
}

/** A directory and the name of a lock in it. */
export interface LockPlace {
  readonly directory: string;
  readonly name: string;
  readonly disk: Disk;
  readonly processes: Processes;
}

const format = 1;
const maxClaimBytes = 4096;

export interface ClaimListing {
  /** Lowest number first. */
  readonly claims: readonly Claim[];
  /** Paths of claims that have no number yet, or were left by contenders who died. */
  readonly drafts: readonly string[];
}

/** @input own path of the lister's own claim, which is left out */
export async function listClaims(
  { directory, name, disk, processes }: LockPlace,
  own?: string,
): Promise<ClaimListing> {
  const claims: Claim[] = [];
  const drafts: string[] = [];
  for (const entry of await disk.readdir(directory)) {
    const path = join(directory, entry.name);
    if (isDraftName(entry.name, name)) drafts.push(path);
    const number = claimNumber(name, entry.name);
    if (number === undefined || path === own) continue;
    const text = await readClaim(disk, path);
    if (text !== undefined) claims.push({ number, path, ...(await judge(text, processes)) });
  }
  return { claims: claims.toSorted((a, b) => a.number - b.number), drafts };
}

export function claimPath({ directory, name }: LockPlace, number: number): string {
  return join(directory, `${name}.${number}`);
}

/** @output false when somebody else was faster */
export async function publishClaim(
  { disk, directory, name }: LockPlace,
  path: string,
  owner: LockOwner,
): Promise<boolean> {
  // Not flushed: after a power cut its owner is dead, whatever is left of it.
  const draft = await Draft.create(disk, directory, name);
  try {
    await draft.write(new TextEncoder().encode(`${JSON.stringify({ format, ...owner })}\n`));
    return await isLinked(draft, path);
  } finally {
    await draft.discard();
  }
}

async function isLinked(draft: Draft, path: string): Promise<boolean> {
  try {
    await draft.linkTo(path);
    return true;
  } catch (error) {
    const code = errorCode(error) ?? "";
    // The number is taken, or the draft is gone: a holder removes all drafts.
    if (code === "EEXIST" || code === "ENOENT") return false;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP"].includes(code)) throw error;
    throw new StorageError(
      "write_failed",
      path,
      `cannot be made: the file system has no hard links (${code})`,
      "Put Codelia's home on another file system (CODELIA_HOME).",
      { cause: error },
    );
  }
}

function claimNumber(name: string, file: string): number | undefined {
  if (!file.startsWith(`${name}.`)) return undefined;
  const digits = file.slice(name.length + 1);
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined;
}

/** @output undefined when the claim is gone; "" for what cannot be a claim */
async function readClaim(disk: Disk, path: string): Promise<string | undefined> {
  try {
    const file = await disk.open(path, readFlags);
    return await closing(file, async () => {
      if (!(await file.stat()).isFile()) return "";
      const buffer = Buffer.alloc(maxClaimBytes);
      return buffer.toString("utf8", 0, await readFully(file, buffer, 0));
    });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    if (errorCode(error) === "ELOOP") return "";
    throw error;
  }
}

async function judge(text: string, processes: Processes): Promise<Pick<Claim, "owner" | "isAlive">> {
  const owner = ownerIn(text);
  if (owner !== undefined) return { owner, isAlive: await processes.isAlive(owner) };
  // A claim is whole when it gets its name, so half a one is what a power cut left. But JSON that is not
  // understood may be the claim of a newer program.
  return { owner, isAlive: jsonValue(text) !== undefined };
}

function ownerIn(text: string): LockOwner | undefined {
  const value = jsonValue(text);
  if (typeof value !== "object" || value === null || !("format" in value) || value.format !== format) {
    return undefined;
  }
  const { pid, host, since } = { pid: 0, host: "", since: "", ...value };
  const isOwner =
    typeof pid === "number" &&
    Number.isSafeInteger(pid) &&
    pid > 0 &&
    typeof host === "string" &&
    typeof since === "string";
  if (!isOwner) return undefined;
  return {
    pid,
    host,
    since,
    processStart: textAt(value, "processStart"),
    bootId: textAt(value, "bootId"),
    pidNamespace: textAt(value, "pidNamespace"),
  };
}

function textAt(value: object, key: string): string | undefined {
  const found: unknown = Reflect.get(value, key);
  return typeof found === "string" ? found : undefined;
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
