// The tool `grep`: lines that match a regular expression, by ripgrep or without it.
import { stat } from "node:fs/promises";
import { type Tool, ToolError, type ToolExecution } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import { z } from "zod";
import type { ToolEnvironment } from "./environment.ts";
import {
  createRipgrepLocator,
  everyFile,
  MatchReport,
  maxFileSize,
  parsePathFilter,
  parsePattern,
  RipgrepError,
  type SearchOptions,
  type SearchRequest,
  searchBuiltIn,
  searchPlace,
  searchWithRipgrep,
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
      const place = await searchPlace(environment, args.path);
      const { path, root, file, nameOf } = place;
      if (file !== undefined) await checkSize(path);
      const filter = args.glob === undefined ? everyFile : parsePathFilter(args.glob, root);
      const title = `grep ${visibleName(args.pattern)}${args.path === undefined ? "" : ` in ${visibleName(args.path)}`}`;
      return {
        title,
        paths: [path],
        access: { kind: "read", paths: [path] },
        execute: ({ signal, output }: ToolExecution) =>
          withTimeLimit(signal, async (limited) => {
            const report = new MatchReport({ context, max, output, nameOf });
            const request = { pattern, context, root, file, filter, signal: limited };
            await search(await ripgrep(), environment, request, report);
            await report.finish();
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

async function checkSize(path: string): Promise<void> {
  const { size } = await stat(path);
  if (size <= maxFileSize) return;
  throw new ToolError(
    `${visibleName(path)} is larger than ${maxFileSize / 1024 / 1024} MiB: search it with bash instead.`,
  );
}
