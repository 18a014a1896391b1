import { expect, test } from "bun:test";
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { SkillScene, skillText, watchedDisk } from "./skills-scene.ts";

const three = {
  "project/.agents/skills/a/SKILL.md": skillText("a"),
  "project/.agents/skills/group/b/SKILL.md": skillText("b"),
  "project/.agents/skills/broken/SKILL.md": "no frontmatter",
};

function indexFiles(scene: SkillScene): string[] {
  return readdirSync(scene.at("home/.codelia/index")).map((name) => scene.at("home/.codelia/index", name));
}

function newestIndex(scene: SkillScene): string {
  const [file = ""] = indexFiles(scene);
  return file;
}

test("a second start opens no SKILL.md, lists no directory, and gives the same", async () => {
  using scene = new SkillScene(three);
  const { catalog: cold } = await scene.open();
  const { disk, opened, listed } = watchedDisk();
  const { catalog: warm } = await scene.open({}, disk);
  expect(warm).toEqual(cold);
  expect(opened).toEqual([]);
  expect(listed).toEqual([]);
  expect(cold.skills.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(cold.errors.map(({ message }) => message)).toEqual(["has no frontmatter"]);
});

test("a file that was changed is read again, and only that one", async () => {
  using scene = new SkillScene(three);
  await scene.open();
  const changed = scene.at("project/.agents/skills/group/b/SKILL.md");
  writeFileSync(changed, skillText("b", "New words."));
  const { disk, opened } = watchedDisk();
  const { catalog } = await scene.open({}, disk);
  expect(catalog.skills.map(({ description }) => description)).toEqual(["About a.", "New words."]);
  expect(opened).toEqual([changed]);
});

test("a change that keeps size and mtime is seen", async () => {
  using scene = new SkillScene({ "project/.agents/skills/a/SKILL.md": skillText("a", "One.") });
  const path = scene.at("project/.agents/skills/a/SKILL.md");
  utimesSync(path, 1000, 1000);
  await scene.open();
  writeFileSync(path, skillText("a", "Two."));
  utimesSync(path, 1000, 1000);
  expect((await scene.open()).catalog.skills.map(({ description }) => description)).toEqual(["Two."]);
});

test("skills that came, went, broke and were mended since are seen", async () => {
  using scene = new SkillScene(three);
  await scene.open();
  scene.tree.add({
    "project/.agents/skills/group/new/SKILL.md": skillText("new"),
    "project/.agents/skills/broken/SKILL.md": skillText("broken"),
    "home/.agents/skills/mine/SKILL.md": skillText("mine"),
  });
  scene.tree.remove("project/.agents/skills/a/SKILL.md");
  expect(await scene.paths()).toEqual([
    "project/.agents/skills/group/b/SKILL.md",
    "project/.agents/skills/broken/SKILL.md",
    "project/.agents/skills/group/new/SKILL.md",
    "home/.agents/skills/mine/SKILL.md",
  ]);
  expect(await scene.errors()).toEqual([]);
});

test("what lay inside a skill is found when its SKILL.md is gone", async () => {
  using scene = new SkillScene({
    "project/.agents/skills/outer/SKILL.md": skillText("outer"),
    "project/.agents/skills/outer/inner/SKILL.md": skillText("inner"),
  });
  expect(await scene.paths()).toEqual(["project/.agents/skills/outer/SKILL.md"]);
  scene.tree.remove("project/.agents/skills/outer/SKILL.md");
  expect(await scene.paths()).toEqual(["project/.agents/skills/outer/inner/SKILL.md"]);
});

test("a file that is younger than the clock is coarse is read again", async () => {
  using scene = new SkillScene(three);
  const { openSkills } = await import("../../src/skills/index.ts");
  const atOnce = { ...scene.options(), now: () => new Date(statSync(scene.at("project")).mtimeMs) };
  await (await openSkills(atOnce)).saved;
  const { disk, opened } = watchedDisk();
  await (await openSkills({ ...atOnce, skillDisk: disk })).saved;
  expect(opened.length).toBe(3);
});

test("an index that is damaged, foreign or of another root is as good as none", async () => {
  using scene = new SkillScene(three);
  const { catalog: cold } = await scene.open();
  const file = newestIndex(scene);
  const good = readFileSync(file, "utf8");
  const damages: [string, string][] = [
    ["empty", ""],
    ["cut", good.slice(0, good.length / 2)],
    ["one letter", good.replace("About a.", "About x.")],
    ["zeros", "\0".repeat(good.length)],
    ["other JSON", '{"version":9}\n[]'],
    ["another version", good.replace('"codelia skills",1', '"codelia skills",0')],
    ["another root", good.replace(scene.at("project"), scene.at("home"))],
    ["no index", "not an index at all"],
  ];
  for (const [kind, text] of damages) {
    writeFileSync(file, text);
    const { disk, opened } = watchedDisk();
    expect([kind, (await scene.open({}, disk)).catalog]).toEqual([kind, cold]);
    expect([kind, opened.length]).toEqual([kind, 3]);
    expect([kind, readFileSync(file, "utf8")]).toEqual([kind, good]);
  }
});

test("an index that cannot be read or written costs nothing but time", async () => {
  using scene = new SkillScene({ ...three, "home/.codelia/index": "a file in the way" });
  expect((await scene.open()).catalog.skills.map(({ name }) => name)).toEqual(["a", "b"]);
  expect((await scene.open()).catalog.skills.map(({ name }) => name)).toEqual(["a", "b"]);
});

test("nothing is written where nothing changed, and nothing for a folder that is not there", async () => {
  using scene = new SkillScene(three);
  await scene.open();
  const [file = "", ...others] = indexFiles(scene);
  expect(others).toEqual([]);
  const { ino } = statSync(file);
  await scene.open();
  expect(statSync(file).ino).toBe(ino);
});

test("many starts at once agree and leave a good index and no drafts", async () => {
  using scene = new SkillScene(three);
  const all = await Promise.all(Array.from({ length: 8 }, () => scene.open()));
  const { catalog: after } = await scene.open();
  for (const { catalog } of all) expect(catalog).toEqual(after);
  expect(indexFiles(scene).length).toBe(1);
});

test("a refresh sees what changed and leaves what was handed out as it was", async () => {
  using scene = new SkillScene(three);
  const before = await scene.open();
  appendFileSync(scene.at("project/.agents/skills/a/SKILL.md"), "More.\n");
  scene.tree.add({ "project/.agents/skills/z/SKILL.md": skillText("z") });
  rmSync(scene.at("project/.agents/skills/group"), { recursive: true });
  const after = await before.refresh();
  expect(before.catalog.skills.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(after.catalog.skills.map(({ name }) => name)).toEqual(["a", "z"]);
  expect(after.catalog.skills[0]?.mtimeMs).toBe(
    statSync(scene.at("project/.agents/skills/a/SKILL.md")).mtimeMs,
  );
});
