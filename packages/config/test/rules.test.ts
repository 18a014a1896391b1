import { describe, expect, test } from "bun:test";
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { addAllowRules, ConfigError, flagLayer, mergeLayers, readFileLayer } from "@codelia/config";
import { nodeDisk, nodeFileSystem } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";

const rule = { tool: "bash", command_glob: "npm test" };
const written = '{ "tool": "bash", "command_glob": "npm test" }';

function store(tree: TemporaryTree, name = "config.json") {
  return { fs: nodeFileSystem, disk: nodeDisk, file: tree.at(name) };
}

describe("rules of several layers", () => {
  test("add up, each with its place, and a project's allow rules are refused", async () => {
    using tree = new TemporaryTree({
      "user.json":
        '{\n  "permissions": {\n    "deny": [{ "command": "rm" }],\n    "allow": [{ "tool": "x" }]\n  }\n}',
      "project.json": '{"permissions": {"allow": [{"tool": "bash"}],\n "deny": [{"path_glob": ".env"}]}}',
    });
    const user = await readFileLayer(nodeFileSystem, tree.at("user.json"), "user");
    const project = await readFileLayer(nodeFileSystem, tree.at("project.json"), "project");
    const first = { written: "-c one", key: "permissions.deny", value: [{ command: "dd" }] };
    const second = { written: "-c two", key: "permissions", value: { deny: [{ command: "mkfs" }] } };
    if (user === undefined || project === undefined) throw new Error("a file is missing");
    const settings = mergeLayers([user, project, flagLayer([first, second])]);
    expect(settings.values.permissions).toEqual({
      allow: [{ tool: "x" }],
      deny: [{ command: "rm" }, { path_glob: ".env" }, { command: "dd" }, { command: "mkfs" }],
    });
    const rows = settings.entries.filter(({ key }) => key.startsWith("permissions"));
    expect(rows.map(({ key, source }) => [key, source])).toEqual([
      ["permissions.allow.0", { layer: "user", name: tree.at("user.json"), line: 4, column: 15 }],
      ["permissions.deny.0", { layer: "user", name: tree.at("user.json"), line: 3, column: 14 }],
      ["permissions.deny.1", { layer: "project", name: tree.at("project.json"), line: 2, column: 11 }],
      ["permissions.deny.2", { layer: "flag", name: "-c one" }],
      ["permissions.deny.3", { layer: "flag", name: "-c two" }],
    ]);
    expect(settings.refused).toEqual([
      {
        key: "permissions.allow.0",
        value: { tool: "bash" },
        source: { layer: "project", name: tree.at("project.json"), line: 1, column: 28 },
      },
    ]);
  });

  test("of a flag that is no list are an error, whatever other flags say", () => {
    const list = { written: "-c list", key: "permissions.deny", value: [{ command: "rm" }] };
    const text = { written: "-c text", key: "permissions.deny", value: "rm" };
    for (const flags of [
      [list, text],
      [text, list],
    ]) {
      expect(() => flagLayer(flags)).toThrow('-c text: permissions.deny: expected an array, found "rm"');
    }
  });

  test.each([
    [
      '{"permissions": {"deny": [{"comand": "rm"}]}}',
      "1:28: permissions.deny.0.comand: unknown key; known here: tool, command, command_glob, path_glob, skill_name, server, match, not_match",
    ],
    [
      '{"permissions": {"deny": [{"match": ["rm"]}]}}',
      "1:27: permissions.deny.0: a rule needs at least one of tool, command, command_glob, path_glob, skill_name, server, found an object",
    ],
    [
      '{"permissions": {"allow": [{"tool": ""}]}}',
      '1:37: permissions.allow.0.tool: expected a text that is not empty, found ""',
    ],
  ])("that are wrong are shown with their place: %s", async (text, message) => {
    using tree = new TemporaryTree({ "c.json": text });
    const error: unknown = await readFileLayer(nodeFileSystem, tree.at("c.json"), "user").catch(
      (problem: unknown) => problem,
    );
    const messages = error instanceof ConfigError ? error.message.split("\n") : [];
    expect(messages).toContain(`${tree.at("c.json")}:${message}`);
  });
});

describe("a rule that is remembered", () => {
  test.each([
    ["an empty object", "{}", `{\n  "permissions": { "allow": [${written}] }\n}`],
    [
      "other settings",
      '{\n    "agents": { "enabled":true }\n}\n',
      `{\n    "agents": { "enabled":true },\n    "permissions": { "allow": [${written}] }\n}\n`,
    ],
    [
      "one line",
      '{ "permissions": { "deny": [{"command":"rm"}] } }',
      `{ "permissions": { "deny": [{"command":"rm"}], "allow": [${written}] } }`,
    ],
    [
      "a list on lines, with tabs",
      '{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t{ "tool":  "x" }\n\t\t]\n\t},\n\t"models": {}\n}\n',
      `{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t{ "tool":  "x" },\n\t\t\t${written}\n\t\t]\n\t},\n\t"models": {}\n}\n`,
    ],
    [
      "an empty list",
      '{\r\n  "permissions": { "allow": [] }\r\n}\r\n',
      `{\r\n  "permissions": { "allow": [${written}] }\r\n}\r\n`,
    ],
    ["no rules", '{"permissions":{}}', `{"permissions":{ "allow": [${written}] }}`],
  ])("leaves the rest of the file as it is: %s", async (_, before, after) => {
    using tree = new TemporaryTree({ "config.json": before });
    const [entry] = await addAllowRules(store(tree), [rule]);
    expect(readFileSync(tree.at("config.json"), "utf8")).toBe(after);
    expect([entry?.effect, entry?.rule, entry?.source.layer, entry?.source.name]).toEqual([
      "allow",
      rule,
      "user",
      tree.at("config.json"),
    ]);
  });

  test("makes the file and its folder where there is none, for the user alone, and is written once", async () => {
    using tree = new TemporaryTree({});
    await addAllowRules(store(tree, "home/config.json"), [rule]);
    const text = readFileSync(tree.at("home/config.json"), "utf8");
    await addAllowRules(store(tree, "home/config.json"), [rule]);
    expect([text, readFileSync(tree.at("home/config.json"), "utf8")]).toEqual([
      `{\n  "permissions": { "allow": [${written}] }\n}\n`,
      text,
    ]);
    expect((statSync(tree.at("home/config.json")).mode & 0o777).toString(8)).toBe("600");
    expect(readdirSync(tree.at("home"))).toEqual(["config.json"]);
  });

  test("goes where a link leads, and the link stays", async () => {
    using tree = new TemporaryTree({ "dotfiles/c.json": "{}", "config.json": { link: "dotfiles/c.json" } });
    await addAllowRules(store(tree), [rule]);
    expect([
      lstatSync(tree.at("config.json")).isSymbolicLink(),
      readFileSync(tree.at("dotfiles/c.json"), "utf8"),
    ]).toEqual([true, `{\n  "permissions": { "allow": [${written}] }\n}`]);
  });

  test("is not written into a file that is not valid", async () => {
    using tree = new TemporaryTree({ "config.json": '{ "permissions": ' });
    chmodSync(tree.at("config.json"), 0o640);
    expect(await addAllowRules(store(tree), [rule]).catch((error: unknown) => error)).toBeInstanceOf(
      ConfigError,
    );
    expect(readFileSync(tree.at("config.json"), "utf8")).toBe('{ "permissions": ');
  });

  test("is not lost when twenty writers come at once", async () => {
    using tree = new TemporaryTree({});
    const rules = Array.from({ length: 20 }, (_, index) => ({
      tool: "bash",
      command_glob: `make t${index}`,
    }));
    await Promise.all(rules.map((one) => addAllowRules(store(tree), [one])));
    const layer = await readFileLayer(nodeFileSystem, tree.at("config.json"), "user");
    const found = layer?.rules.map((entry) => entry.rule.command_glob) ?? [];
    expect(new Set(found)).toEqual(new Set(rules.map((one) => one.command_glob)));
    expect(found.length).toBe(rules.length);
  });
});
