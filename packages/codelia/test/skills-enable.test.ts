import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { SkillDesk, skillFiles } from "./skill-desk.ts";

const three = skillFiles("repo", { notes: "Write notes", review: "Review", deploy: "Deploy" });

async function names(desk: SkillDesk): Promise<(string | undefined)[]> {
  const { stdout } = await desk.skills(["--trust"]);
  return [...stdout.matchAll(/^(\S+) +(?:repo|user) .*?(\S+)$/gm)].map(([, name]) => name);
}

describe("codelia skills disable and enable", () => {
  test("switch a skill off and on by name, once, in a file for the user alone", async () => {
    using desk = new SkillDesk(three);
    expect(await desk.skills(["disable", "notes", "--trust"])).toEqual({
      code: 0,
      stdout:
        "Disabled notes in TREE/home/.codelia/config.json\nTake it back with: codelia skills enable notes\n",
      stderr: "",
    });
    expect([
      await names(desk),
      readFileSync(desk.config, "utf8"),
      statSync(desk.config).mode & 0o777,
    ]).toEqual([["deploy", "review"], '{\n  "skills": { "disabled": ["notes"] }\n}\n', 0o600]);
    expect((await desk.skills(["disable", "notes", "--trust"])).stdout).toBe(
      "notes is disabled already; nothing was changed.\n",
    );
    expect((await desk.skills(["enable", "notes", "--trust"])).stdout).toBe(
      "Enabled notes in TREE/home/.codelia/config.json\n",
    );
    expect((await desk.skills(["enable", "notes", "--trust"])).stdout).toBe(
      "notes is enabled already; nothing was changed.\n",
    );
    expect([await names(desk), readFileSync(desk.config, "utf8")]).toEqual([
      ["deploy", "notes", "review"],
      '{\n  "skills": { "disabled": [] }\n}\n',
    ]);
    expect(readdirSync(desk.tree.at("home/.codelia")).filter((name) => name.startsWith("config"))).toEqual([
      "config.json",
    ]);
  });

  test("keep every other byte of the file", async () => {
    const before = '{"agents" : {"enabled":true},\n\n\t"skills":{"disabled":[ "deploy","x" ]  } }';
    using desk = new SkillDesk({ ...three, "home/.codelia/config.json": before });
    await desk.skills(["disable", "review", "--trust"]);
    expect(readFileSync(desk.config, "utf8")).toBe(before.replace('"x" ', '"x", "review" '));
    await desk.skills(["enable", "review", "--trust"]);
    expect(readFileSync(desk.config, "utf8")).toBe(before);
  });

  test("by a name are about all that have it; by a path about one", async () => {
    using desk = new SkillDesk({ ...three, ...skillFiles("home", { notes: "Mine" }) });
    expect((await desk.skills(["disable", "notes", "--trust"])).stdout).toBe(
      [
        "Disabled notes in TREE/home/.codelia/config.json",
        "2 skills have this name:",
        "  TREE/repo/.agents/skills/notes/SKILL.md",
        "  TREE/home/.agents/skills/notes/SKILL.md",
        "Take it back with: codelia skills enable notes",
        "",
      ].join("\n"),
    );
    expect(await names(desk)).toEqual(["deploy", "review"]);
    await desk.skills(["enable", "../home/.agents/skills/notes", "--trust"]);
    expect(desk.shown(readFileSync(desk.config, "utf8"))).toBe(
      '{\n  "skills": { "disabled": ["TREE/repo/.agents/skills/notes/SKILL.md"] }\n}\n',
    );
    expect((await desk.skills(["show", "notes", "--trust"])).code).toBe(1);
    expect(
      (await desk.skills(["search", "notes", "--trust", "--json"])).stdout.match(/"path": "(.*)"/)?.[1],
    ).toBe("TREE/home/.agents/skills/notes/SKILL.md");
    await desk.skills(["enable", "notes", "--trust"]);
    expect(await names(desk)).toEqual(["deploy", "notes", "review", "notes"]);
    await desk.skills(["disable", ".agents/skills/notes/SKILL.md", "--trust"]);
    expect((await desk.skills(["disable", ".agents/skills/notes", "--trust"])).stdout).toBe(
      ".agents/skills/notes is disabled already; nothing was changed.\n",
    );
    expect(await names(desk)).toEqual(["deploy", "review", "notes"]);
  });

  test("name what is near when there is no such skill, and write nothing", async () => {
    using desk = new SkillDesk(three);
    for (const verb of ["enable", "disable"]) {
      const { code, stdout, stderr } = await desk.skills([verb, "reveiw", "--trust"]);
      expect([code, stdout, stderr.includes("review")]).toEqual([1, "", true]);
    }
    expect(existsSync(desk.config)).toBe(false);
  });

  test("take out the entry of a skill that was deleted", async () => {
    using desk = new SkillDesk({
      ...three,
      "home/.codelia/config.json": '{"skills":{"disabled":["notes"]}}',
    });
    desk.tree.remove("repo/.agents/skills/notes");
    expect((await desk.skills(["enable", "notes", "--trust"])).stdout).toBe(
      "Enabled notes in TREE/home/.codelia/config.json\nThere is no such skill here any more.\n",
    );
    expect(readFileSync(desk.config, "utf8")).toBe('{"skills":{"disabled":[]}}');
    expect((await desk.skills(["enable", "notes", "--trust"])).code).toBe(1);
  });

  test("leave a config.json alone that is not valid JSON, and say where", async () => {
    using desk = new SkillDesk({ ...three, "home/.codelia/config.json": '{ "skills": {} ' });
    expect(await desk.skills(["disable", "notes", "--trust"])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "codelia: TREE/home/.codelia/config.json:1:16: expected a closing brace `}`\nCorrect the settings above and run the command again.\n",
    });
    expect(readFileSync(desk.config, "utf8")).toBe('{ "skills": {} ');
  });

  test("need trust where the skill could only be the project's, and print JSON", async () => {
    using desk = new SkillDesk({ ...three, ...skillFiles("home", { mine: "Mine" }) });
    expect((await desk.skills(["disable", "notes"])).code).toBe(3);
    expect(await desk.json(["disable", "mine"])).toEqual({
      enabled: false,
      changed: true,
      file: "TREE/home/.codelia/config.json",
      skills: [expect.objectContaining({ name: "mine", scope: "user" })],
    });
  });
});

// How Codex switches skills off and on, as cases.
describe("skill_enablement", () => {
  const path = ".agents/skills/notes/SKILL.md";

  test("the last layer wins: what a run is told counts before the user's file, either way", async () => {
    using desk = new SkillDesk(three);
    const listed = async (disabled: string) => {
      const { stdout } = await desk.skills(["--trust", "-c", `skills.disabled=${disabled}`]);
      return [...stdout.matchAll(/^(\S+) +repo /gm)].map(([, name]) => name);
    };
    await desk.skills(["disable", path, "--trust"]);
    expect([await names(desk), await listed("[]"), await listed('["review"]')]).toEqual([
      ["deploy", "review"],
      ["deploy", "notes", "review"],
      ["deploy", "notes"],
    ]);
  });

  test("a name switches on what a path switched off, and one rule is left of two for the same", async () => {
    using desk = new SkillDesk(three);
    await desk.skills(["disable", path, "--trust"]);
    await desk.skills(["disable", desk.tree.at("repo/.agents/skills/notes"), "--trust"]);
    expect(desk.shown(readFileSync(desk.config, "utf8"))).toBe(
      '{\n  "skills": { "disabled": ["TREE/repo/.agents/skills/notes/SKILL.md"] }\n}\n',
    );
    await desk.skills(["enable", "notes", "--trust"]);
    expect([await names(desk), readFileSync(desk.config, "utf8")]).toEqual([
      ["deploy", "notes", "review"],
      '{\n  "skills": { "disabled": [] }\n}\n',
    ]);
  });

  test("a path in the file that leads to no skill stays there and harms nothing; the command takes only what there is", async () => {
    const before = '{"skills": {"disabled": ["/nowhere/SKILL.md"]}}';
    using desk = new SkillDesk({ ...three, "home/.codelia/config.json": before });
    expect([
      await names(desk),
      (await desk.skills(["disable", "/elsewhere/SKILL.md", "--trust"])).code,
      readFileSync(desk.config, "utf8"),
    ]).toEqual([["deploy", "notes", "review"], 1, before]);
  });
});
