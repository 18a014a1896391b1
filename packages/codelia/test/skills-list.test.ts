import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { SkillsListResultSchema, SkillsShowResultSchema, type WireSkill } from "@codelia/protocol";
import { codelia } from "../../../test/support/codelia.ts";
import { inTerminal } from "../../../test/support/terminal.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { SkillDesk, skillFiles, skillText, untrusted } from "./skill-desk.ts";

const both = {
  ...skillFiles("repo", { "release-notes": "Draft release notes from commits", review: "Review a change" }),
  ...skillFiles("repo/app", { deploy: "Bring the app to its servers" }),
  ...skillFiles("home", { "my-notes": "Keep notes of a day" }),
};

function wireSkill(name: string, description: string, folder: string): Omit<WireSkill, "id" | "mtime_ms"> {
  const dir = `${folder}/.agents/skills/${name}`;
  return {
    name,
    description,
    path: `${dir}/SKILL.md`,
    dir,
    scope: folder.endsWith("repo") ? "repo" : "user",
  };
}

describe("codelia skills list", () => {
  test("lists the project's skills from root to here before the user's, each by name", async () => {
    using desk = new SkillDesk(both);
    expect(await desk.skills(["list", "--trust"], { in: "repo/app" })).toEqual({
      code: 0,
      stdout: [
        "name           scope  description                       path",
        "deploy         repo   Bring the app to its servers      app/.agents/skills/deploy/SKILL.md",
        "release-notes  repo   Draft release notes from commits  .agents/skills/release-notes/SKILL.md",
        "review         repo   Review a change                   .agents/skills/review/SKILL.md",
        "my-notes       user   Keep notes of a day               TREE/home/.agents/skills/my-notes/SKILL.md",
        "",
      ].join("\n"),
      stderr: "",
    });
    expect((await desk.skills(["--trust"])).stdout).not.toContain("deploy");
  });

  test("of a project without trust reads nothing, and says so", async () => {
    using desk = new SkillDesk({ ...both, "repo/.agents/skills/broken/SKILL.md": "no frontmatter" });
    expect(await desk.skills([])).toEqual({
      code: 0,
      stdout: [
        "name      scope  description          path",
        "my-notes  user   Keep notes of a day  TREE/home/.agents/skills/my-notes/SKILL.md",
        "",
      ].join("\n"),
      stderr: untrusted,
    });
  });

  test("as JSON is the protocol's result, the same each time, whatever was kept for the next start", async () => {
    using desk = new SkillDesk({
      ...both,
      "home/.codelia/config.json": '{"skills":{"disabled":["review"]}}',
    });
    const index = desk.tree.at("home/.codelia/index");
    const anew = await desk.skills(["--trust", "--json", "--reload"]);
    expect(existsSync(index)).toBe(false);
    const cold = await desk.skills(["--trust", "--json"]);
    expect(existsSync(index)).toBe(true);
    const warm = await desk.skills(["--trust", "--json"]);
    expect([warm.stdout, anew.stdout]).toEqual([cold.stdout, cold.stdout]);
    const { skills, disabled, ...rest } = SkillsListResultSchema.parse(JSON.parse(cold.stdout));
    expect(rest).toEqual({ enabled: true, root: "TREE/repo", notices: [], errors: [], truncated: false });
    const known = ({ name, description, path, dir, scope }: WireSkill) => ({
      name,
      description,
      path,
      dir,
      scope,
    });
    expect([skills.map(known), disabled.map(known)]).toEqual([
      [
        wireSkill("release-notes", "Draft release notes from commits", "TREE/repo"),
        wireSkill("my-notes", "Keep notes of a day", "TREE/home"),
      ],
      [wireSkill("review", "Review a change", "TREE/repo")],
    ]);
  });

  test("is the same in whatever order the skills were made", async () => {
    const names = ["b", "a", "z-1", "z", "m", "group-a"];
    const seen = await Promise.all(
      [names, names.toReversed()].map(async (order) => {
        using desk = new SkillDesk();
        for (const name of order) {
          desk.tree.add(skillFiles("repo", { [name]: `About ${name}` }));
          desk.tree.add(skillFiles("home", { [name]: `My ${name}` }));
          desk.tree.add({ [`repo/.agents/skills/group/bad-${name}/SKILL.md`]: "nothing" });
        }
        return await desk.skills(["--trust"]);
      }),
    );
    expect(seen[0]).toEqual(seen[1]);
    const [first] = seen;
    expect(
      [...(first?.stdout ?? "").matchAll(/^(\S+) +(repo|user) /gm)].map(([, name, scope]) => [name, scope]),
    ).toEqual(
      ["repo", "user"].flatMap((scope) =>
        ["a", "b", "group-a", "m", "z", "z-1"].map((name) => [name, scope]),
      ),
    );
    // By whole path: a hyphen comes before the slash.
    const bad = (first?.stderr ?? "").match(/bad-\S+(?=\/SKILL)/g);
    expect(bad).toEqual(["bad-a", "bad-b", "bad-group-a", "bad-m", "bad-z-1", "bad-z"]);
  });

  test("shows disabled ones with --all, and says when none or all are off", async () => {
    using desk = new SkillDesk({
      ...skillFiles("repo", { one: "First", two: "Second" }),
      "home/.codelia/config.json": '{"skills":{"disabled":["two"]}}',
    });
    const outputs = [
      await desk.skills(["--trust", "--all"]),
      await desk.skills(["--trust"]),
      await desk.skills(["--trust", "-c", "skills.enabled=false"]),
      await desk.skills(["--trust", "-c", 'skills.disabled=["one","two"]']),
    ].map(({ stdout }) => stdout);
    expect(outputs).toEqual([
      [
        "name  scope  description  path",
        "one   repo   First        .agents/skills/one/SKILL.md",
        "two   repo   Second       .agents/skills/two/SKILL.md  disabled",
        "",
      ].join("\n"),
      [
        "name  scope  description  path",
        "one   repo   First        .agents/skills/one/SKILL.md",
        "",
        "1 more is disabled: --all shows them.",
        "",
      ].join("\n"),
      "Skills are switched off: the setting skills.enabled is false.\n",
      "There are no skills here. Make one with: codelia skills new NAME\n\n2 more are disabled: --all shows them.\n",
    ]);
  });

  test("cuts descriptions to the terminal and shows what would act on it", async () => {
    const description = `Long ${"words ".repeat(40)}`;
    using desk = new SkillDesk({
      ...skillFiles("home", { wordy: description, acting: '"red \\e[31m and \\u202e back"' }),
    });
    const { code, screen } = await inTerminal(["skills", "list"], {
      cwd: desk.tree.at("repo"),
      home: desk.tree.at("home"),
      prompt: "no question is asked",
      answers: [],
    });
    expect([code, screen.includes("\u001b[31m"), screen.includes("\u202e")]).toEqual([0, false, false]);
    expect(screen).toContain("red \\u001b[31m a");
    expect(screen).toMatch(/Long words wor.*…/);
    expect(screen).not.toContain("words ".repeat(10));
  });

  test("without skills says how to make one", async () => {
    using desk = new SkillDesk();
    expect(await desk.skills(["--trust"])).toEqual({
      code: 0,
      stdout: "There are no skills here. Make one with: codelia skills new NAME\n",
      stderr: "",
    });
    expect(existsSync(desk.tree.at("repo/.agents"))).toBe(false);
  });
});

describe("codelia skills search", () => {
  test("finds by name, by its start and by words, the best first", async () => {
    using desk = new SkillDesk({
      ...skillFiles("repo", {
        release: "Publish a version",
        "release-notes": "Draft notes from commits",
        changelog: "Write what a release changed",
        other: "Nothing of the kind",
      }),
    });
    expect(await desk.skills(["search", "release", "--trust"])).toEqual({
      code: 0,
      stdout: [
        "name           scope  found by       description                   path",
        "release        repo   name           Publish a version             .agents/skills/release/SKILL.md",
        "release-notes  repo   start of name  Draft notes from commits      .agents/skills/release-notes/SKILL.md",
        "changelog      repo   words          Write what a release changed  .agents/skills/changelog/SKILL.md",
        "",
      ].join("\n"),
      stderr: "",
    });
    const limited = await desk.skills(["search", "release", "--trust", "--limit", "1"]);
    expect(limited.stdout).toEndWith("SKILL.md\n\n2 more: --limit N shows them.\n");
    expect((await desk.skills(["search", "zebra", "--trust"])).stdout).toBe("No skill matches.\n");
  });

  test("finds Japanese, several words, and in one scope alone", async () => {
    using desk = new SkillDesk({
      ...skillFiles("repo", { notes: "リリースノートを書く" }),
      ...skillFiles("home", { "my-notes": "リリースの覚え書き" }),
    });
    const names = async (...args: string[]) => {
      const { stdout } = await desk.skills(["search", ...args, "--trust", "--json"]);
      return [...stdout.matchAll(/"name": "(.*)"/g)].map(([, name]) => name);
    };
    expect([
      await names("リリース"),
      await names("リリース", "--scope", "user"),
      await names("my", "notes", "--scope", "repo"),
    ]).toEqual([["notes", "my-notes"], ["my-notes"], ["notes"]]);
  });

  test("in a project without trust finds the user's own; the project's alone are refused", async () => {
    using desk = new SkillDesk(both);
    const found = await desk.skills(["search", "notes"]);
    expect([found.code, found.stdout.includes("my-notes"), found.stdout.includes("release")]).toEqual([
      0,
      true,
      false,
    ]);
    expect(found.stderr).toBe(untrusted);
    expect(await desk.skills(["search", "notes", "--scope", "repo"])).toEqual({
      code: 3,
      stdout: "",
      stderr: `codelia: the skills of this project are not looked at, because it is not trusted\n${untrusted}`,
    });
  });
});

describe("codelia skills show", () => {
  test("--json has the keys of the frontmatter as they are written, each value a text", async () => {
    const frontmatter = [
      "name: notes",
      "description: Write notes",
      "version: 1.0",
      "license: MIT",
      "compatibility: any",
      "allowed-tools: Bash(jq:*) Bash(git:*)",
      "metadata:\n  author: Me\n  level: 2.50",
      "unknown: left out",
    ];
    using desk = new SkillDesk({
      "repo/.agents/skills/notes/SKILL.md": `---\n${frontmatter.join("\n")}\n---\nBody\n`,
    });
    const { code, stdout } = await desk.skills(["show", "notes", "--trust", "--json"]);
    const shown: unknown = JSON.parse(stdout);
    expect([code, shown]).toMatchObject([
      0,
      {
        frontmatter: {
          name: "notes",
          description: "Write notes",
          version: "1.0",
          license: "MIT",
          compatibility: "any",
          "allowed-tools": "Bash(jq:*) Bash(git:*)",
          metadata: { author: "Me", level: "2.50" },
        },
      },
    ]);
    expect(stdout).not.toContain('"unknown"');
  });

  test("shows by name, by path and by directory what a model would be given", async () => {
    using desk = new SkillDesk({
      "repo/.agents/skills/notes/SKILL.md": skillText("notes", "Write notes", "Read first.\u001b[2J\n"),
      "repo/.agents/skills/notes/references/form.md": "a form",
    });
    const shown = [
      await desk.skills(["show", "notes", "--trust"]),
      await desk.skills(["show", ".agents/skills/notes", "--trust"]),
      await desk.skills(["show", desk.tree.at("repo/.agents/skills/notes/SKILL.md"), "--trust"]),
    ];
    const [first] = shown;
    expect(shown).toEqual(
      [first, first, first].map((run) => ({ code: 0, stdout: run?.stdout ?? "", stderr: "" })),
    );
    const lines = (first?.stdout ?? "").split("\n");
    expect(lines.slice(0, 6)).toEqual([
      "name   notes",
      "scope  repo",
      "path   TREE/repo/.agents/skills/notes/SKILL.md",
      "files  references/form.md",
      "",
      "What a model is given that loads it:",
    ]);
    expect(lines).toContain("Read first.\\u001b[2J");
    expect(lines).toContain("Base directory: file://TREE/repo/.agents/skills/notes/");
  });

  test("shows one that is disabled and says so; as JSON with the whole text", async () => {
    const body = "line\n".repeat(5000);
    using desk = new SkillDesk({
      "home/.agents/skills/notes/SKILL.md": skillText("notes", "Write notes", body),
      "home/.codelia/config.json": '{"skills":{"disabled":["notes"]}}',
    });
    const { stdout } = await desk.skills(["show", "notes", "--trust"]);
    expect(stdout).toContain("disabled  switch it on with: codelia skills enable notes\n");
    const result = SkillsShowResultSchema.parse(await desk.json(["show", "notes", "--trust"]));
    expect([result.disabled, result.files, result.files_truncated, result.skill.name]).toEqual([
      true,
      [],
      false,
      "notes",
    ]);
    expect(result.text).toContain(body);
  });

  test("of two with one name wants the path", async () => {
    using desk = new SkillDesk({
      ...skillFiles("repo", { notes: "The project's" }),
      ...skillFiles("home", { notes: "Mine" }),
    });
    const { code, stdout, stderr } = await desk.skills(["show", "notes", "--trust"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("TREE/repo/.agents/skills/notes/SKILL.md");
    expect(stderr).toContain("TREE/home/.agents/skills/notes/SKILL.md");
    const mine = await desk.skills(["show", "../home/.agents/skills/notes", "--trust"]);
    expect([mine.code, mine.stdout.split("\n")[1]]).toEqual([0, "scope  user"]);
  });

  test("names what is near to a name that is not there, and says what is wrong with one that is", async () => {
    using desk = new SkillDesk({ ...both, "repo/.agents/skills/broken/SKILL.md": "no frontmatter" });
    const runs = await Promise.all(
      ["relase-notes", "zebra", ".agents/skills/revie", "broken", ".agents/skills/broken"].map((given) =>
        desk.skills(["show", given, "--trust"]),
      ),
    );
    const broken = "codelia: TREE/repo/.agents/skills/broken/SKILL.md:1:1: ";
    expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual(runs.map(() => [1, ""]));
    expect(runs.map(({ stderr }) => (stderr.startsWith(broken) ? broken : stderr))).toEqual([
      "codelia: relase-notes: there is no skill with this name here\nDid you mean release-notes? See also: codelia skills list\n",
      "codelia: zebra: there is no skill with this name here\nSee what there is with: codelia skills list\n",
      "codelia: TREE/repo/.agents/skills/revie: there is no skill here\nDid you mean review? See also: codelia skills list\n",
      broken,
      broken,
    ]);
  });

  test("needs trust where the skill could only be the project's", async () => {
    using desk = new SkillDesk({ ...both, "bare/.git/": "" });
    const results = await Promise.all([
      desk.skills(["show", "review"]),
      desk.skills(["show", ".agents/skills/review"]),
      desk.skills(["show", "my-notes"]),
      desk.skills(["show", "../elsewhere/SKILL.md"]),
      desk.skills(["show", "review"], { in: "bare" }),
    ]);
    expect(results.map(({ code }) => code)).toEqual([3, 3, 0, 1, 1]);
    expect(results[0]?.stderr).toBe(
      `codelia: the skills of this project are not looked at, because it is not trusted\n${untrusted}`,
    );
  });
});

test.each([
  [["nonsense"], "unknown command 'skills nonsense': expected one of list, search, show, validate, enable"],
  [["list", "x"], "unexpected argument 'x'"],
  [["search"], "say what to search for"],
  [["search", " "], "say what to search for"],
  [["search", "x", "--limit", "0"], "--limit 0: expected a whole number greater than 0"],
  [["search", "x", "--scope", "all"], "--scope all: expected repo or user"],
  [["show"], "say which skill to show: its name, or the path of its SKILL.md"],
  [["show", "a", "b"], "expected one skill, found 2"],
  [["enable", ""], "say which skill to enable"],
  [["validate", ""], "the path is empty"],
  [["new"], "expected one name, found 0"],
  [["new", "a", "--user", "--dir", "x"], "--user and --dir are two places: leave one out"],
  [["new", "a", "--dir", ""], "the path is empty"],
  [["list", "--strict"], "Unknown option '--strict'"],
])("codelia skills %j is a usage error", async (args, problem) => {
  using tree = new TemporaryTree({});
  const { code, stdout, stderr } = await codelia(["skills", ...args], { cwd: tree.path, home: tree.path });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toStartWith(`codelia: ${problem}`);
  expect(stderr).toEndWith("\nSee: codelia help skills\n");
});
