import { describe, expect, test } from "bun:test";
import {
  ConfigError,
  defaultSettings,
  environmentLayer,
  flagLayer,
  type Layer,
  mergeLayers,
  readFileLayer,
} from "@codelia/config";
import { nodeFileSystem } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";

async function layer(tree: TemporaryTree, name: "user" | "project", file: string): Promise<Layer> {
  const read = await readFileLayer(nodeFileSystem, tree.at(file), name);
  if (read === undefined) throw new Error(`${file} is missing`);
  return read;
}

describe("layers", () => {
  test("each layer overrides the one below it, key by key, and every value knows its source", async () => {
    using tree = new TemporaryTree({
      "user.json":
        '{ "agents": { "initial": { "maxBytes": 1, "maxFiles": 2 }, "fallbackFilenames": ["U.md"] } }',
      "project.json": '{\n  "agents": {\n    "initial": { "maxBytes": 3 }\n  }\n}',
    });
    const settings = mergeLayers([
      await layer(tree, "user", "user.json"),
      await layer(tree, "project", "project.json"),
      environmentLayer({ CODELIA_AGENTS_MARKERS: " .hg , ROOT,", CODELIA_AGENTS_ROOT: "" }),
      flagLayer([{ written: "-c agents.initial.role=user", key: "agents.initial.role", value: "user" }]),
    ]);
    expect(settings.values).toEqual({
      agents: {
        ...defaultSettings.agents,
        root: { markers: [".hg", "ROOT"], stopAtFsRoot: true },
        fallbackFilenames: ["U.md"],
        initial: { maxBytes: 3, maxFiles: 2, role: "user" },
      },
      models: { maxAttempts: 6, providers: {}, prices: {} },
      context: { compactAt: 0.85 },
      mcp: { deferAbove: 0.05, clientNetwork: [], servers: {} },
      permissions: defaultSettings.permissions,
      sandbox: defaultSettings.sandbox,
      skills: defaultSettings.skills,
      tui: defaultSettings.tui,
      issues: defaultSettings.issues,
    });
    expect(settings.entries.map(({ key, source }) => [key, source])).toEqual([
      ["agents.enabled", { layer: "default" }],
      ["agents.fallbackFilenames", { layer: "user", name: tree.at("user.json"), line: 1, column: 81 }],
      ["agents.home.enabled", { layer: "default" }],
      ["agents.initial.maxBytes", { layer: "project", name: tree.at("project.json"), line: 3, column: 30 }],
      ["agents.initial.maxFiles", { layer: "user", name: tree.at("user.json"), line: 1, column: 55 }],
      ["agents.initial.role", { layer: "flag", name: "-c agents.initial.role=user" }],
      ["agents.resolver.enabled", { layer: "default" }],
      ["agents.resolver.inline.maxBytes", { layer: "default" }],
      ["agents.resolver.maxFilesPerResolve", { layer: "default" }],
      ["agents.root.markers", { layer: "environment", name: "CODELIA_AGENTS_MARKERS" }],
      ["agents.root.stopAtFsRoot", { layer: "default" }],
      ["context.compactAt", { layer: "default" }],
      ["issues.finalise.addLabels", { layer: "default" }],
      ["issues.finalise.comment", { layer: "default" }],
      ["issues.finalise.commit", { layer: "default" }],
      ["issues.finalise.draft", { layer: "default" }],
      ["issues.finalise.merge", { layer: "default" }],
      ["issues.finalise.removeLabels", { layer: "default" }],
      ["issues.github.apiUrl", { layer: "default" }],
      ["issues.github.projects", { layer: "default" }],
      ["issues.remote", { layer: "default" }],
      ["issues.source", { layer: "default" }],
      ["mcp.clientNetwork", { layer: "default" }],
      ["mcp.deferAbove", { layer: "default" }],
      ["models.maxAttempts", { layer: "default" }],
      ["models.prices", { layer: "default" }],
      ["models.providers", { layer: "default" }],
      ["permissions.allow", { layer: "default" }],
      ["permissions.deny", { layer: "default" }],
      ["sandbox.enabled", { layer: "default" }],
      ["sandbox.hiddenPaths", { layer: "default" }],
      ["sandbox.limits.fileSizeMiB", { layer: "default" }],
      ["sandbox.limits.openFiles", { layer: "default" }],
      ["sandbox.limits.processes", { layer: "default" }],
      ["sandbox.network.allowHosts", { layer: "default" }],
      ["sandbox.writablePaths", { layer: "default" }],
      ["skills.disabled", { layer: "default" }],
      ["skills.enabled", { layer: "default" }],
      ["skills.initial.maxBytes", { layer: "default" }],
      ["skills.initial.maxEntries", { layer: "default" }],
      ["skills.search.defaultLimit", { layer: "default" }],
      ["skills.search.maxLimit", { layer: "default" }],
      ["tui.keys", { layer: "default" }],
      ["tui.plain", { layer: "default" }],
      ["tui.theme", { layer: "default" }],
    ]);
  });

  test("of the sandbox a project may take away and add nothing", async () => {
    using tree = new TemporaryTree({
      "user.json": JSON.stringify({
        sandbox: {
          network: { allowHosts: ["a.org", "b.org"] },
          writablePaths: ["/cache", "~/.m2"],
          hiddenPaths: ["~/notes"],
          limits: { processes: 100 },
        },
      }),
      "narrower.json": JSON.stringify({
        sandbox: {
          enabled: "require",
          network: { allowHosts: ["b.org"] },
          writablePaths: [],
          hiddenPaths: ["~/notes", "/secret"],
          limits: { processes: 50, memoryMiB: 1000 },
        },
      }),
      "wider.json": JSON.stringify({
        sandbox: {
          enabled: "off",
          network: { allowHosts: ["evil.org"] },
          writablePaths: ["/"],
          hiddenPaths: [],
          limits: { processes: 101, fileSizeMiB: 1000000 },
        },
      }),
    });
    const user = await layer(tree, "user", "user.json");
    const narrower = mergeLayers([user, await layer(tree, "project", "narrower.json")]);
    const wider = mergeLayers([user, await layer(tree, "project", "wider.json")]);
    expect([narrower.values.sandbox, narrower.refused, wider.values.sandbox]).toEqual([
      {
        enabled: "require",
        network: { allowHosts: ["b.org"] },
        writablePaths: [],
        hiddenPaths: ["~/notes", "/secret"],
        limits: { ...defaultSettings.sandbox.limits, processes: 50, memoryMiB: 1000 },
      },
      [],
      {
        enabled: "auto",
        network: { allowHosts: ["a.org", "b.org"] },
        writablePaths: ["/cache", "~/.m2"],
        hiddenPaths: ["~/notes"],
        limits: { ...defaultSettings.sandbox.limits, processes: 100 },
      },
    ]);
    expect(wider.refused.map(({ key }) => key)).toEqual([
      "sandbox.enabled",
      "sandbox.network.allowHosts",
      "sandbox.writablePaths",
      "sandbox.hiddenPaths",
      "sandbox.limits.processes",
      "sandbox.limits.fileSizeMiB",
    ]);
  });

  test("an undefined value never overwrites a defined one", () => {
    const flags = [
      { written: "a", key: "agents.initial.maxBytes", value: 5 },
      { written: "b", key: "agents.initial.maxFiles", value: undefined },
    ];
    const { values } = mergeLayers([
      flagLayer(flags),
      flagLayer([{ written: "c", key: "agents.initial", value: {} }]),
    ]);
    expect(values.agents.initial).toEqual({ maxBytes: 5, maxFiles: 64, role: "system" });
  });

  test("a project cannot move the root or switch the user's instructions off", async () => {
    using tree = new TemporaryTree({
      "p.json": `{"agents": {"enabled": false, "root": {"markers": ["x"]}, "home": {"enabled": false}, "initial": {"maxFiles": 3}}}`,
    });
    const settings = mergeLayers([await layer(tree, "project", "p.json")]);
    expect(settings.refused.map(({ key }) => key)).toEqual([
      "agents.enabled",
      "agents.root.markers",
      "agents.home.enabled",
    ]);
    expect(settings.values).toEqual({
      ...defaultSettings,
      agents: { ...defaultSettings.agents, initial: { ...defaultSettings.agents.initial, maxFiles: 3 } },
    });
  });

  test("a project cannot say where a conversation or a key is sent", async () => {
    using tree = new TemporaryTree({
      "p.json": '{"models": {"default": "x/y", "providers": {"openai": {"baseUrl": "http://evil.example"}}}}',
    });
    const settings = mergeLayers([await layer(tree, "project", "p.json")]);
    expect([settings.values.models, settings.refused.map(({ key }) => key)]).toEqual([
      defaultSettings.models,
      ["models.default", "models.providers"],
    ]);
  });

  test("providers and prices are one value each, whatever their keys look like", async () => {
    const models = {
      providers: { "a.b": { baseUrl: "http://127.0.0.1:1/v1" } },
      prices: { "m-4.1": { input: 1, output: 2 } },
    };
    using tree = new TemporaryTree({ "u.json": JSON.stringify({ models }) });
    expect(mergeLayers([await layer(tree, "user", "u.json")]).values.models).toEqual({
      maxAttempts: 6,
      ...models,
    });
  });

  test("a lone comma in CODELIA_AGENTS_MARKERS means no markers", () => {
    expect(
      mergeLayers([environmentLayer({ CODELIA_AGENTS_MARKERS: "," })]).values.agents.root.markers,
    ).toEqual([]);
  });

  test("a missing file is no layer", async () => {
    expect(await readFileLayer(nodeFileSystem, "/nowhere/config.json", "user")).toBeUndefined();
  });
});

describe("bad config", () => {
  const deep = "[".repeat(200_000);
  test.each([
    ["a trailing comma", '{\n  "agents": {},\n}', "2:15: remove this comma: nothing follows it"],
    ["a missing comma", '{"agents": {} "x": 1}', "1:15: expected a comma"],
    ["a comment", "{} // no", "1:4: comments are not allowed in JSON"],
    ["an open string", '{"agents', "1:2: a string is not closed"],
    ["nothing", "", "1:1: expected a value"],
    ["a duplicate key", '{"agents": {},\n "agents": {}}', '2:2: the key "agents" is given twice'],
    ["brackets without end", deep, "1:1: the values are nested too deeply"],
    ["a list", "[]", "1:1: expected an object, found a list"],
    [
      "a wrong type",
      '{"agents": {\n "initial": {"maxBytes": "8k"}}}',
      '2:26: agents.initial.maxBytes: expected a number, found "8k"',
    ],
    [
      "a fraction",
      '{"agents": {"initial": {"maxBytes": 1.5}}}',
      "1:37: agents.initial.maxBytes: expected a whole number, found 1.5",
    ],
    [
      "a negative number",
      '{"agents": {"initial": {"maxBytes": -1}}}',
      "1:37: agents.initial.maxBytes: expected a number of at least 0, found -1",
    ],
    [
      "zero files",
      '{"agents": {"initial": {"maxFiles": 0}}}',
      "1:37: agents.initial.maxFiles: expected a number greater than 0, found 0",
    ],
    [
      "a wrong word",
      '{"agents": {"initial": {"role": "x"}}}',
      '1:33: agents.initial.role: expected one of "system", "user", found "x"',
    ],
    [
      "an unknown key",
      '{"agents": {\n  "intial": {}}}',
      "2:3: agents.intial: unknown key; known here: enabled, root, fallbackFilenames, home, initial, resolver",
    ],
    [
      "a prototype key",
      '{"__proto__": {"x": 1}}',
      "1:2: __proto__: unknown key; known here: $schema, agents, models, context, mcp, permissions, sandbox, skills, tui, issues",
    ],
    [
      "a path as a file name",
      '{"agents": {"fallbackFilenames": ["a", "../b"]}}',
      '1:40: agents.fallbackFilenames.1: expected a plain file name without a path, found "../b"',
    ],
  ])("%s is shown with its place", async (_, text, message) => {
    using tree = new TemporaryTree({ "config.json": text });
    const error: unknown = await readFileLayer(nodeFileSystem, tree.at("config.json"), "user").catch(
      (problem: unknown) => problem,
    );
    expect(error instanceof ConfigError ? error.message : error).toBe(`${tree.at("config.json")}:${message}`);
  });

  test("all problems of a file are shown at once", async () => {
    using tree = new TemporaryTree({ "c.json": '{"a": 1, "agents": {"enabled": "yes"}}' });
    const error = await readFileLayer(nodeFileSystem, tree.at("c.json"), "user").catch(
      (problem: unknown) => problem,
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect(
      error instanceof ConfigError ? error.problems.map(({ key, line, column }) => [key, line, column]) : [],
    ).toEqual([
      ["agents.enabled", 1, 32],
      ["a", 1, 2],
    ]);
  });

  test("a flag is named as it was written", () => {
    const flag = {
      written: "-c agents.initial.maxBytes=many",
      key: "agents.initial.maxBytes",
      value: "many",
    };
    expect(() => flagLayer([flag])).toThrow(
      '-c agents.initial.maxBytes=many: agents.initial.maxBytes: expected a number, found "many"',
    );
    expect(() => flagLayer([{ written: "-c __proto__.x=1", key: "__proto__.x", value: 1 }])).toThrow(
      "__proto__: unknown key",
    );
    expect(Object.prototype).not.toHaveProperty("x");
  });

  test("a FIFO, a directory and a file of two megabytes are refused without hanging", async () => {
    using tree = new TemporaryTree({
      fifo: { fifo: true },
      "directory/": "",
      large: " ".repeat(2 * 1024 * 1024),
    });
    const messages = await Promise.all(
      ["fifo", "directory", "large"].map(async (name) => {
        const error: unknown = await readFileLayer(nodeFileSystem, tree.at(name), "user").catch(
          (problem: unknown) => problem,
        );
        return error instanceof ConfigError ? error.message.replace(tree.path, "") : error;
      }),
    );
    expect(messages).toEqual([
      "/fifo: expected a regular file",
      "/directory: expected a regular file",
      "/large: expected at most 1048576 bytes",
    ]);
  });
});
