// Works out in memory what a patch makes of every file, before the first of them is touched.
import { ToolError } from "@codelia/core";
import { errorCode, visibleName } from "@codelia/shared-types";
import type { Disk } from "@codelia/storage";
import {
  decodeText,
  encodeText,
  explaining,
  type FileChange,
  type Location,
  readSnapshot,
  requireSeen,
  type TextFile,
} from "../files/index.ts";
import type { ReadVersions } from "../read-versions.ts";
import { applyHunks } from "./apply-hunks.ts";
import type { FilePatch } from "./parse-patch.ts";

export interface LocatedPatch {
  readonly patch: FilePatch;
  readonly location: Location;
  /** Where the file is moved to. */
  readonly target: Location | undefined;
}

export interface PlannedFile {
  readonly location: Location;
  readonly target: Location | undefined;
  /** Texts; undefined: not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly changes: readonly FileChange[];
}

export interface PlanRequest {
  readonly disk: Disk;
  readonly readVersions: ReadVersions;
  readonly files: readonly LocatedPatch[];
  /** Whether to look if names for new files are free: only once that is permitted. */
  readonly lookAtTargets: boolean;
}

/**
 * @effects none but reading
 * @error  ToolError for the first file that the patch cannot be applied to
 */
export async function planPatch(request: PlanRequest): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = [];
  for (const file of request.files) planned.push(await planFile(request, file));
  return planned;
}

async function planFile(
  request: PlanRequest,
  { patch, location, target }: LocatedPatch,
): Promise<PlannedFile> {
  if (patch.kind === "add") {
    if (request.lookAtTargets) await requireFree(request.disk, location, patch.line);
    const after = patch.content.map((line) => `${line}\n`).join("");
    const change = { location, before: undefined, after: encodeText({ bom: false, text: after }) };
    return { location, target, before: undefined, after, changes: [change] };
  }
  if (patch.kind === "delete" || target !== undefined)
    await requireNoLink(request.disk, location, patch.line);
  const before = await readSnapshot(request.disk, location);
  requireSeen(request.readVersions, location, before.bytes);
  if (patch.kind === "delete") {
    const { text } = decodeText(before.bytes, location.shown);
    const change = { location, before, after: undefined };
    return { location, target, before: text, after: undefined, changes: [change] };
  }
  const old = decodeText(before.bytes, location.shown);
  const fresh: TextFile = { bom: old.bom, text: applyHunks(old.text, patch.hunks, location.shown) };
  const after = encodeText(fresh);
  const result = { location, target, before: old.text, after: fresh.text };
  if (target === undefined) return { ...result, changes: [{ location, before, after }] };
  if (request.lookAtTargets) await requireFree(request.disk, target, patch.line);
  const moved = { location: target, before: undefined, after, like: before.stats };
  return { ...result, changes: [moved, { location, before, after: undefined }] };
}

async function requireFree(disk: Disk, { real, shown }: Location, line: number): Promise<void> {
  if (!(await isPresent(disk, real, shown))) return;
  throw new ToolError(
    `Line ${line} of the patch: ${shown} exists already. Nothing was changed; update it, or choose another name.`,
  );
}

async function isPresent(disk: Disk, real: string, shown: string): Promise<boolean> {
  try {
    await explaining(shown, () => disk.lstat(real));
    return true;
  } catch (error) {
    if (error instanceof ToolError && errorCode(error.cause) === "ENOENT") return false;
    throw error;
  }
}

/** To remove a link's target by the link's name would leave the link dangling, and is rarely meant. */
async function requireNoLink(disk: Disk, { path, real, shown }: Location, line: number): Promise<void> {
  const stats = await explaining(shown, () => disk.lstat(path));
  if (!stats.isSymbolicLink()) return;
  throw new ToolError(
    `Line ${line} of the patch: ${shown} is a symbolic link to ${visibleName(real)}. Nothing was changed; ` +
      "name the file itself, or remove the link with a command.",
  );
}
