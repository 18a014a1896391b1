import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { nodeSkillDisk } from "../../src/skills/disk.ts";
import { skillRoots } from "../../src/skills/index.ts";
import { walkRoot } from "../../src/skills/walk.ts";
import { SkillScene, skillText, watchedDisk } from "./skills-scene.ts";

test("skills of every directory from the root to the working directory are found, then the user's own", async () => {
  using scene = new SkillScene(
    {
      "project/.agents/skills/b/SKILL.md": skillText("b"),
      "project/app/.agents/skills/a/SKILL.md": skillText("a"),
      "project/app/web/.agents/skills/group/c/SKILL.md": skillText("c"),
      "project/other/.agents/skills/not-here/SKILL.md": skillText("not-here"),
      "home/.agents/skills/a/SKILL.md": skillText("a"),
    },
    { cwd: "app/web" },
  );
  const { catalog } = await scene.open();
  expect(catalog.skills.map(({ path, scope, name }) => [scene.short(path), scope, name])).toEqual([
    ["project/app/.agents/skills/a/SKILL.md", "repo", "a"],
    ["project/.agents/skills/b/SKILL.md", "repo", "b"],
    ["project/app/web/.agents/skills/group/c/SKILL.md", "repo", "c"],
    ["home/.agents/skills/a/SKILL.md", "user", "a"],
  ]);
  expect(catalog.errors).toEqual([]);
  expect(catalog.truncated).toBe(false);
});

test("metadata names the path, the directory, the time and an id that stays", async () => {
  using scene = new SkillScene({ "project/.agents/skills/one/SKILL.md": skillText("one", "First.") });
  const [first] = (await scene.open()).catalog.skills;
  const [again] = (await scene.open()).catalog.skills;
  expect(again).toEqual(first);
  expect(first?.id).toMatch(/^[0-9a-f]{16}$/);
  expect(first).toEqual({
    id: first?.id ?? "",
    name: "one",
    description: "First.",
    path: scene.at("project/.agents/skills/one/SKILL.md"),
    dir: scene.at("project/.agents/skills/one"),
    scope: "repo",
    mtimeMs: nodeSkillDisk.stat(scene.at("project/.agents/skills/one/SKILL.md")).mtimeMs,
  });
});

test("a home directory in the chain keeps its skills the user's own", () => {
  expect(skillRoots({ chain: ["/home/u", "/home/u/p"], root: "/home/u", userHome: "/home/u" })).toEqual([
    { path: "/home/u/p/.agents/skills", scope: "repo", boundary: "/home/u" },
    { path: "/home/u/.agents/skills", scope: "user", boundary: undefined },
  ]);
});

test("directories are searched six levels down, and a limit that is reached is told", async () => {
  using scene = new SkillScene({
    "project/.agents/skills/d0/d1/d2/d3/d4/d5/SKILL.md": skillText("d5"),
    "project/.agents/skills/e0/e1/e2/e3/e4/e5/e6/SKILL.md": skillText("e6"),
  });
  const { catalog } = await scene.open();
  expect(catalog.skills.map(({ name }) => name)).toEqual(["d5"]);
  expect(catalog.truncated).toBe(true);
  expect(catalog.errors).toEqual([
    {
      path: scene.at("project/.agents/skills"),
      message:
        "has directories more than 6 levels down, which were not searched, for example e0/e1/e2/e3/e4/e5/e6",
      fix: "move skills up, and what is no skill elsewhere",
    },
  ]);
});

test("as many directories as the limit says are searched, and the rest is told", () => {
  using scene = new SkillScene({
    "project/.agents/skills/a/SKILL.md": skillText("a"),
    "project/.agents/skills/b/SKILL.md": skillText("b"),
    "project/.agents/skills/c/SKILL.md": skillText("c"),
  });
  const root = { path: scene.at("project/.agents/skills"), scope: "repo", boundary: undefined } as const;
  const walk = walkRoot({ disk: nodeSkillDisk, root, known: new Map(), now: 0, maxDirectories: 3 });
  expect(walk.found.map(({ dirName }) => dirName)).toEqual(["a", "b"]);
  expect(walk.truncated).toBe(true);
  expect(walk.errors.map(({ message }) => message)).toEqual([
    "has more than 3 directories; the rest was not searched",
  ]);
});

test("hidden directories, node_modules and what lies inside a skill are not searched", async () => {
  using scene = new SkillScene({
    "project/.agents/skills/.hidden/x/SKILL.md": skillText("x"),
    "project/.agents/skills/node_modules/y/SKILL.md": skillText("y"),
    "project/.agents/skills/outer/SKILL.md": skillText("outer"),
    "project/.agents/skills/outer/inner/SKILL.md": skillText("inner"),
  });
  expect(await scene.paths()).toEqual(["project/.agents/skills/outer/SKILL.md"]);
  expect(await scene.errors()).toEqual([]);
});

test("a SKILL.md directly in the folder of skills is an error and hides nothing, at every look", async () => {
  using scene = new SkillScene({
    "project/.agents/skills/SKILL.md": skillText("skills"),
    "project/.agents/skills/a/SKILL.md": skillText("a"),
  });
  for (const _ of ["cold", "warm"]) {
    expect(await scene.paths()).toEqual(["project/.agents/skills/a/SKILL.md"]);
    expect(await scene.errors()).toEqual([
      "project/.agents/skills/SKILL.md: lies directly in the folder of skills and is not used",
    ]);
  }
});

test("a link to a directory is followed, and the skill keeps the path it was found by", async () => {
  using scene = new SkillScene({
    "elsewhere/demo/SKILL.md": skillText("demo"),
    "home/.agents/skills/alias": { link: "../../../elsewhere/demo" },
    "home/.agents/skills/visible": { link: ".hidden" },
    "home/.agents/skills/.hidden/s/SKILL.md": skillText("s"),
  });
  const skills = await scene.open();
  expect(skills.catalog.skills.map(({ path }) => scene.short(path))).toEqual([
    "home/.agents/skills/alias/SKILL.md",
    "home/.agents/skills/visible/s/SKILL.md",
  ]);
  const resolution = skills.resolve({ name: "demo" });
  expect(resolution.ok && scene.short(resolution.resolved.realPath)).toBe("elsewhere/demo/SKILL.md");
});

test("two ways to one skill are one skill, under the first path", async () => {
  using scene = new SkillScene({
    "project/shared/demo/SKILL.md": skillText("demo"),
    "project/.agents/skills/b-link": { link: "../../shared/demo" },
    "project/.agents/skills/a-link": { link: "../../shared/demo" },
    "home/.agents/skills/demo": { link: "../../../project/shared/demo" },
  });
  expect(await scene.paths()).toEqual(["project/.agents/skills/a-link/SKILL.md"]);
  expect(await scene.errors()).toEqual([]);
});

test("a way on which a skill is valid counts before one on which it is not", async () => {
  using scene = new SkillScene({
    "project/.agents/skills/a-wrong/SKILL.md": skillText("right"),
    "project/.agents/skills/right": { link: "a-wrong" },
  });
  expect(await scene.paths()).toEqual(["project/.agents/skills/right/SKILL.md"]);
  expect(await scene.errors()).toEqual([]);
});

test("links of a project's skills stay inside the project; others are errors", async () => {
  using scene = new SkillScene({
    "elsewhere/out/SKILL.md": skillText("out"),
    "elsewhere/file.md": skillText("file"),
    "project/lib/in/SKILL.md": skillText("in"),
    "project/.agents/skills/in": { link: "../../lib/in" },
    "project/.agents/skills/out": { link: "../../../elsewhere/out" },
    "project/.agents/skills/file/SKILL.md": { link: "../../../../elsewhere/file.md" },
    "project/.agents/skills/readme": { link: "../../../elsewhere/file.md" },
  });
  expect(await scene.paths()).toEqual(["project/.agents/skills/in/SKILL.md"]);
  expect(await scene.errors()).toEqual([
    "project/.agents/skills/file/SKILL.md: is a link that leads out of /project",
    "project/.agents/skills/out: is a link that leads out of /project",
  ]);
});

test("a project whose folder of skills is a link out of it has no skills", async () => {
  using scene = new SkillScene({
    "elsewhere/a/SKILL.md": skillText("a"),
    "project/.agents/skills": { link: "../../elsewhere" },
  });
  expect(await scene.paths()).toEqual([]);
  expect(await scene.errors()).toEqual(["project/.agents/skills: is a link that leads out of /project"]);
});

test("a SKILL.md that is a link may lie elsewhere in the user's own skills, and is read again at every look", async () => {
  using scene = new SkillScene({
    "dotfiles/one.md": skillText("s", "First."),
    "dotfiles/two.md": skillText("s", "Second."),
    "home/.agents/skills/s/SKILL.md": { link: "../../../../dotfiles/one.md" },
  });
  expect((await scene.open()).catalog.skills.map(({ description }) => description)).toEqual(["First."]);
  scene.tree.remove("home/.agents/skills/s/SKILL.md");
  scene.tree.add({ "home/.agents/skills/s/SKILL.md": { link: "../../../../dotfiles/two.md" } });
  expect((await scene.open()).catalog.skills.map(({ description }) => description)).toEqual(["Second."]);
});

test("circles of links end, and links that lead nowhere are errors", async () => {
  using scene = new SkillScene({
    "project/.agents/skills/group/a/SKILL.md": skillText("a"),
    "project/.agents/skills/group/back": { link: ".." },
    "project/.agents/skills/self": { link: "self" },
    "project/.agents/skills/gone": { link: "nothing" },
  });
  expect(await scene.paths()).toEqual(["project/.agents/skills/group/a/SKILL.md"]);
  expect(await scene.errors()).toEqual([
    "project/.agents/skills/gone: is a link that leads nowhere",
    "project/.agents/skills/self: too many links, or a link that leads back to itself (ELOOP)",
  ]);
});

test("a SKILL.md that is no regular file is an error and is not opened", async () => {
  using scene = new SkillScene({
    "project/.agents/skills/pipe/SKILL.md": { fifo: true },
    "project/.agents/skills/folder/SKILL.md/x": "",
    "project/.agents/skills/device/SKILL.md": { link: "/dev/zero" },
    "project/.agents/skills/good/SKILL.md": skillText("good"),
    "home/.agents/skills/device/SKILL.md": { link: "/dev/zero" },
  });
  const { disk, opened } = watchedDisk();
  const { catalog } = await scene.open({}, disk);
  expect(catalog.skills.map(({ name }) => name)).toEqual(["good"]);
  expect(opened.map((path) => scene.short(path))).toEqual(["project/.agents/skills/good/SKILL.md"]);
  expect(
    catalog.errors.map(({ path, message }) => [scene.short(path), message.replace(scene.tree.path, "")]),
  ).toEqual([
    ["home/.agents/skills/device/SKILL.md", "is no regular file and was not opened"],
    ["project/.agents/skills/device/SKILL.md", "is a link that leads out of /project"],
    ["project/.agents/skills/folder/SKILL.md", "is no regular file and was not opened"],
    ["project/.agents/skills/pipe/SKILL.md", "is no regular file and was not opened"],
  ]);
});

test("a directory that the system refuses is an error, and everything else works", async () => {
  using scene = new SkillScene({
    "project/.agents/skills/closed/a/SKILL.md": skillText("a"),
    "project/.agents/skills/open/SKILL.md": skillText("open"),
  });
  const closed = scene.at("project/.agents/skills/closed");
  chmodSync(closed, 0);
  try {
    // Who runs the tests may be allowed everything; the system's answer is then given for it.
    const refuse = (path: string) => {
      if (path.startsWith(closed)) throw Object.assign(new Error("EACCES"), { code: "EACCES" });
    };
    const disk = {
      ...nodeSkillDisk,
      readdir: (path: string) => {
        refuse(path);
        return nodeSkillDisk.readdir(path);
      },
      lstatIfAny: (path: string) => {
        refuse(path);
        return nodeSkillDisk.lstatIfAny(path);
      },
    };
    const { catalog } = await scene.open({}, disk);
    expect(catalog.skills.map(({ name }) => name)).toEqual(["open"]);
    expect(catalog.errors).toEqual([
      { path: closed, message: "permission denied (EACCES)", fix: "make it a directory that can be read" },
    ]);
  } finally {
    chmodSync(closed, 0o700);
  }
});

test("skills that are switched off as a whole are not looked for", async () => {
  using scene = new SkillScene({ "project/.agents/skills/a/SKILL.md": "broken" });
  const { disk, listed } = watchedDisk();
  expect((await scene.open({ enabled: false }, disk)).catalog).toEqual({
    skills: [],
    errors: [],
    truncated: false,
  });
  expect(listed).toEqual([]);
});
