// The tool `grep`: lines that match a regular expression, by ripgrep or without it.
import { type Tool, ToolError, type ToolExecution } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import { z } from "zod";
import type { ToolEnvironment } from "./environment.ts";
import { accessPaths } from "./files/index.ts";
import {
  createRipgrepLocator,
  everyFile,
  type FoundLine,
  hasLines,
  MatchReport,
  parsePathFilter,
  parsePattern,
  pinned,
  RipgrepError,
  type SearchOptions,
  type SearchRequest,
  searchBuiltIn,
  searchPlace,
  searchWithRipgrep,
  without,
  withTimeLimit,
} from "./search/index.ts";

const parameters = z.strictObject({
  pattern: z.string().min(1).max(4_096).describe("regex; no look-around"),
  path: z.string().optional(),
  glob: z.string().optional().describe("*.ts, src/**, !*.md"),
  ignore_case: z.boolean().optional(),
  context: z.int().min(0).max(20).optional(),
  max: z.int().min(1).max(2_000).optional(),
});

export type GrepArguments = z.infer<typeof parameters>;

const description = "Search file contents by line. Skips ignored, hidden and binary files.";
const defaultMax = 200;

/** @effects of its calls: reads files, runs ripgrep when there is one outside of the workspace */
export function createGrepTool(
  environment: ToolEnvironment,
  { ripgrep = createRipgrepLocator(environment) }: SearchOptions = {},
): Tool<GrepArguments> {
  return {
    name: "grep",
    description,
    parameters,
    async prepare(args) {
      const { context = 0, max = defaultMax } = args;
      const pattern = parsePattern(args.pattern, args.ignore_case ?? false);
      const place = await searchPlace(environment, "grep", args.path);
      const { location, root, realRoot, file, isEmpty, forbids, nameOf } = place;
      const asked = args.glob === undefined ? everyFile : parsePathFilter(args.glob, root);
      const filter = forbids === undefined ? asked : without(asked, forbids);
      const title = `grep ${visibleName(args.pattern)}${args.path === undefined ? "" : ` in ${visibleName(args.path)}`}`;
      return {
        title,
        paths: [location.path],
        access: { kind: "read", paths: accessPaths([location]) },
        execute: ({ signal, output }: ToolExecution) =>
          withTimeLimit(signal, async (limited) => {
            await using top = await pinned(realRoot, location.shown);
            const confirm = (found: string, lines: readonly FoundLine[]) => hasLines(top, found, lines);
            const report = new MatchReport({ context, max, output, nameOf, confirm });
            const request = { pattern, context, root: top.place, file, filter, signal: limited };
            await search(isEmpty ? undefined : await ripgrep(), environment, request, report);
            await report.finish();
            // Not how many: a count of matches in them would tell what they hold.
            if (forbids !== undefined)
              await output.write("[files that deny rules forbid are not searched]\n");
          }),
      };
    },
  };
}

async function search(
  rg: string | undefined,
  { env }: ToolEnvironment,
  request: SearchRequest,
  report: MatchReport,
): Promise<void> {
  if (rg !== undefined) {
    try {
      await searchWithRipgrep({ path: rg, env }, request, report);
      return;
    } catch (error) {
      if (!(error instanceof RipgrepError)) throw error;
      if (error.reported) {
        throw new ToolError(
          `ripgrep stopped before its end (${visibleName(error.message)}): narrow the search.`,
        );
      }
    }
  }
  await searchBuiltIn(request, report);
}
