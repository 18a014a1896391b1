// `edit`: replaces exact text in a file that the model has seen and nobody has changed since.
import type { Tool } from "@codelia/core";
import { type Disk, nodeDisk } from "@codelia/storage";
import { z } from "zod";
import { preview } from "./diff/index.ts";
import type { ToolEnvironment } from "./environment.ts";
import {
  accessPaths,
  applyChanges,
  counted,
  decodeText,
  encodeText,
  isKnown,
  type Location,
  locate,
  readSnapshot,
  requireSeen,
  unread,
} from "./files/index.ts";
import { type Replacement, replaceExactly } from "./replace/index.ts";

const parameters = z.strictObject({
  path: z.string(),
  old: z.string().describe("exact text, unique in the file"),
  new: z.string(),
  all: z.boolean().optional().describe("replace every occurrence"),
});

export type EditArguments = z.infer<typeof parameters>;

const maxNamedPlaces = 20;

export function createEditTool(environment: ToolEnvironment, disk: Disk = nodeDisk): Tool<EditArguments> {
  const { readVersions } = environment;

  async function plan(location: Location, args: EditArguments) {
    const before = await readSnapshot(disk, location);
    requireSeen(readVersions, location, before.bytes);
    const { bom, text: old } = decodeText(before.bytes, location.shown);
    const replacement = replaceExactly(old, {
      old: args.old,
      new: args.new,
      all: args.all ?? false,
      shown: location.shown,
    });
    return { before, old, replacement, after: encodeText({ bom, text: replacement.text }) };
  }

  return {
    name: "edit",
    description:
      "Replace text in a file that you have read. Give old without line numbers, with enough lines around it to be unique.",
    parameters,
    async prepare(args) {
      const location = await locate(disk, environment, args.path);
      // Before permission is given, nothing is looked at that the model has not read.
      if (!isKnown(readVersions, location)) throw unread(location.shown);
      const planned = await plan(location, args);
      return {
        title: `edit ${location.shown}`,
        paths: [location.path],
        access: { kind: "write", paths: accessPaths([location]) },
        preview: preview(location.shown, planned.old, planned.replacement.text),
        changes: [{ path: location.path, before: planned.old, after: planned.replacement.text }],
        async execute({ output, ...execution }) {
          // Planned anew: an earlier call of the same turn may have changed the file in the model's sight.
          const { before, replacement, after } = await plan(location, args);
          await applyChanges(disk, [{ location, before, after }], execution);
          readVersions.remember(location.real, after);
          await output.write(`Edited ${location.shown}: ${confirmation(replacement)}.\n`);
        },
      };
    },
  };
}

function confirmation({ places }: Replacement): string {
  const named = places
    .slice(0, maxNamedPlaces)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
  const more = places.length > maxNamedPlaces ? ", …" : "";
  const several = places.length > 1 || places.some(({ from, to }) => from !== to);
  return `${counted(places.length, "replacement")}, now line${several ? "s" : ""} ${named.join(", ")}${more}`;
}
