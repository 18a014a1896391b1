import { describe, expect, test } from "bun:test";
import { PermissionsListResultSchema } from "@codelia/protocol";
import { PermissionScene } from "./permission-scene.ts";

async function problems(rule: object, effect = "deny"): Promise<string[]> {
  using scene = new PermissionScene();
  const text = `{"permissions": {"${effect}": [\n${JSON.stringify(rule)}]}}`;
  scene.add({ "home/.codelia/config.json": text });
  const { stderr, code } = await scene.codelia(["permissions", "list"]);
  const lines = stderr.split("\n").filter((line) => line.startsWith("codelia: "));
  return [
    `exit ${code}`,
    ...lines.map((line) => line.slice(`codelia: ${scene.at("home/.codelia/config.json")}:`.length)),
  ];
}

describe("a rule that cannot hold is shown with its place", () => {
  test.each([
    [
      { command: "rm; ls" },
      '2:12: permissions.deny.0.command: ";" has a meaning to the shell and is never part of such words: write the program and its first words as the program gets them, or use command_glob',
    ],
    [{ command: "  " }, '2:12: permissions.deny.0.command: expected a program, such as "rm"'],
    [
      { command: "git  push" },
      '2:12: permissions.deny.0.command: expected words with one space between them: "git push"',
    ],
    [
      { command_glob: "npm run \\" },
      "2:17: permissions.deny.0.command_glob: a backslash at the end escapes nothing",
    ],
    [
      { path_glob: "../x" },
      "2:14: permissions.deny.0.path_glob: `..` is never part of a path that was resolved: write the path that it leads to",
    ],
    [
      { path_glob: "src/" },
      '2:14: permissions.deny.0.path_glob: nothing ends with a slash: write "src/**" for what is in that directory',
    ],
    [
      { tool: "read", command: "rm" },
      '2:9: permissions.deny.0.tool: "read" runs no commands: command and command_glob are for bash',
    ],
    [
      { tool: "bash", path_glob: "x" },
      "2:9: permissions.deny.0.tool: the files of a command cannot be told from its words: leave out tool, or use sandbox.hiddenPaths to hide files from commands",
    ],
    [
      { skill_name: "Deploy" },
      "2:15: permissions.deny.0.skill_name: no skill has such a name: expected lower-case letters, digits and single hyphens",
    ],
  ])("%j", async (rule, message) => {
    expect(await problems(rule)).toEqual(["exit 1", message]);
  });
});

describe("examples of a rule are checked when it is loaded", () => {
  test.each([
    [{ command: "rm", match: ["sudo rm -r x", "ls; rm x"], not_match: ["ls"] }, "deny", ["exit 0"]],
    [
      { command: "rm", match: ["ls"] },
      "deny",
      ["exit 1", '2:26: permissions.deny.0.match.0: the rule does not cover this example: "ls"'],
    ],
    [
      {
        command_glob: "npm run test*",
        match: ["npm run test:unit"],
        not_match: ["npm run test; rm x", "npm run testing"],
      },
      "allow",
      [
        "exit 1",
        '2:97: permissions.allow.0.not_match.1: the rule covers this example, and must not: "npm run testing"',
      ],
    ],
    [
      { path_glob: "secrets/**", match: ["secrets/a/b", "secrets"], not_match: ["src/secrets/a"] },
      "deny",
      ["exit 0"],
    ],
    [
      { path_glob: "**/*.md", match: ["a.md", "docs/.git/a.md"] },
      "allow",
      ["exit 1", '2:40: permissions.allow.0.match.1: the rule does not cover this example: "docs/.git/a.md"'],
    ],
    [{ skill_name: "deploy", match: ["deploy"], not_match: ["deploy-all"] }, "allow", ["exit 0"]],
    [
      { tool: "fetch_url", match: ["https://example.org"] },
      "allow",
      [
        "exit 1",
        "2:29: permissions.allow.0.match: examples are for rules about commands, paths or skills: this rule has none of them",
      ],
    ],
  ])("%j in %s", async (rule, effect, expected) => {
    expect(await problems(rule, effect)).toEqual(expected);
  });
});

describe("a project's rules", () => {
  const own = {
    "repo/.codelia/config.json":
      '{"permissions": {"deny": [{"command": "make"}],\n"allow": [{"tool": "bash"}]}}',
  };

  test("may deny and never allow, and say where they stand", async () => {
    using scene = new PermissionScene(own);
    scene.rules({ allow: [{ command: "make" }, { command: "touch" }] });
    const file = scene.at("repo/.codelia/config.json");
    expect([
      await scene.command("make", "full"),
      await scene.command("touch x"),
      await scene.command("npm test"),
    ]).toEqual(["deny by rule", "allow by rule", "confirm"]);
    const { stdout } = await scene.codelia(["permissions", "list", "--trust", "--json"]);
    const { rules, refused } = PermissionsListResultSchema.parse(JSON.parse(stdout));
    const userFile = scene.at("home/.codelia/config.json");
    expect([rules, refused]).toEqual([
      [
        { effect: "deny", scope: "project", rule: { command: "make" }, source: `${file}:1:27` },
        { effect: "allow", scope: "user", rule: { command: "make" }, source: `${userFile}:1:26` },
        { effect: "allow", scope: "user", rule: { command: "touch" }, source: `${userFile}:1:45` },
      ],
      [{ effect: "allow", scope: "project", rule: { tool: "bash" }, source: `${file}:2:11` }],
    ]);
    const config = await scene.codelia(["config", "--trust"]);
    expect(config.stdout).toContain(
      `${file}:2:11: permissions.allow.0 is not used: a project may not set it, only your own config, the environment and flags.`,
    );
  });

  test("are not read before the project is trusted, and the user is told", async () => {
    using scene = new PermissionScene({ "repo/.codelia/config.json": "not even JSON" });
    scene.rules({ deny: [{ command: "rm" }] });
    const { code, stdout } = await scene.codelia(["permissions", "list", "--json"]);
    const { rules, notices } = PermissionsListResultSchema.parse(JSON.parse(stdout));
    expect([code, rules.length, notices]).toEqual([
      0,
      1,
      [
        `This project is not trusted, so nothing of it is used. To trust it: codelia trust ${scene.at("repo")} (or --trust for one run).`,
      ],
    ]);
  });
});

test("rules of flags add to those of the files, and hold in a run", async () => {
  using scene = new PermissionScene();
  scene.rules({ deny: [{ command: "make" }] });
  const args = ["-c", 'permissions.deny=[{"command":"touch"}]', "-c", 'permissions.deny=[{"command":"cp"}]'];
  const commands = ["make", "touch a", "cp a b", "mkdir made"];
  const { decisions } = await scene.decided(
    commands.map((command) => ["bash", { command }]),
    { approval: "full", args },
  );
  expect(decisions.map(({ decision, by, rule }) => [decision, by, rule?.scope, rule?.rule.command])).toEqual([
    ["deny", "rule", "user", "make"],
    ["deny", "rule", "flag", "touch"],
    ["deny", "rule", "flag", "cp"],
    ["allow", "mode", undefined, undefined],
  ]);
});
