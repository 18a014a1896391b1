import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { createGlobTool } from "../../src/tools/glob.ts";
import { createGrepTool } from "../../src/tools/grep.ts";
import { createRipgrepLocator } from "../../src/tools/search/index.ts";
import { glob, pattern, tree } from "./search-trees.ts";
import { environmentAt, runTool } from "./tool-run.ts";

const runs = Number(process.env.SEARCH_RUNS ?? 60);
const none = () => Promise.resolve(undefined);

async function outcome(run: Promise<string>): Promise<string> {
  return run.catch((error: unknown) => String(error));
}

describe("ripgrep and the built-in search", () => {
  test("ripgrep is there, so that the comparisons compare", async () => {
    using place = new TemporaryTree({ "a/": "" });
    expect(await createRipgrepLocator(environmentAt(place.path))()).toMatch(/rg(\.exe)?$/);
  });

  test("list the same files for the same glob in any tree", async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        glob,
        fc.constantFrom(".", ".", "a", "b/a"),
        async (description, asked, below) => {
          using place = new TemporaryTree(description);
          const environment = environmentAt(place.path);
          const args = { pattern: asked, path: below };
          const expected = await outcome(runTool(createGlobTool(environment), args));
          expect(await outcome(runTool(createGlobTool(environment, { ripgrep: none }), args))).toBe(expected);
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  });

  test("find the same lines for the same arguments in any tree", async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        pattern,
        fc.record({
          glob: fc.option(glob, { nil: undefined }),
          ignore_case: fc.boolean(),
          context: fc.constantFrom(0, 0, 1, 3),
          max: fc.constantFrom(1, 3, 200),
        }),
        async (description, sought, options) => {
          using place = new TemporaryTree(description);
          const environment = environmentAt(place.path);
          const args = { pattern: sought, ...options };
          const expected = await outcome(runTool(createGrepTool(environment), args));
          expect(await outcome(runTool(createGrepTool(environment, { ripgrep: none }), args))).toBe(expected);
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  });
});
