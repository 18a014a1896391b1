import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { ConfigSchema } from "@codelia/shared-types";
import { nodeDisk, nodeFileSystem } from "@codelia/storage";
import fc from "fast-check";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";
import { editJson } from "../src/edit/json-edit.ts";
import { type ConfigEdit, ConfigError, editUserConfig } from "../src/index.ts";

const key = ["skills", "disabled"];
const add = (value: unknown): ConfigEdit => ({ action: "add", key, value });
const remove = (value: unknown): ConfigEdit => ({ action: "remove", key, value });

describe("a change of a JSON text", () => {
  test.each([
    ["{}", '{\n  "skills": { "disabled": ["new"] }\n}'],
    ["{ }\n", '{\n  "skills": { "disabled": ["new"] }\n}\n'],
    ['{"a":1}', '{"a":1, "skills": { "disabled": ["new"] }}'],
    ['{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"skills": { "disabled": ["new"] }\n}\n'],
    ['{\r\n    "a": 1\r\n}', '{\r\n    "a": 1,\r\n    "skills": { "disabled": ["new"] }\r\n}'],
    ['{"skills":{}}', '{"skills":{ "disabled": ["new"] }}'],
    ['{ "skills": { "disabled": [] }, "b" :2}', '{ "skills": { "disabled": ["new"] }, "b" :2}'],
    ['{ "skills": { "disabled": ["x","y"] } }', '{ "skills": { "disabled": ["x","y", "new"] } }'],
    [
      '{\n  "skills": {\n    "disabled": [\n      "x"\n    ] }\n}\n',
      '{\n  "skills": {\n    "disabled": [\n      "x",\n      "new"\n    ] }\n}\n',
    ],
    ['{"skills":{"disabled":["new"]}}', '{"skills":{"disabled":["new"]}}'],
  ])("adds to the list in %j", (before, after) => {
    expect(editJson(before, add("new"))).toBe(after);
  });

  test.each([
    ["{}", "{}"],
    ['{ "skills": { "disabled": ["x", "old","z"] } }', '{ "skills": { "disabled": ["x", "z"] } }'],
    ['{ "skills": { "disabled": ["x", "y" , "old"] } }', '{ "skills": { "disabled": ["x", "y"] } }'],
    ['{ "skills": { "disabled": ["old", "x","old"] } }', '{ "skills": { "disabled": ["x"] } }'],
    ['{ "skills": { "disabled": [ "old" ] } }', '{ "skills": { "disabled": [] } }'],
    ['{"skills":{"disabled":[\n "old",\n "x"\n]}}', '{"skills":{"disabled":[\n "x"\n]}}'],
  ])("removes from the list in %j", (before, after) => {
    expect(editJson(before, remove("old"))).toBe(after);
  });

  test.each([
    ["{}", "{}"],
    ['{ "a": { "x": 1, "old": { "b": 2 }, "y": 3 } }', '{ "a": { "x": 1, "y": 3 } }'],
    ['{\n  "a": {\n    "x": 1,\n    "old": 2\n  }\n}\n', '{\n  "a": {\n    "x": 1\n  }\n}\n'],
    ['{ "a": { "old": 1 } }', '{ "a": {} }'],
  ])("takes a key away from %j", (before, after) => {
    expect(editJson(before, { action: "unset", key: ["a", "old"] })).toBe(after);
  });

  test("sets a value where one is and where none is, and writes lists of objects a line each", () => {
    const text = '{\n  "skills": { "enabled": true }\n}\n';
    expect([
      editJson(text, { action: "set", key: ["skills", "enabled"], value: false }),
      editJson(text, { action: "set", key: ["skills", "enabled"], value: true }),
      editJson(text, { action: "add", key: ["permissions", "allow"], value: { tool: "bash", list: [] } }),
    ]).toEqual([
      '{\n  "skills": { "enabled": false }\n}\n',
      text,
      '{\n  "skills": { "enabled": true },\n  "permissions": { "allow": [{ "tool": "bash", "list": [] }] }\n}\n',
    ]);
  });

  test("knows objects again, whatever their layout and order", () => {
    const rules = ["permissions", "allow"];
    const value = { tool: "bash", command: "make", skill_name: undefined };
    const text = '{"permissions":{"allow":[ {"command":"make",\n"tool" : "bash"} ]}}';
    expect([
      editJson(text, { action: "add", key: rules, value }),
      editJson(text, { action: "remove", key: rules, value }),
      editJson(text, { action: "set", key: rules, value: [value] }),
    ]).toEqual([text, '{"permissions":{"allow":[]}}', text]);
  });

  test("is the change of the value, whatever the layout", () => {
    const list = fc.array(fc.constantFrom("a", "b", "c", "]", '"', "\\"), { maxLength: 4 });
    const other = fc.dictionary(fc.constantFrom("x", "y", "__proto__"), fc.jsonValue({ maxDepth: 2 }));
    const layout = fc.constantFrom(undefined, "  ", "\t");
    fc.assert(
      fc.property(list, other, layout, fc.constantFrom("a", "b", '"'), (disabled, rest, space, value) => {
        const text = JSON.stringify({ ...rest, skills: { disabled, z: 1 }, last: [1] }, undefined, space);
        const expected = (members: string[]) => ({ ...rest, skills: { disabled: members, z: 1 }, last: [1] });
        expect(JSON.parse(editJson(text, add(value)))).toEqual(
          expected(disabled.includes(value) ? disabled : [...disabled, value]),
        );
        expect(JSON.parse(editJson(text, remove(value)))).toEqual(
          expected(disabled.filter((each) => each !== value)),
        );
      }),
    );
  });
});

function scene(description: TreeDescription, env: Record<string, string> = {}) {
  const tree = new TemporaryTree({ "home/": "", ...description });
  const edit = (...edits: ConfigEdit[]) =>
    editUserConfig({ fs: nodeFileSystem, disk: nodeDisk, env, userHome: tree.at("home") }, edits);
  return { tree, edit, [Symbol.dispose]: () => tree[Symbol.dispose]() };
}

const config = "home/.codelia/config.json";

describe("a change of the user's config.json", () => {
  test("makes the file for the user alone, and is done once", async () => {
    using it = scene({});
    const file = it.tree.at(config);
    expect([await it.edit(remove("x")), existsSync(it.tree.at("home/.codelia"))]).toEqual([
      { file, changed: false },
      false,
    ]);
    expect([await it.edit(add("x")), await it.edit(add("x"))]).toEqual([
      { file, changed: true },
      { file, changed: false },
    ]);
    expect([
      readFileSync(file, "utf8"),
      statSync(file).mode & 0o777,
      readdirSync(it.tree.at("home/.codelia")),
    ]).toEqual(['{\n  "skills": { "disabled": ["x"] }\n}\n', 0o600, ["config.json"]]);
  });

  test("goes through a link, keeps a byte order mark, and closes the file to others", async () => {
    using it = scene({
      "dotfiles/config.json": "\ufeff{}\r\n",
      [config]: { link: "../../dotfiles/config.json" },
    });
    chmodSync(it.tree.at("dotfiles/config.json"), 0o644);
    await it.edit(add("x"));
    expect([
      lstatSync(it.tree.at(config)).isSymbolicLink(),
      readFileSync(it.tree.at("dotfiles/config.json"), "utf8"),
      statSync(it.tree.at("dotfiles/config.json")).mode & 0o777,
    ]).toEqual([true, '\ufeff{\r\n  "skills": { "disabled": ["x"] }\r\n}\r\n', 0o600]);
  });

  test("is made in the file that is in force", async () => {
    using it = scene({ "xdg/": "", "other/codelia/config.json": "{}" });
    const home = { fs: nodeFileSystem, disk: nodeDisk, userHome: it.tree.at("home") };
    const fileFor = async (env: Record<string, string>) =>
      (await editUserConfig({ ...home, env }, [add("x")])).file;
    expect([
      await fileFor({ XDG_CONFIG_HOME: it.tree.at("xdg") }),
      await fileFor({ XDG_CONFIG_HOME: it.tree.at("other") }),
      await fileFor({ CODELIA_HOME: it.tree.at("own") }),
    ]).toEqual([it.tree.at(config), it.tree.at("other/codelia/config.json"), it.tree.at("own/config.json")]);
  });

  test.each([
    ['{ "skills": ', "config.json:1:13: expected a value"],
    ['{ "skills": { "disabled": "x" } }', 'config.json:1:27: skills.disabled: expected an array, found "x"'],
    ["{ // mine\n}", "config.json:1:3: comments are not allowed in JSON"],
    ["[]", "config.json:1:1: expected an object, found a list"],
    [
      new Uint8Array([0x7b, 0xff, 0x7d]),
      "config.json: this file is not UTF-8, so it is not changed; save it as UTF-8",
    ],
    [{ link: "nowhere" }, "config.json: this is a link to nothing; make its target, or remove the link"],
    [{ fifo: true } as const, "config.json: expected a regular file"],
  ])("leaves a file alone that is not valid: %j", async (content, problem) => {
    using it = scene({ [config]: content });
    const error = await it.edit(add("x")).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toBe(`ConfigError: ${it.tree.at("home/.codelia")}/${problem}`);
    if (typeof content === "string") expect(readFileSync(it.tree.at(config), "utf8")).toBe(content);
  });

  test("of several writers at once keeps every one's", async () => {
    using it = scene({});
    const names = ["a", "b", "c"];
    await Promise.all(names.map((name) => it.edit(add(name))));
    const written: unknown = JSON.parse(readFileSync(it.tree.at(config), "utf8"));
    const disabled = ConfigSchema.parse(written).skills?.disabled ?? [];
    expect(new Set(disabled)).toEqual(new Set(names));
  });
});
