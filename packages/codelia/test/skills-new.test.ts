import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { SkillDesk, skillFiles, untrusted } from "./skill-desk.ts";

describe("codelia skills new", () => {
  test("makes a skill that is valid and found, in the project's root", async () => {
    using desk = new SkillDesk({ "repo/app/": "" });
    const args = ["new", "release-notes", "--description", 'Draft: "notes" # from commits'];
    expect(await desk.skills(args, { in: "repo/app" })).toEqual({
      code: 0,
      stdout: [
        "Made TREE/repo/.agents/skills/release-notes/SKILL.md",
        "Next: write into it what the skill does, then check it with: codelia skills validate TREE/repo/.agents/skills/release-notes/SKILL.md",
        "",
      ].join("\n"),
      stderr: untrusted,
    });
    expect(await desk.skills(["validate", "--strict"])).toEqual({
      code: 0,
      stdout: "1 skill: 0 errors, 0 warnings\n",
      stderr: "",
    });
    expect(await desk.json(["list", "--trust"])).toMatchObject({
      skills: [{ name: "release-notes", description: 'Draft: "notes" # from commits', scope: "repo" }],
      errors: [],
    });
  });

  test("makes one for the user, or in a folder that is named, and without a description", async () => {
    using desk = new SkillDesk();
    const results = [
      await desk.json(["new", "mine", "--user"]),
      await desk.json(["new", "x1", "--dir", "a/b"]),
    ];
    const made = (path: string, name: string) => ({ name, path, files: [path], notices: [] });
    expect(results).toEqual([
      made("TREE/home/.agents/skills/mine/SKILL.md", "mine"),
      made("TREE/repo/a/b/x1/SKILL.md", "x1"),
    ]);
    const paths = [desk.tree.at("home/.agents/skills"), "a/b"];
    expect((await desk.skills(["validate", "--strict", ...paths])).stdout).toBe(
      "2 skills: 0 errors, 0 warnings\n",
    );
  });

  test("changes nothing that is there", async () => {
    using desk = new SkillDesk({
      ...skillFiles("repo", { notes: "Mine" }),
      "repo/.agents/skills/empty/": "",
      "repo/.agents/skills/file": "a file",
      "repo/.agents/skills/link": { link: "nowhere" },
    });
    const before = readFileSync(desk.tree.at("repo/.agents/skills/notes/SKILL.md"), "utf8");
    for (const name of ["notes", "empty", "file", "link"]) {
      expect(await desk.skills(["new", name])).toEqual({
        code: 1,
        stdout: "",
        stderr: `codelia: TREE/repo/.agents/skills/${name}: this is there already, and was not changed\nChoose another name, or remove it first.\n`,
      });
    }
    expect(readFileSync(desk.tree.at("repo/.agents/skills/notes/SKILL.md"), "utf8")).toBe(before);
    expect(readdirSync(desk.tree.at("repo/.agents/skills/empty"))).toEqual([]);
  });

  test.each([
    ["My Skill", "For example: my-skill"],
    ["-x-", "For example: x"],
    ["a--b", "For example: a-b"],
    ["Prüfung", "For example: prufung"],
    ["スキル", "For example: release-notes"],
    ["../x", "For example: x"],
    ["a\u001b[2Jb", "For example: a-2jb"],
    ["x".repeat(65), `For example: ${"x".repeat(64)}`],
  ])("refuses the name %j with one that is allowed", async (name, hint) => {
    using desk = new SkillDesk();
    const { code, stdout, stderr } = await desk.skills(["new", "--", name]);
    expect([code, stdout, stderr.split("\n")[1], stderr.includes("\u001b")]).toEqual([1, "", hint, false]);
    expect(existsSync(desk.tree.at("repo/.agents"))).toBe(false);
  });

  test.each([
    [" ", "the description is blank"],
    ["x".repeat(1025), "the description has 1025 characters"],
  ])("refuses a description that no skill may have", async (description, problem) => {
    using desk = new SkillDesk();
    expect(await desk.skills(["new", "x", "--description", description])).toEqual({
      code: 1,
      stdout: "",
      stderr: `codelia: ${problem}\nSay in 1 to 1024 characters what the skill does and when to use it.\n`,
    });
  });

  test("does not follow a link of the repository out of it", async () => {
    using desk = new SkillDesk({ "outside/": "", "repo/.agents": { link: "../outside" } });
    expect(await desk.skills(["new", "x", "--description", "X"])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "codelia: TREE/repo/.agents: this link leads out of the project, to TREE/outside\nName the folder yourself: codelia skills new NAME --dir PATH\n",
    });
    expect(readdirSync(desk.tree.at("outside"))).toEqual([]);
  });

  test("says what is in the way of a folder", async () => {
    using desk = new SkillDesk({ "repo/.agents": "a file" });
    const { code, stderr } = await desk.skills(["new", "x"]);
    expect([code, stderr.includes("cannot be written: lies below something that is no directory")]).toEqual([
      1,
      true,
    ]);
  });
});
