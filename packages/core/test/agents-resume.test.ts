import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { diffForResume, foldAgentsRecords, type ResumeDiff } from "@codelia/core";
import { nodeFileSystem } from "@codelia/storage";
import { startSession } from "../../../test/support/session.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

const mtimeOf = (path: string) => Math.trunc(statSync(path).mtimeMs);

async function resumeAfter(
  tree: TemporaryTree,
  change: () => void,
  { cwd = "a", home = "home" }: { cwd?: string; home?: string } = {},
): Promise<{ diff: ResumeDiff | undefined; again: ResumeDiff | undefined }> {
  const { initial, resolver, settings } = await startSession({
    cwd: tree.at("a"),
    codeliaHome: tree.at(home),
  });
  const resolved = await resolver.resolveAgentsForPath("../b/x");
  const records = [initial.record, ...(resolved.record ? [resolved.record] : [])];
  change();
  const options = {
    fs: nodeFileSystem,
    settings,
    userHome: "/nowhere",
    codeliaHome: tree.at(home),
    cwd: tree.at(cwd),
    root: tree.path,
    isTrusted: () => Promise.resolve(true),
  };
  const diff = await diffForResume({ ...options, previous: foldAgentsRecords(records) });
  if (diff !== undefined) records.push(diff.record);
  return { diff, again: await diffForResume({ ...options, previous: foldAgentsRecords(records) }) };
}

const files = { ".git": "", "AGENTS.md": "r", "a/AGENTS.md": "a", "b/AGENTS.md": "b", "home/AGENTS.md": "h" };

test("nothing changed: nothing is appended", async () => {
  using tree = new TemporaryTree(files);
  expect((await resumeAfter(tree, () => undefined)).diff).toBeUndefined();
});

test("a new cwd, changed, new and deleted files are told once", async () => {
  using tree = new TemporaryTree(files);
  const change = () => {
    tree.add({ "AGENTS.md": "changed root", "b/c/AGENTS.md": "new", "home/AGENTS.md": "changed home" });
    tree.remove("a/AGENTS.md");
  };
  const { diff, again } = await resumeAfter(tree, change, { cwd: "b/c" });
  const markers = '[".codelia",".git",".jj"]';
  expect(diff?.reminder).toBe(
    `<system-reminder type="session.resume.diff">
Session resumed with context changes:
- cwd: ${tree.at("a")} -> ${tree.at("b/c")}
- root: ${tree.path} -> ${tree.path}
- markers: ${markers} -> ${markers}
Re-check AGENTS.md for current scope:
- ${tree.at("home/AGENTS.md")} (mtime: ${mtimeOf(tree.at("home/AGENTS.md"))})
- ${tree.at("AGENTS.md")} (mtime: ${mtimeOf(tree.at("AGENTS.md"))})
- ${tree.at("b/c/AGENTS.md")} (mtime: ${mtimeOf(tree.at("b/c/AGENTS.md"))})
No longer in force:
- ${tree.at("a/AGENTS.md")} (deleted)
</system-reminder>`,
  );
  expect(again).toBeUndefined();
});

test("a change in a directory that was only visited is told too", async () => {
  using tree = new TemporaryTree(files);
  const { diff, again } = await resumeAfter(tree, () => tree.add({ "b/AGENTS.md": "changed b" }));
  expect(diff?.record.presented.map(({ path }) => path)).toEqual([tree.at("b/AGENTS.md")]);
  expect(again).toBeUndefined();
});
