import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { inTerminal } from "../../support/terminal.ts";
import type { Call } from "../scene.ts";
import { PermissionScene } from "./permission-scene.ts";

const prompt = "or say why not: ";
const patience = 300_000;

/** A run in a terminal, in which the person gives these answers. */
function answered(
  scene: PermissionScene,
  calls: readonly Call[],
  answers: readonly string[],
  args: readonly string[] = [],
) {
  scene.script(calls);
  return inTerminal(["run", "go", "--trust", "-m", `scripted/${scene.at("script.json")}`, ...args], {
    cwd: scene.at("repo"),
    home: scene.at("home"),
    prompt,
    answers,
  });
}

const bash = (command: string): Call => ["bash", { command }];

describe("an answer for always", () => {
  test(
    "is shown as a rule before it is given, is stored for the user, and holds in the next run",
    async () => {
      using scene = new PermissionScene();
      scene.add({ "home/.codelia/config.json": '{\n  "context": { "compactAt":0.5 }\n}\n' });
      const { code, screen } = await answered(scene, [bash("touch 'a b' '*' && ls")], ["a"]);
      const rule = { tool: "bash", command_glob: "touch 'a b' \\*" };
      expect([code, existsSync(scene.at("repo/a b"))]).toEqual([0, true]);
      expect(screen).toContain(`[a] remembers ${JSON.stringify(rule)}`);
      const file = scene.at("home/.codelia/config.json");
      expect([readFileSync(file, "utf8"), (statSync(file).mode & 0o777).toString(8)]).toEqual([
        `{\n  "context": { "compactAt":0.5 },\n  "permissions": { "allow": [{ "tool": "bash", "command_glob": "touch 'a b' \\\\*" }] }\n}\n`,
        "600",
      ]);
      const next = await scene.decided([
        bash('touch "a b" \\*'),
        bash("touch a b '*'"),
        bash("touch 'a b' x"),
      ]);
      expect(next.decisions.map(({ decision, by, rule: found }) => [decision, by, found])).toEqual([
        ["allow", "rule", { effect: "allow", scope: "user", rule, source: `${file}:3:30` }],
        ["deny", "no_user", undefined],
        ["deny", "no_user", undefined],
      ]);
    },
    patience,
  );

  test(
    "covers the rest of the run too, and exactly the file that was written",
    async () => {
      using scene = new PermissionScene();
      const write = (path: string): Call => ["write", { path, content: "x" }];
      const calls = [write("one"), write("two")];
      const { screen } = await answered(scene, calls, ["a", "n"]);
      expect([
        screen.split(prompt).length - 1,
        existsSync(scene.at("repo/one")),
        existsSync(scene.at("repo/two")),
      ]).toEqual([2, true, false]);
      const stored: unknown = JSON.parse(readFileSync(scene.at("home/.codelia/config.json"), "utf8"));
      expect(stored).toEqual({
        permissions: { allow: [{ tool: "write", path_glob: scene.at("repo/one") }] },
      });
    },
    patience,
  );

  test.each([
    ["a command with more than plain words", bash("touch $(echo made)")],
    ["a command that writes through a redirection", bash("echo x > made")],
    ["an address", ["fetch_url", { url: "http://127.0.0.1:9/" }] satisfies Call],
  ])(
    "is not offered for %s",
    async (_, call) => {
      using scene = new PermissionScene();
      // It counts as no answer; the next one does.
      const { screen } = await answered(scene, [call], ["a", "n"]);
      expect([
        screen.includes("[a]"),
        existsSync(scene.at("repo/made")),
        existsSync(scene.at("home/.codelia/config.json")),
      ]).toEqual([false, false, false]);
    },
    patience,
  );
});

describe("an answer for the session", () => {
  test(
    "covers the very same call, also after the session was resumed, and is journalled with the call",
    async () => {
      using scene = new PermissionScene({ "repo/sub/": "" });
      const command = "echo $(date) >> log";
      await answered(scene, [bash(command), bash(command)], ["s"]);
      const journal = scene.kept("home/.codelia/sessions");
      const call = JSON.stringify({ tool: "bash", kind: "command", command, cwd: scene.at("repo") });
      expect(journal).toContain(
        `"rule":${JSON.stringify({ effect: "allow", scope: "session", rule: { tool: "bash" }, call })}`,
      );
      const calls: Call[] = [bash(command), bash(`${command} `), ["bash", { command, cwd: "sub" }]];
      const { decisions } = await scene.decided(calls, { args: ["--continue"] });
      expect(decisions.map(({ decision, by, reason }) => [decision, by, reason.slice(0, 24)])).toEqual([
        ["allow", "user", "allowed for this session"],
        ["deny", "no_user", "Running a command needs "],
        ["deny", "no_user", "Running a command needs "],
      ]);
      expect(scene.text("repo/log").split("\n").length - 1).toBe(3);
      const other = await scene.decided([bash(command)]);
      expect(other.decisions.map(({ decision, by }) => [decision, by])).toEqual([["deny", "no_user"]]);
    },
    patience,
  );

  test(
    "does not outlast a deny rule",
    async () => {
      using scene = new PermissionScene();
      await answered(scene, [bash("touch made")], ["s"]);
      scene.rules({ deny: [{ command: "touch" }] });
      const { decisions } = await scene.decided([bash("touch made")], { args: ["--continue"] });
      expect(decisions.map(({ decision, by }) => [decision, by])).toEqual([["deny", "rule"]]);
    },
    patience,
  );
});

test("a refusal names the narrowest rule, which then allows the call and no other", async () => {
  using scene = new PermissionScene();
  const first = await scene.decided([bash("touch made; ls")]);
  const [refused] = first.decisions;
  const written = /config\.json: (\{.*\})$/.exec(refused?.reason ?? "")?.[1] ?? "{}";
  expect([first.code, refused?.by, written, existsSync(scene.at("repo/made"))]).toEqual([
    3,
    "no_user",
    '{"tool":"bash","command_glob":"touch made"}',
    false,
  ]);
  scene.add({ "home/.codelia/config.json": `{"permissions": {"allow": [${written}]}}` });
  const { code, decisions } = await scene.decided([bash("touch made; ls"), bash("touch made2")]);
  expect([
    code,
    decisions.map(({ decision, by }) => [decision, by]),
    existsSync(scene.at("repo/made")),
  ]).toEqual([
    3,
    [
      ["allow", "rule"],
      ["deny", "no_user"],
    ],
    true,
  ]);
});

test("a denial is told to the model, journalled with its rule, and ends the run well", async () => {
  using scene = new PermissionScene();
  scene.rules({ deny: [{ command: "touch" }] });
  const place = `${scene.at("home/.codelia/config.json")}:1:25`;
  scene.add({
    "script.json": JSON.stringify({
      turns: [
        { tool_calls: [{ name: "bash", arguments: { command: "touch made" } }] },
        {
          text: "Done.",
          expect: { last_tool_output_contains: [`<system-reminder type="permission.decision">`, place] },
        },
      ],
    }),
  });
  const { code, stdout } = await scene.codelia([
    "run",
    "go",
    "--trust",
    "--approval",
    "full",
    "-m",
    `scripted/${scene.at("script.json")}`,
  ]);
  expect([code, stdout, existsSync(scene.at("repo/made"))]).toEqual([0, "Done.\n", false]);
  const rule = { effect: "deny", scope: "user", rule: { command: "touch" }, source: place };
  expect(scene.kept("home/.codelia/sessions")).toContain(`"rule":${JSON.stringify(rule)}`);
});
