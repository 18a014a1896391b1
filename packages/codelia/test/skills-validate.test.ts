import { describe, expect, test } from "bun:test";
import { truncateSync } from "node:fs";
import { visibleName } from "@codelia/shared-types";
import type { TreeDescription } from "../../../test/support/tree.ts";
import { SkillDesk, skillFiles, skillText } from "./skill-desk.ts";

const good = skillFiles("repo", { good: "Works" });

const bomb = [
  "---",
  "name: bad",
  "description: x",
  "a: &a [x, x]",
  ...Array.from({ length: 30 }, (_, index) => `b${index}: &b${index} [*b${index - 1}, *b${index - 1}]`),
  "---",
  "",
]
  .join("\n")
  .replaceAll("*b-1", "*a");

/** Hostile skills by the name of their directory, and what is said of each. */
const hostile: Readonly<Record<string, readonly [tree: TreeDescription, problem: RegExp]>> = {
  binary: [{ "SKILL.md": new Uint8Array([0, 255, 254, 0, 1, 2]) }, /^:1:1: /],
  plain: [{ "SKILL.md": "# Hello\n" }, /^:1:1: /],
  empty: [{ "SKILL.md": "" }, /^:1:1: /],
  endless: [{ "SKILL.md": "---\nname: endless\ndescription: x\n" }, /^:1:1: /],
  bomb: [{ "SKILL.md": bomb }, /^:4:\d+: /],
  list: [{ "SKILL.md": "---\nname: list\ndescription: [a, b]\n---\n" }, /^:3:14: /],
  named: [{ "SKILL.md": skillText("other", "x") }, /^:2:7: /],
  acting: [{ "SKILL.md": '---\nname: "b\\e[2Jad"\ndescription: x\n---\n' }, /^:2:7: .*\\u001b/],
  "control\u001b[2J": [{ "SKILL.md": skillText("control", "x") }, /^:2:7: /],
  fifo: [{ "SKILL.md": { fifo: true } }, /^:1:1: /],
  directory: [{ "SKILL.md/": "" }, /^:1:1: /],
  dangling: [{ "SKILL.md": { link: "nowhere" } }, /^:1:1: /],
  circular: [{ "SKILL.md": { link: "SKILL.md" } }, /^:1:1: /],
  escaping: [{ "SKILL.md": { link: "../../../../outside/escaping/SKILL.md" } }, /^:1:1: /],
};

test("each of many hostile skills is told of with its place, always alike, and the one good skill works", async () => {
  const trees = Object.entries(hostile).flatMap(([name, [tree]]) =>
    Object.entries(tree).map(([path, content]) => [`repo/.agents/skills/${name}/${path}`, content] as const),
  );
  using desk = new SkillDesk({
    ...good,
    ...Object.fromEntries(trees),
    "outside/escaping/SKILL.md": skillText("escaping", "x"),
  });
  const listed = await desk.skills(["--trust"]);
  expect([listed.code, listed.stdout]).toEqual([
    0,
    "name  scope  description  path\ngood  repo   Works        .agents/skills/good/SKILL.md\n",
  ]);
  expect(await desk.skills(["--trust"])).toEqual(listed);
  const validated = await desk.skills(["validate"]);
  expect([validated.code, validated.stderr]).toEqual([1, ""]);
  for (const [output, base] of [
    [listed.stderr, "TREE/repo/.agents/skills"],
    [validated.stdout, ".agents/skills"],
  ] as const) {
    const unsaid = Object.entries(hostile).filter(([name, [, problem]]) => {
      const place = visibleName(`${base}/${name}/SKILL.md`);
      return !output
        .split("\n")
        .some((line) => line.startsWith(place) && problem.test(line.slice(place.length)));
    });
    expect(unsaid.map(([name]) => name)).toEqual([]);
    expect(["\u001b", "\u0000"].filter((control) => output.includes(control))).toEqual([]);
  }
});

describe("odd trees of skills", () => {
  test("a SKILL.md of 50 MB is not read whole, and the others work", async () => {
    using desk = new SkillDesk({ ...good, "repo/.agents/skills/huge/SKILL.md": skillText("huge", "Large") });
    truncateSync(desk.tree.at("repo/.agents/skills/huge/SKILL.md"), 50 * 1024 * 1024);
    const { code, stdout } = await desk.skills(["--trust"]);
    expect([code, stdout.includes("good")]).toEqual([0, true]);
    const shown = await desk.skills(["show", "huge", "--trust"]);
    expect([shown.code, shown.stdout, shown.stderr.includes("huge")]).toEqual([1, "", true]);
    expect((await desk.skills(["validate"])).code).toBe(1);
  });

  test("links that lead around in circles are walked once", async () => {
    using desk = new SkillDesk({
      ...good,
      "repo/.agents/skills/group/loop": { link: ".." },
      "repo/.agents/skills/group/self": { link: "self" },
      "repo/.agents/skills/again": { link: "good" },
    });
    expect(await desk.json(["list", "--trust"])).toMatchObject({ skills: [{ name: "good" }] });
    const first = await desk.skills(["validate"]);
    expect(await desk.skills(["validate"])).toEqual(first);
  });

  test("a skill that is deleted is gone at the next look, one that changed is read again", async () => {
    using desk = new SkillDesk(skillFiles("repo", { one: "First", two: "Second" }));
    await desk.skills(["--trust"]);
    desk.tree.remove("repo/.agents/skills/one");
    desk.tree.add(skillFiles("repo", { two: "Second, anew" }));
    expect((await desk.skills(["--trust"])).stdout).toBe(
      "name  scope  description   path\ntwo   repo   Second, anew  .agents/skills/two/SKILL.md\n",
    );
    expect((await desk.skills(["show", "one", "--trust"])).code).toBe(1);
  });
});

describe("codelia skills validate", () => {
  test("reports all that is wrong at once, each with its place and what to write, and needs no trust", async () => {
    using desk = new SkillDesk({
      "repo/drafts/Review/SKILL.md": "---\nname: Review\ntags: code\n---\n",
      "repo/drafts/good/SKILL.md": skillText("good", "Works"),
    });
    const run = await desk.skills(["validate", "drafts"]);
    expect([run.code, run.stderr]).toEqual([1, ""]);
    const lines = run.stdout.split("\n");
    expect(
      lines.filter((line) => !line.startsWith("  ")).map((line) => line.replace(/: [^:]*$/, "")),
    ).toEqual([
      "drafts/Review/SKILL.md:1:1: error",
      "drafts/Review/SKILL.md:2:7: error",
      "drafts/Review/SKILL.md:3:1: warning",
      "2 skills",
      "",
    ]);
    expect(lines.filter((line) => line.startsWith("  fix: "))).toHaveLength(3);
  });

  test("takes a SKILL.md, a directory and several folders, each skill once", async () => {
    using desk = new SkillDesk({ ...good, "repo/x/one/SKILL.md": skillText("one", "One") });
    const counts = await Promise.all(
      [
        [".agents/skills/good/SKILL.md"],
        [".agents/skills/good"],
        [".agents"],
        [".agents/skills", ".agents/skills/good", "x"],
        [],
      ].map(async (paths) => (await desk.skills(["validate", ...paths])).stdout),
    );
    const said = (skills: string) => `${skills}: 0 errors, 0 warnings\n`;
    expect(counts).toEqual(["1 skill", "1 skill", "1 skill", "2 skills", "1 skill"].map(said));
  });

  test("with --strict ends with 1 for a warning too, and prints JSON", async () => {
    using desk = new SkillDesk({
      "repo/.agents/skills/tagged/SKILL.md": "---\nname: tagged\ndescription: x\ntags: a\n---\nText\n",
    });
    const codes = [await desk.skills(["validate"]), await desk.skills(["validate", "--strict"])];
    expect(codes.map(({ code }) => code)).toEqual([0, 1]);
    const path = "TREE/repo/.agents/skills/tagged/SKILL.md";
    expect(await desk.json(["validate"])).toEqual({
      skills: [
        {
          path,
          name: "tagged",
          problems: [
            {
              severity: "warning",
              path,
              line: 4,
              column: 1,
              message: "tags is no key of a skill and is ignored",
              fix: "remove it, or put it below metadata:",
            },
          ],
        },
      ],
      problems: [],
      error_count: 0,
      warning_count: 1,
    });
  });

  test.each([
    [
      [],
      /^codelia: TREE\/repo: this project has no skills \(no \.agents\/skills from its root to TREE\/repo\)\n/,
    ],
    [["nowhere"], /nowhere/],
    [["empty"], /empty/],
  ])("of nothing is an error: %j", async (paths, problem) => {
    using desk = new SkillDesk({ "repo/empty/": "" });
    const { code, stdout, stderr } = await desk.skills(["validate", ...paths]);
    expect(code).toBe(1);
    expect(stderr + stdout).toMatch(problem);
  });

  test("does not care for a config.json that is broken when it is told what to check", async () => {
    using desk = new SkillDesk({ ...good, "home/.codelia/config.json": "{" });
    expect((await desk.skills(["validate", ".agents"])).code).toBe(0);
  });
});
