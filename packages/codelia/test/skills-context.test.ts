import { describe, expect, test } from "bun:test";
import { codelia } from "../../../test/support/codelia.ts";
import { SkillDesk, skillFiles } from "./skill-desk.ts";

async function context(desk: SkillDesk, args: readonly string[]) {
  const run = await codelia(["context", ...args], { cwd: desk.tree.at("repo"), home: desk.tree.at("home") });
  return { ...run, stdout: desk.shown(run.stdout), stderr: desk.shown(run.stderr) };
}

describe("codelia context --skills", () => {
  test("shows how much of the catalog a session would be given, and what is not used", async () => {
    using desk = new SkillDesk({
      ...skillFiles("repo", { one: "First", two: "Second", three: "Third" }),
      "repo/.agents/skills/bad/SKILL.md": "nothing",
      "home/.codelia/config.json": '{"skills":{"disabled":["three"]}}',
    });
    const { code, stdout } = await context(desk, ["--skills", "--trust"]);
    expect(code).toBe(0);
    const section = stdout.slice(stdout.indexOf("Told of")).split("\n");
    expect(section[0]).toMatch(/^Told of at session start: 2 of 2 skills, \d+ of at most 32768 bytes$/);
    expect(section.slice(1, 3)).toEqual(["Disabled: 1 skill", "Skills that are not used"]);
    expect(section[3]).toStartWith("  TREE/repo/.agents/skills/bad/SKILL.md:1:1: ");
    expect((await context(desk, ["--trust"])).stdout).not.toContain("Told of");
  });

  test("with --show prints exactly what --json has, the same each time", async () => {
    using desk = new SkillDesk(skillFiles("repo", { one: "First", two: "Second" }));
    const shown = await context(desk, ["--skills", "--show", "--trust"]);
    const json = await context(desk, ["--skills", "--json", "--trust"]);
    const result: unknown = JSON.parse(json.stdout);
    expect(result).toMatchObject({
      skills: {
        enabled: true,
        text: shown.stdout,
        max_bytes: 32768,
        max_entries: 200,
        shown: 2,
        total: 2,
        disabled: 0,
        truncated: false,
        errors: [],
      },
    });
    expect(shown.stdout).toStartWith("<skills_context>");
    expect(shown.stdout).toContain("<name>one</name>");
    expect((await context(desk, ["--skills", "--show", "--trust"])).stdout).toBe(shown.stdout);
  });

  test("says when the catalog is cut, and never exceeds its limit", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`skill-${index}`, "word ".repeat(40).trim()]),
    );
    using desk = new SkillDesk(skillFiles("repo", many));
    const limit = ["-c", "skills.initial.maxBytes=4000"];
    const { stdout } = await context(desk, ["--skills", "--json", "--trust", ...limit]);
    const bytes = Number(/"bytes": (\d+)/.exec(stdout)?.[1]);
    expect([stdout.includes('"truncated": true'), bytes > 0 && bytes <= 4000]).toEqual([true, true]);
    expect((await context(desk, ["--skills", "--trust", ...limit])).stdout).toContain(
      " of at most 4000 bytes, cut: the rest is found by skill_search\n",
    );
  });

  test("tells of none where there are none, where they are off, and where the project is not trusted", async () => {
    using desk = new SkillDesk(skillFiles("repo", { one: "First" }));
    const none = "\nNo skills are told of at session start.\n";
    expect((await context(desk, ["--skills"])).stdout).toContain(none);
    expect((await context(desk, ["--skills", "--trust", "-c", "skills.enabled=false"])).stdout).toContain(
      "\nSkills are switched off (skills.enabled is false).\n",
    );
    const shown = await context(desk, ["--skills", "--show"]);
    expect([shown.code, shown.stdout, shown.stderr.split("\n")[0]]).toEqual([
      0,
      "",
      "No skills are sent at session start.",
    ]);
    expect((await context(desk, ["--skills", "--tree"])).code).toBe(2);
  });
});
