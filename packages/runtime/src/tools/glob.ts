// The tool `glob`: files by the pattern of their path.
import type { Tool } from "@codelia/core";
import { ToolError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import { z } from "zod";
import type { ToolEnvironment } from "./environment.ts";
import { accessPaths, leftOutByRules } from "./files/index.ts";
import {
  createRipgrepLocator,
  listFiles,
  parsePathFilter,
  pinned,
  type SearchOptions,
  searchPlace,
  withTimeLimit,
} from "./search/index.ts";

const parameters = z.strictObject({
  pattern: z.string().min(1).describe("**/*.ts, src/{a,b}/*; without / at any depth"),
  path: z.string().optional(),
  max: z.int().min(1).max(10_000).optional(),
});

export type GlobArguments = z.infer<typeof parameters>;

const description = "List files by glob, sorted. Skips ignored and, unless named, hidden files.";
const defaultMax = 500;

/** @effects of its calls: reads folders, runs ripgrep when there is one outside of the workspace */
export function createGlobTool(
  environment: ToolEnvironment,
  { ripgrep = createRipgrepLocator(environment) }: SearchOptions = {},
): Tool<GlobArguments> {
  return {
    name: "glob",
    description,
    parameters,
    async prepare({ pattern, path: named, max = defaultMax }) {
      const { location, root, realRoot, file, forbids, nameOf } = await searchPlace(
        environment,
        "glob",
        named,
      );
      if (file !== undefined) throw new ToolError(`${visibleName(named ?? "")} is a file: name a folder.`);
      const filter = parsePathFilter(pattern, root);
      return {
        title: `glob ${visibleName(pattern)}${named === undefined ? "" : ` in ${visibleName(named)}`}`,
        paths: [location.path],
        access: { kind: "read", paths: accessPaths([location]) },
        execute: ({ signal, output }) =>
          withTimeLimit(signal, async (limited) => {
            await using top = await pinned(realRoot, location.shown);
            let [count, forbidden] = [0, 0];
            const shown: string[] = [];
            const take = (found: string) => {
              if (!filter.accepts(found)) return;
              if (forbids?.(found)) {
                forbidden += 1;
                return;
              }
              count += 1;
              if (count <= max) shown.push(`${visibleName(nameOf(found))}\n`);
            };
            const { hidden, git } = filter;
            await listFiles(
              await ripgrep(),
              environment.env,
              { root: top.place, hidden, git, signal: limited },
              take,
            );
            if (count > max)
              shown.push(`[${max} of ${count} files shown: narrow the pattern, or raise max]\n`);
            if (count === 0) shown.push("No files.\n");
            if (forbidden > 0) shown.push(`${leftOutByRules(forbidden)}\n`);
            await output.write(shown.join(""));
          }),
      };
    },
  };
}
