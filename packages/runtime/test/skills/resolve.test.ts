import { expect, test } from "bun:test";
import type { SkillSelector } from "../../src/skills/index.ts";
import { SkillScene, skillText } from "./skills-scene.ts";

const tree = {
  "project/.agents/skills/a/SKILL.md": skillText("a"),
  "project/.agents/skills/twin/SKILL.md": skillText("twin"),
  "project/.agents/skills/broken/SKILL.md": "no frontmatter",
  "project/lib/real/SKILL.md": skillText("real"),
  "project/.agents/skills/alias": { link: "../../lib/real" },
  "home/.agents/skills/twin/SKILL.md": skillText("twin"),
  "home/.agents/skills/off/SKILL.md": skillText("off"),
};

async function outcome(scene: SkillScene, selector: SkillSelector, disabled: string[] = []): Promise<string> {
  const resolution = (await scene.open({ disabled })).resolve(selector);
  if (resolution.ok) return scene.short(resolution.resolved.skill.path);
  const { code, candidates } = resolution.failure;
  return [code, ...candidates.map((path) => scene.short(path))].join(" ");
}

test("a unique name and every spelling of a path resolve to the same skill", async () => {
  using scene = new SkillScene(tree);
  const selectors: SkillSelector[] = [
    { name: "a" },
    { path: scene.at("project/.agents/skills/a/SKILL.md") },
    { path: scene.at("project/.agents/skills/a/./SKILL.md") },
    { path: `${scene.at("project")}/.agents//skills/x/../a/SKILL.md` },
    { path: scene.at("project/.agents/skills/a") },
    { path: `${scene.at("project/.agents/skills/a")}/` },
    { path: ".agents/skills/a/SKILL.md" },
    { path: `file://${scene.at("project/.agents/skills/a/SKILL.md")}` },
    { name: "a", path: scene.at("project/.agents/skills/a/SKILL.md") },
  ];
  for (const selector of selectors) {
    expect([selector, await outcome(scene, selector)]).toEqual([
      selector,
      "project/.agents/skills/a/SKILL.md",
    ]);
  }
});

test("the discovered path, the real path and any other way to it are one skill", async () => {
  using scene = new SkillScene({ ...tree, way: { link: "project/lib" } });
  for (const path of [
    "project/.agents/skills/alias/SKILL.md",
    "project/lib/real/SKILL.md",
    "way/real/SKILL.md",
  ]) {
    expect(await outcome(scene, { path: scene.at(path) })).toBe("project/.agents/skills/alias/SKILL.md");
  }
});

test("what is no skill without doubt is a failure that names the candidates", async () => {
  using scene = new SkillScene(tree);
  const twins = "project/.agents/skills/twin/SKILL.md home/.agents/skills/twin/SKILL.md";
  const cases: [SkillSelector, string][] = [
    [{}, "no_selector"],
    [{ name: "twin" }, `ambiguous ${twins}`],
    [{ name: "nothing" }, "unknown_name"],
    [{ name: "" }, "unknown_name"],
    [{ name: "A" }, "unknown_name project/.agents/skills/a/SKILL.md"],
    [{ path: scene.at("home/.agents/skills/a/SKILL.md") }, "unknown_path project/.agents/skills/a/SKILL.md"],
    // A path that is wrong never falls back to the name.
    [{ name: "a", path: scene.at("nowhere/a/SKILL.md") }, "unknown_path project/.agents/skills/a/SKILL.md"],
    [{ name: "a", path: "" }, "unknown_path project/.agents/skills/a/SKILL.md"],
    [{ name: "twin", path: "/nowhere" }, `unknown_path ${twins}`],
    [{ path: scene.at("project/.agents/skills/broken/SKILL.md") }, "faulty"],
    [{ path: scene.at("project/.agents/skills/broken") }, "faulty"],
    [{ name: "broken" }, "faulty"],
    [{ path: "file://%00" }, "unknown_path"],
    [
      { name: "twin", path: scene.at("project/.agents/skills/a/SKILL.md") },
      "mismatch project/.agents/skills/a/SKILL.md",
    ],
    // The path decides between two of one name.
    [{ name: "twin", path: scene.at("home/.agents/skills/twin") }, "home/.agents/skills/twin/SKILL.md"],
  ];
  for (const [selector, expected] of cases) {
    expect([selector, await outcome(scene, selector)]).toEqual([selector, expected]);
  }
});

test("the words of a failure say what to do next, and are harmless", async () => {
  using scene = new SkillScene(tree);
  const skills = await scene.open();
  const message = (selector: SkillSelector) => {
    const resolution = skills.resolve(selector);
    return resolution.ok ? "" : resolution.failure.message.replaceAll(scene.tree.path, "");
  };
  expect(message({ name: "twin" })).toBe(
    "2 skills are called twin. Give the path of one: /project/.agents/skills/twin/SKILL.md, /home/.agents/skills/twin/SKILL.md",
  );
  expect(message({ name: "\u001b[2J" })).toBe(
    'No skill is called "\\u001b[2J". Use skill_search with words of the task.',
  );
  for (const selector of [{ name: "broken" }, { path: scene.at("project/.agents/skills/broken/SKILL.md") }]) {
    expect(message(selector)).toBe(
      "/project/.agents/skills/broken/SKILL.md cannot be used: has no frontmatter. Fix: begin the file with the lines ---, name: …, description: … and --- again.",
    );
  }
});

test("a disabled skill is neither listed, found nor loaded, by name and by every path", async () => {
  using scene = new SkillScene(tree);
  const byName = await scene.open({ disabled: ["off", "real"] });
  expect(byName.catalog.skills.map(({ name }) => name)).toEqual(["a", "twin", "twin"]);
  expect(byName.disabled.map(({ name }) => name)).toEqual(["real", "off"]);
  expect(byName.search("off").count).toBe(0);
  expect(byName.initialCatalog().text).not.toContain("<name>off</name>");
  expect(await outcome(scene, { name: "off" }, ["off"])).toBe("disabled");
  const path = "home/.agents/skills/off/SKILL.md";
  for (const disabled of [
    scene.at(path),
    scene.at("home/.agents/skills/off"),
    scene.at("home/.agents/./skills/off/SKILL.md"),
  ]) {
    expect(await outcome(scene, { path: scene.at(path) }, [disabled])).toBe("disabled");
  }
  // The real path switches off what was found through a link.
  expect(await outcome(scene, { name: "real" }, [scene.at("project/lib/real/SKILL.md")])).toBe("disabled");
});

test("disabling one of two skills by path leaves the other, without doubt", async () => {
  using scene = new SkillScene(tree);
  const disabled = [scene.at("home/.agents/skills/twin/SKILL.md")];
  expect(await outcome(scene, { name: "twin" }, disabled)).toBe("project/.agents/skills/twin/SKILL.md");
});

test("a disabled path or name that no skill has disables nothing", async () => {
  using scene = new SkillScene(tree);
  const { catalog, disabled } = await scene.open({ disabled: ["/nowhere/SKILL.md", "nobody"] });
  expect([catalog.skills.length, disabled]).toEqual([5, []]);
});
