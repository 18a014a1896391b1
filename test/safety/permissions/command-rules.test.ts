import { describe, expect, test } from "bun:test";
import { PermissionScene } from "./permission-scene.ts";

describe("an allow rule about a command", () => {
  const allow = [
    { command: "npm test" },
    { command_glob: "make test-*" },
    { command_glob: "git commit -m fix" },
    { tool: "bash", command: "touch" },
  ];
  test.each([
    ["npm test", "allow by rule"],
    ["npm test -- --watch", "allow by rule"],
    ["ls && npm test | head -3", "allow by rule"],
    ["npm test; npm publish", "confirm"],
    ["npm run test", "confirm"],
    ["npm", "confirm"],
    ["./npm test", "confirm"],
    ["/usr/bin/npm test", "confirm"],
    ["npm test $(touch x)", "confirm"],
    ["A=1 npm test", "confirm"],
    ["env npm test", "confirm"],
    ["npm test &", "confirm"],
    ["npm test\nnpm test", "confirm"],
    ["npm test > log", "confirm"],
    ["make test-unit", "allow by rule"],
    ["make test-unit all", "allow by rule"],
    ["make test-unit; rm -r src", "confirm"],
    ["make install", "confirm"],
    ["git commit -m fix", "allow by rule"],
    ["git commit -m 'fix'", "allow by rule"],
    ["git commit -m 'fix all'", "confirm"],
    ["git commit -m fix --amend", "confirm"],
    ["touch src/made", "allow by rule"],
    ["touch *.ts", "confirm"],
  ])("covers %p: %s", async (command, decision) => {
    using scene = new PermissionScene();
    scene.rules({ allow });
    expect(await scene.command(command)).toBe(decision);
  });

  test("that names the tool alone covers every plain command, and none with more in it", async () => {
    using scene = new PermissionScene();
    scene.rules({ allow: [{ tool: "bash" }] });
    const commands = [
      "make && make install",
      "make > log",
      "make $(x)",
      "sudo make",
      "make > ../log",
      "echo x > .codelia/config.json",
    ];
    expect(await Promise.all(commands.map((command) => scene.command(command)))).toEqual([
      "allow by rule",
      "confirm",
      "confirm",
      "confirm",
      "confirm",
      "confirm",
    ]);
  });
});

describe("a deny rule about a command", () => {
  test.each([
    ["rm x", "deny by rule"],
    ["/bin/rm x", "deny by rule"],
    ["ls; sudo -u root rm x", "deny by rule"],
    ["$(cat program) x", "deny by rule"],
    ["'unclosed rm", "deny by rule"],
    ["git push", "deny by rule"],
    ["git -C .. push --force", "deny by rule"],
    ["git pull", "allow by mode"],
    ["echo rm", "allow by mode"],
    ["npm run deploy", "deny by rule"],
    ["npm run deploy-preview", "allow by mode"],
  ])("decides %p in full mode: %s", async (command, decision) => {
    using scene = new PermissionScene();
    const deny = [{ command: "rm" }, { command: "git push" }, { command_glob: "npm run deploy" }];
    scene.rules({ allow: [{ tool: "bash" }, { command: "rm" }], deny });
    expect(await scene.command(command, "full")).toBe(decision);
  });
});

describe("without a rule", () => {
  test.each([
    ["ask", "ls -la && git status | head -3", "allow by mode"],
    ["ask", "grep -rn words .", "allow by mode"],
    ["ask", "cat /etc/passwd", "confirm"],
    ["ask", "cat out", "confirm"],
    ["ask", "cd .. && ls", "confirm"],
    ["ask", "grep -f/etc/passwd input", "confirm"],
    ["ask", "grep /etc/no-such-thing input", "allow by mode"],
    ["ask", "wc -l < input", "allow by mode"],
    ["ask", "grep words in*", "allow by mode"],
    ["ask", "grep words sub/*", "allow by mode"],
    ["ask", "grep words ../s*", "confirm"],
    ["ask", "grep words /etc/host*", "confirm"],
    ["ask", "grep words */../../s*", "confirm"],
    ["ask", "wc -l < ../secret", "confirm"],
    ["ask", "echo x > made", "confirm"],
    ["auto-edit", "echo x > made", "allow by mode"],
    ["auto-edit", "echo x >> sub/made", "allow by mode"],
    ["auto-edit", "echo x > ../made", "confirm"],
    ["auto-edit", "echo x > out", "confirm"],
    ["auto-edit", "echo x > .git/config", "confirm"],
    ["auto-edit", "cd sub && echo x > made", "confirm"],
    ["auto-edit", "make", "confirm"],
    ["full", "make $(x)", "allow by mode"],
  ] as const)("in %s mode %p: %s", async (mode, command, decision) => {
    using scene = new PermissionScene({
      "repo/input": "words\n",
      "repo/sub/": "",
      "repo/out": { link: "../secret" },
      secret: "",
    });
    expect(await scene.command(command, mode)).toBe(decision);
  });

  test("what only looks asks where no sandbox holds it", async () => {
    using scene = new PermissionScene();
    const off = { written: "-c sandbox.enabled=off", key: "sandbox.enabled", value: "off" };
    expect(await scene.check({ kind: "command", command: "ls" }, { settings: [off] })).toEqual({
      decision: "confirm",
      reason: "no rule covers ls",
      would_allow: [{ tool: "bash", command_glob: "ls" }],
      programs: ["ls"],
      obstacles: [],
      parse: ["runs      ls", "plain     only words, joined by && || ; |"],
      notices: [],
    });
  });
});

test("one argument is a shell text, several are words", async () => {
  using scene = new PermissionScene();
  const both = [
    await scene.checkLine("--", "echo a; reboot"),
    await scene.checkLine("--", "echo", "a; reboot", "*"),
  ];
  expect(both.map(({ decision, programs }) => [decision, programs])).toEqual([
    ["confirm", ["echo", "reboot"]],
    ["allow", ["echo"]],
  ]);
});

test("the check explains the parse, the rule with its place, and the outcome", async () => {
  using scene = new PermissionScene();
  scene.add({ "home/.codelia/config.json": '{\n  "permissions": { "deny": [{ "command": "rm" }] }\n}\n' });
  const place = `${scene.at("home/.codelia/config.json")}:2:29`;
  const { programs, parse, ...rest } = await scene.checkLine("--approval", "full", "--", "timeout 5 rm x");
  expect(["timeout", "rm"].filter((program) => programs.includes(program))).toEqual(["timeout", "rm"]);
  expect(parse.filter((line) => line.includes("through timeout"))).toEqual([
    "runs      rm x  (through timeout)",
  ]);
  expect(rest).toEqual({
    decision: "deny",
    by: "rule",
    reason: `it runs rm: the deny rule at ${place} forbids it, in every approval mode`,
    rule: { effect: "deny", scope: "user", rule: { command: "rm" }, source: place },
    would_allow: [],
    obstacles: ["timeout runs another program"],
    notices: [],
  });
});
