import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { Placeholders } from "../../src/sandbox/placeholders.ts";

test("what a session that was killed left is taken away by the next one; what is somebody's stays", async () => {
  using tree = new TemporaryTree({ "empty/": "", "sub/x": "" });
  const [left, used, own] = [tree.at("left"), tree.at("used"), tree.at("empty")];
  const killed = new Placeholders();
  await killed.make([left, used, own].map((path) => ({ path, kind: "directory", content: "" })));
  tree.add({ "used/config.json": "{}" });
  const next = new Placeholders();
  await next.adopt([left, used, own, tree.at("sub"), tree.at("nowhere")]);
  expect([left, used, own, tree.at("sub/x")].map((path) => existsSync(path))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  await next.dispose();
  expect([left, used, own, tree.at("sub/x")].map((path) => existsSync(path))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});
