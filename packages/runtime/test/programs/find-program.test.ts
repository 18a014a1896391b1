import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { findProgram, pathFolders } from "../../src/programs/index.ts";

test("a program is taken neither from the workspace nor from a relative folder, also not through a link", async () => {
  using tree = new TemporaryTree({
    "work/bin/canary-tool": "#!/bin/sh\n",
    "links/canary-tool": { link: "../work/bin/canary-tool" },
    "good/canary-tool": "#!/bin/sh\n",
    "folder/canary-tool/": "",
    "plain/canary-tool": "not executable",
  });
  chmodSync(tree.at("work/bin/canary-tool"), 0o755);
  chmodSync(tree.at("good/canary-tool"), 0o755);
  const workspace = tree.at("work");
  const path = (...folders: string[]) => folders.map((name) => tree.at(name)).join(":");
  const bad = `:.:bin:${path("work/bin", "links", "folder", "plain")}`;
  expect([
    await findProgram("canary-tool", { workspace, path: bad }),
    await findProgram("canary-tool", { workspace, path: `${bad}:${path("good")}` }),
    await findProgram("canary-tool", { workspace, path: undefined }),
  ]).toEqual([undefined, tree.at("good/canary-tool"), undefined]);
});

test("what the system brought goes before what stands first on the PATH", async () => {
  using tree = new TemporaryTree({ "first/bash": "#!/bin/sh\n", "work/": "" });
  chmodSync(tree.at("first/bash"), 0o755);
  const found = await findProgram("bash", { workspace: tree.at("work"), path: tree.at("first") });
  expect(found).not.toBe(tree.at("first/bash"));
});

test("of a PATH the absolute folders are left, in order", () => {
  expect([pathFolders("/a::b:./c:/d"), pathFolders(""), pathFolders(undefined)]).toEqual([
    ["/a", "/d"],
    [],
    [],
  ]);
});
