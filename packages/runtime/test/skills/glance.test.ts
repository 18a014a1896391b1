// A start with thousands of known skills looks at every directory, but only at the files that it lists.
import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import type { SkillsSettings } from "@codelia/shared-types";
import { nodeSkillDisk, type SkillDisk } from "../../src/skills/disk.ts";
import { SkillScene, skillText } from "./skills-scene.ts";

const tree = {
  "project/.agents/skills/a/SKILL.md": skillText("a"),
  "project/.agents/skills/b/SKILL.md": skillText("b"),
  "project/.agents/skills/group/c/SKILL.md": skillText("c"),
  "project/.agents/skills/group/broken/SKILL.md": "broken",
  "home/.agents/skills/d/SKILL.md": skillText("d"),
};
const two: Partial<SkillsSettings> = { initial: { maxEntries: 2, maxBytes: 32768 } };

function looking(): { disk: SkillDisk; looked: string[] } {
  const looked: string[] = [];
  const note = (path: string) => {
    if (path.endsWith("SKILL.md")) looked.push(path);
  };
  const disk: SkillDisk = {
    ...nodeSkillDisk,
    open: (path) => {
      note(path);
      return nodeSkillDisk.open(path);
    },
    lstat: (path) => {
      note(path);
      return nodeSkillDisk.lstat(path);
    },
    lstatIfAny: (path) => {
      note(path);
      return nodeSkillDisk.lstatIfAny(path);
    },
  };
  return { disk, looked };
}

/** The catalog by a glance and as it is without any index. */
async function both(scene: SkillScene, settings: Partial<SkillsSettings>) {
  const glanced = (await scene.glance(settings)).initial;
  rmSync(scene.at("home/.codelia"), { recursive: true });
  const whole = (await scene.open(settings)).initialCatalog();
  return { glanced, whole };
}

test("it gives the catalog that looking at everything gives, and looks at what it lists and at what was broken", async () => {
  using scene = new SkillScene(tree);
  const whole = (await scene.open(two)).initialCatalog();
  const { disk, looked } = looking();
  const { initial } = await scene.glance(two, disk);
  expect(initial).toEqual(whole);
  expect(looked.map((path) => scene.short(path)).toSorted()).toEqual([
    "project/.agents/skills/a/SKILL.md",
    "project/.agents/skills/b/SKILL.md",
    "project/.agents/skills/group/broken/SKILL.md",
  ]);
});

test("whatever changed where it looks, it is as if there were no index", async () => {
  const changes: [string, (scene: SkillScene) => void][] = [
    [
      "listed skill edited",
      (scene) => writeFileSync(scene.at("project/.agents/skills/a/SKILL.md"), skillText("a", "New.")),
    ],
    [
      "listed skill broken",
      (scene) => writeFileSync(scene.at("project/.agents/skills/a/SKILL.md"), "broken"),
    ],
    ["listed SKILL.md gone", (scene) => scene.tree.remove("project/.agents/skills/a/SKILL.md")],
    [
      "broken skill mended",
      (scene) => writeFileSync(scene.at("project/.agents/skills/group/broken/SKILL.md"), skillText("broken")),
    ],
    [
      "skill added",
      (scene) => scene.tree.add({ "project/.agents/skills/group/aa/SKILL.md": skillText("aa") }),
    ],
    ["skill removed", (scene) => scene.tree.remove("project/.agents/skills/group/c")],
    ["last skill removed", (scene) => scene.tree.remove("home/.agents/skills/d")],
    ["root removed", (scene) => scene.tree.remove("home/.agents")],
    ["root added", (scene) => scene.tree.add({ "project/app/.agents/skills/e/SKILL.md": skillText("e") })],
    ["link added", (scene) => scene.tree.add({ "project/.agents/skills/0": { link: "group/c" } })],
    ["nothing", () => {}],
  ];
  for (const [kind, change] of changes) {
    using scene = new SkillScene(tree, { cwd: "app" });
    await scene.open(two);
    change(scene);
    const { glanced, whole } = await both(scene, two);
    expect([kind, glanced]).toEqual([kind, whole]);
  }
});

test("disabled skills are neither listed nor counted", async () => {
  using scene = new SkillScene(tree);
  await scene.open();
  const settings = { ...two, disabled: ["a", scene.at("home/.agents/skills/d/SKILL.md")] };
  const { glanced, whole } = await both(scene, settings);
  expect(glanced).toEqual(whole);
  expect([glanced.shown.map(({ name }) => name), glanced.total]).toEqual([["b", "c"], 2]);
});

test("all skills are there when they are asked for, looked at", async () => {
  using scene = new SkillScene(tree);
  await scene.open(two);
  writeFileSync(scene.at("home/.agents/skills/d/SKILL.md"), skillText("d", "Changed."));
  const opened = await scene.glance(two);
  const skills = await opened.whole();
  expect(skills.catalog.skills.map(({ name, description }) => [name, description])).toEqual([
    ["a", "About a."],
    ["b", "About b."],
    ["c", "About c."],
    ["d", "Changed."],
  ]);
  expect(await opened.whole()).toBe(skills);
});

test("with few skills, or without an index, everything is looked at", async () => {
  using scene = new SkillScene(tree);
  const { initial } = await scene.glance(two);
  expect([initial.shown.map(({ name }) => name), initial.total]).toEqual([["a", "b"], 4]);
});
