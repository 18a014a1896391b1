// `list`: what is in a directory, as a tree of bounded size. Links are shown, never followed.
import { type Tool, ToolError } from "@codelia/core";
import { type Disk, nodeDisk } from "@codelia/storage";
import { z } from "zod";
import type { ToolEnvironment } from "./environment.ts";
import { accessPaths, explaining, forbiddenBelow, locate, PinnedDirectory } from "./files/index.ts";
import { listTree, renderTree } from "./listing/index.ts";

const defaultDepth = 2;

const parameters = z.strictObject({
  path: z.string().optional(),
  depth: z.int().min(1).max(8).optional().describe(`levels, ${defaultDepth} unless given`),
});

export type ListArguments = z.infer<typeof parameters>;

export function createListTool(environment: ToolEnvironment, disk: Disk = nodeDisk): Tool<ListArguments> {
  return {
    name: "list",
    description: "List a directory, hidden entries included. Without path: the working directory.",
    parameters,
    async prepare({ path = ".", depth = defaultDepth }) {
      const location = await locate(disk, environment, path);
      const { shown, real } = location;
      return {
        title: `list ${shown}`,
        paths: [location.path],
        access: { kind: "read", paths: accessPaths([location]) },
        async execute({ output, signal }) {
          await explaining(shown, async () => {
            const stats = await disk.lstat(real);
            if (!stats.isDirectory() && !stats.isSymbolicLink()) {
              throw new ToolError(`${shown} is not a directory. Use \`read\` for files, or list its parent.`);
            }
            await using top = await PinnedDirectory.pin(disk, real, shown);
            const forbids = forbiddenBelow(environment.forbiddenFiles("list"), location);
            const listing = await listTree(top, { depth, forbids, signal });
            await output.write(renderTree(shown, listing));
          });
        },
      };
    },
  };
}
