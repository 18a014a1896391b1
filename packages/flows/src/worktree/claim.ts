// Who works on an issue: a lock while a process does, and a note of the claim that outlives it.
import { join } from "node:path";
import { type FileSystem, visibleName, type WorkClaim, WorkClaimSchema } from "@codelia/shared-types";
import {
  acquireLock,
  type Disk,
  type HeldLock,
  type LockOwner,
  lookAtLock,
  type Processes,
  type RefusedLock,
  readSmallFile,
  removeFile,
  writeFileAtomic,
} from "@codelia/storage";
import { ExecutionError } from "../error.ts";
import { folderOf } from "./names.ts";

const lockName = "lock";
const maxClaimBytes = 64 * 1024;

/** Where the claims of a repository are kept. */
export interface ClaimPlace {
  readonly directory: string;
  readonly fs: FileSystem;
  readonly disk: Disk;
  readonly processes?: Processes;
  readonly now: () => Date;
}

/** An issue that this process has; nobody else can have it until it is released. */
export interface HeldIssue {
  readonly issue: number;
  readonly takenOverFrom: HeldLock["takenOverFrom"];
  /** What is noted about it. */
  claim(): Promise<WorkClaim | undefined>;
  /** @effects on disk when it returns */
  note(claim: WorkClaim): Promise<void>;
  forget(): Promise<void>;
  release(): Promise<void>;
}

/**
 * @output the issue, held by this process; the lock of an owner that died is taken over
 * @effects creates the lock's directory
 * @error  ExecutionError IssueInUse, naming the owner; StorageError
 */
export async function holdIssue(place: ClaimPlace, issue: number): Promise<HeldIssue> {
  const directory = join(place.directory, folderOf(issue));
  const { disk, now, processes } = place;
  const options = { name: lockName, disk, now, ...(processes === undefined ? {} : { processes }) };
  const lock = await acquireLock(directory, options);
  if (!lock.held) throw inUse(issue, lock, await readClaim(place, issue));
  const path = claimFile(place, issue);
  return {
    issue,
    takenOverFrom: lock.takenOverFrom,
    claim: () => readClaim(place, issue),
    note: (claim) => writeFileAtomic(path, `${JSON.stringify(claim, undefined, 2)}\n`, disk),
    forget: async () => {
      await removeFile(path, disk);
    },
    release: () => lock.release(),
  };
}

/** @output who has the issue now; undefined when nobody who is alive */
export async function ownerOfIssue(place: ClaimPlace, issue: number): Promise<RefusedLock | undefined> {
  const { disk, processes } = place;
  const options = { name: lockName, disk, ...(processes === undefined ? {} : { processes }) };
  return await lookAtLock(join(place.directory, folderOf(issue)), options);
}

/** @output what is noted about an issue @error ExecutionError BadClaim when the note cannot be understood */
export async function readClaim(place: ClaimPlace, issue: number): Promise<WorkClaim | undefined> {
  const path = claimFile(place, issue);
  const file = await readSmallFile(place.fs, path, maxClaimBytes);
  if (file.outcome === "absent") return undefined;
  const parsed = WorkClaimSchema.safeParse(file.outcome === "text" ? jsonIn(file.text) : undefined);
  if (parsed.success && parsed.data.issue === issue) return parsed.data;
  throw new ExecutionError(
    "BadClaim",
    `${visibleName(path)} is not the note of a claim that this version understands. Update Codelia; if the file is broken, move it away.`,
  );
}

/** @output the issues that something is noted about, smallest first */
export async function claimedIssues({ directory, disk }: ClaimPlace): Promise<number[]> {
  const entries = await disk.readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const digits = entries.flatMap(({ name }) => name.match(/^issue-([1-9]\d{0,8})$/)?.[1] ?? []);
  return digits.map(Number).toSorted((a, b) => a - b);
}

export function ownerName(owner: LockOwner | undefined): string {
  if (owner === undefined) return "another program";
  return `process ${owner.pid} on ${visibleName(owner.host)} since ${visibleName(owner.since)}`;
}

function inUse(issue: number, { owner }: RefusedLock, claim: WorkClaim | undefined): ExecutionError {
  const what =
    claim === undefined ? "" : ` (${visibleName(claim.instance)}, agent ${visibleName(claim.agent)})`;
  return new ExecutionError(
    "IssueInUse",
    `Issue ${issue} is being worked on by ${ownerName(owner)}${what}. Wait until it has ended, or end it. If its machine is gone: codelia worktrees unlock ${issue}.`,
  );
}

function claimFile({ directory }: ClaimPlace, issue: number): string {
  return join(directory, folderOf(issue), "claim.json");
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
