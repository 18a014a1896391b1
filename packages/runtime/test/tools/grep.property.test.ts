import { describe, expect, test } from "bun:test";
import { ToolError } from "@codelia/core";
import fc from "fast-check";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import {
  createRipgrepLocator,
  everyFile,
  listWithRipgrep,
  MatchReport,
  parsePathFilter,
  parsePattern,
  type SearchRequest,
  searchBuiltIn,
  searchWithRipgrep,
  walkFiles,
} from "../../src/tools/search/index.ts";
import { glob, pattern, tree } from "./search-trees.ts";
import { environmentAt } from "./tool-run.ts";

// More runs for a long look: SEARCH_RUNS=5000.
const runs = Number(process.env.SEARCH_RUNS ?? 60);
const { signal } = new AbortController();

/** The engine itself, not the tool: the tool would quietly go on without ripgrep if that refused a pattern. */
async function ripgrep(): Promise<{ path: string; env: Record<string, string> }> {
  const path = await createRipgrepLocator(environmentAt("/nowhere"))();
  if (path === undefined) throw new Error("there is no ripgrep to compare with");
  return { path, env: {} };
}

async function report(
  request: SearchRequest,
  max: number,
  search: (request: SearchRequest, sink: MatchReport) => Promise<void>,
): Promise<string> {
  let text = "";
  const write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return Promise.resolve();
  };
  const { context } = request;
  const sink = new MatchReport({ context, max, output: { write }, nameOf: (path) => path });
  await search(request, sink);
  await sink.finish();
  return text;
}

/** @output undefined for what is refused before any engine is asked */
function accepted<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

describe("ripgrep and the built-in search", () => {
  test("list the same files in any tree, whatever is asked for", async () => {
    const rg = await ripgrep();
    await fc.assert(
      fc.asyncProperty(tree, fc.boolean(), fc.boolean(), async (description, hidden, git) => {
        using place = new TemporaryTree(description);
        const options = { root: place.path, hidden, git, signal };
        const expected: string[] = [];
        await listWithRipgrep(rg, options, (path) => expected.push(path));
        expect(await Array.fromAsync(walkFiles(options))).toEqual(expected);
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });

  test("find the same lines for the same arguments in any tree", async () => {
    const rg = await ripgrep();
    await fc.assert(
      fc.asyncProperty(
        tree,
        pattern,
        fc.option(glob, { nil: undefined }),
        fc.record({
          ignoreCase: fc.boolean(),
          context: fc.constantFrom(0, 0, 1, 3),
          max: fc.constantFrom(1, 3, 200),
        }),
        async (description, sought, asked, { ignoreCase, context, max }) => {
          using place = new TemporaryTree(description);
          const parsed = accepted(() => parsePattern(sought, ignoreCase));
          const filter = asked === undefined ? everyFile : accepted(() => parsePathFilter(asked, place.path));
          fc.pre(parsed !== undefined && filter !== undefined);
          const request = { pattern: parsed, context, root: place.path, file: undefined, filter, signal };
          const expected = await report(request, max, (one, sink) => searchWithRipgrep(rg, one, sink));
          expect(await report(request, max, searchBuiltIn)).toBe(expected);
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  });
});
