// `apply_patch`: changes of several files in one envelope; all of them happen, or none.
import { type TextChange, type Tool, ToolError } from "@codelia/core";
import { type Disk, nodeDisk } from "@codelia/storage";
import { z } from "zod";
import { diffLines, preview } from "./diff/index.ts";
import type { ToolEnvironment } from "./environment.ts";
import {
  accessPaths,
  applyChanges,
  counted,
  type FileChange,
  isKnown,
  type Location,
  locate,
  unread,
} from "./files/index.ts";
import { type FilePatch, type LocatedPatch, type PlannedFile, parsePatch, planPatch } from "./patch/index.ts";

const parameters = z.strictObject({ patch: z.string() });

export type ApplyPatchArguments = z.infer<typeof parameters>;

const description = `Change several files at once, all or none. Read files before. Format:
*** Begin Patch
*** Update File: a.ts
*** Move to: b.ts (optional)
@@ optional line above, to find the place
 kept line
-removed line
+added line
*** Add File: c.ts
+line
*** Delete File: d.ts
*** End Patch`;

export function createApplyPatchTool(
  environment: ToolEnvironment,
  disk: Disk = nodeDisk,
): Tool<ApplyPatchArguments> {
  const { readVersions } = environment;
  return {
    name: "apply_patch",
    description,
    parameters,
    async prepare({ patch }) {
      const files = await locateAll(disk, environment, parsePatch(patch));
      requireKnown(environment, files);
      const planned = await planPatch({ disk, readVersions, files, lookAtTargets: false });
      const locations = files.flatMap(({ location, target }) =>
        target === undefined ? [location] : [location, target],
      );
      return {
        title: `apply_patch ${names(locations)}`,
        paths: [...new Set(locations.map(({ path }) => path))],
        access: { kind: "write", paths: accessPaths(locations) },
        preview: planned.map(previewOf).join("\n"),
        changes: planned.flatMap(changesOf),
        async execute({ output, ...execution }) {
          // Planned anew: an earlier call of the same turn may have changed a file in the model's sight.
          const current = await planPatch({ disk, readVersions, files, lookAtTargets: true });
          const changes = current.flatMap((file) => file.changes);
          await applyChanges(disk, changes, execution);
          for (const change of changes) remember(environment, change);
          await output.write(current.map((file) => `${reportOf(file)}\n`).join(""));
        },
      };
    },
  };
}

/** @error ToolError when two parts of the patch are about the same file */
async function locateAll(
  disk: Disk,
  environment: ToolEnvironment,
  patches: FilePatch[],
): Promise<LocatedPatch[]> {
  const seen = new Map<string, number>();
  const claim = ({ real, shown }: Location, line: number) => {
    const earlier = seen.get(real);
    if (earlier !== undefined) {
      throw new ToolError(
        `Line ${line} of the patch: ${shown} is named already on line ${earlier}. Nothing was changed; ` +
          "put everything about a file under one header.",
      );
    }
    seen.set(real, line);
  };
  const located: LocatedPatch[] = [];
  for (const patch of patches) {
    const location = await locate(disk, environment, patch.path);
    claim(location, patch.line);
    const moveTo = patch.kind === "update" ? patch.moveTo : undefined;
    const target = moveTo === undefined ? undefined : await locate(disk, environment, moveTo);
    if (target !== undefined) claim(target, patch.line);
    located.push({ patch, location, target });
  }
  return located;
}

/** Before permission is given, nothing is looked at that the model has not read. */
function requireKnown({ readVersions }: ToolEnvironment, files: readonly LocatedPatch[]): void {
  const unknown = files.filter(
    ({ patch, location }) => patch.kind !== "add" && !isKnown(readVersions, location),
  );
  if (unknown.length > 0) throw unread(unknown.map(({ location }) => location.shown).join(", "));
}

function remember({ readVersions }: ToolEnvironment, { location, after }: FileChange): void {
  if (after === undefined) readVersions.forget(location.real);
  else readVersions.remember(location.real, after);
}

function names(locations: readonly Location[]): string {
  const shown = locations
    .slice(0, 3)
    .map((location) => location.shown)
    .join(", ");
  return locations.length > 3 ? `${shown} and ${locations.length - 3} more` : shown;
}

function previewOf({ location, target, before, after }: PlannedFile): string {
  const moved = target === undefined ? "" : `move ${location.shown} to ${target.shown}\n`;
  return moved + preview(location.shown, before, after);
}

/** A moved file is gone from its old place. */
function changesOf({ location, target, before, after }: PlannedFile): TextChange[] {
  if (target === undefined) return [{ path: location.path, before, after }];
  return [
    { path: location.path, before, after: undefined },
    { path: target.path, before: undefined, after },
  ];
}

function reportOf({ location, target, before, after }: PlannedFile): string {
  if (after === undefined) return `Deleted ${location.shown}`;
  const edits = diffLines(before?.split("\n") ?? [], after.split("\n"));
  if (before === undefined)
    return `Added ${location.shown} (${counted(after.split("\n").length - 1, "line")})`;
  const added = edits.reduce((sum, edit) => sum + edit.afterLength, 0);
  const removed = edits.reduce((sum, edit) => sum + edit.beforeLength, 0);
  const name =
    target === undefined ? `Updated ${location.shown}` : `Moved ${location.shown} to ${target.shown}`;
  return `${name} (+${added} −${removed} lines)`;
}
