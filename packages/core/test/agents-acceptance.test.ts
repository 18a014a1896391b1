// Seed 000 §9: the acceptance criteria of AGENTS.md loading, one test each.
import { expect, test } from "bun:test";
import { statSync, utimesSync } from "node:fs";
import { startSession } from "../../../test/support/session.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

test("1: a session start puts the files from root to cwd into one message, in order and once", async () => {
  using tree = new TemporaryTree({
    ".git/": "",
    "AGENTS.md": "root rules\n",
    "packages/AGENTS.md": "package rules\n",
    "packages/foo/AGENTS.md": "foo rules\n",
    "packages/bar/AGENTS.md": "not on the way",
  });
  const { initial } = await startSession({ cwd: tree.at("packages/foo") });
  expect(initial.bundle.text).toBe(
    `<agents_context scope="initial">
Instructions from: ${tree.at("AGENTS.md")}
root rules

Instructions from: ${tree.at("packages/AGENTS.md")}
package rules

Instructions from: ${tree.at("packages/foo/AGENTS.md")}
foo rules
</agents_context>`,
  );
});

test("2: reading a file elsewhere adds only path and mtime of the ancestors that are missing", async () => {
  using tree = new TemporaryTree({
    ".git/": "",
    "AGENTS.md": "root",
    "feature/AGENTS.md": "feature",
    "feature/sub/AGENTS.md": "sub",
    "feature/sub/src/a.ts": "",
  });
  const { resolver } = await startSession({ cwd: tree.path });
  const { resolution, reminder } = await resolver.resolveAgentsForPath("feature/sub/src/a.ts");
  const mtime = (name: string) => statSync(tree.at(name)).mtimeMs;
  expect(resolution).toEqual({
    files: [
      { path: tree.at("feature/AGENTS.md"), mtimeMs: mtime("feature/AGENTS.md"), sizeBytes: 7 },
      { path: tree.at("feature/sub/AGENTS.md"), mtimeMs: mtime("feature/sub/AGENTS.md"), sizeBytes: 3 },
    ],
    changed: [],
    removed: [],
    pending: 0,
    skipped: [],
  });
  expect(reminder).toBe(
    `<system-reminder type="agents.resolve.paths">
Additional AGENTS.md may apply for this path:
- ${tree.at("feature/AGENTS.md")} (mtime: ${Math.trunc(mtime("feature/AGENTS.md"))})
- ${tree.at("feature/sub/AGENTS.md")} (mtime: ${Math.trunc(mtime("feature/sub/AGENTS.md"))})
Read and apply these files before editing files in this scope.
</system-reminder>`,
  );
});

test("3: reading in the same directory again adds nothing", async () => {
  using tree = new TemporaryTree({
    ".git/": "",
    "feature/AGENTS.md": "f",
    "feature/a.ts": "",
    "feature/b.ts": "",
  });
  const { resolver } = await startSession({ cwd: tree.path });
  const first = await resolver.resolveAgentsForPath("feature/a.ts");
  const second = await resolver.resolveAgentsForPath("feature/b.ts");
  expect(first.resolution.files.map(({ path }) => path)).toEqual([tree.at("feature/AGENTS.md")]);
  expect(second).toEqual({
    resolution: { files: [], changed: [], removed: [], pending: 0, skipped: [] },
    reminder: undefined,
    record: undefined,
  });
});

test("4: the initial message stays as it was when files change between turns", async () => {
  using tree = new TemporaryTree({ ".git/": "", "AGENTS.md": "before" });
  const { initial, resolver } = await startSession({ cwd: tree.path });
  const before = initial.bundle.text;
  tree.add({ "AGENTS.md": "after", "sub/AGENTS.md": "new" });
  await resolver.resolveAgentsForPath("sub/x.ts");
  expect(initial.bundle.text).toBe(before);
  expect(Object.isFrozen(initial.bundle)).toBe(true);
});

test("5: the override and the markers choose the root", async () => {
  using tree = new TemporaryTree({
    "AGENTS.md": "top",
    "a/.git/": "",
    "a/AGENTS.md": "a",
    "a/b/WORKSPACE": "",
    "a/b/AGENTS.md": "b",
    "a/b/c/AGENTS.md": "c",
  });
  const cwd = tree.at("a/b/c");
  const byDefault = await startSession({ cwd });
  const byMarker = await startSession({ cwd, settings: { root: { markers: ["WORKSPACE"] } } });
  const byOverride = await startSession({ cwd, settings: { root: { projectRootOverride: tree.path } } });
  const withoutMarkers = await startSession({ cwd, settings: { root: { markers: [] } } });
  expect(
    [byDefault, byMarker, byOverride, withoutMarkers].map(({ initial }) => [
      initial.bundle.root,
      initial.joined,
    ]),
  ).toEqual([
    [{ path: tree.at("a"), rule: "marker", marker: ".git" }, "a\n\nb\n\nc"],
    [{ path: tree.at("a/b"), rule: "marker", marker: "WORKSPACE" }, "b\n\nc"],
    [{ path: tree.path, rule: "override" }, "top\n\na\n\nb\n\nc"],
    [{ path: cwd, rule: "cwd" }, "c"],
  ]);
});

test("6: a known file whose mtime changed is presented again, and only then", async () => {
  using tree = new TemporaryTree({ ".git/": "", "AGENTS.md": "root", "sub/AGENTS.md": "sub" });
  const { resolver } = await startSession({ cwd: tree.path });
  await resolver.resolveAgentsForPath("sub/a.ts");
  utimesSync(tree.at("sub/AGENTS.md"), 1_800_000_000, 1_800_000_000);
  utimesSync(tree.at("AGENTS.md"), 1_800_000_001, 1_800_000_001);
  const changed = await resolver.resolveAgentsForPath("sub/a.ts");
  const unchanged = await resolver.resolveAgentsForPath("sub/a.ts");
  expect(changed.reminder).toBe(
    `<system-reminder type="agents.resolve.paths">
Changed since you saw them:
- ${tree.at("AGENTS.md")} (mtime: 1800000001000)
- ${tree.at("sub/AGENTS.md")} (mtime: 1800000000000)
Read and apply these files before editing files in this scope.
</system-reminder>`,
  );
  expect(unchanged.reminder).toBeUndefined();
});
