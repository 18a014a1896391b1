import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import { codelia } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

const Check = z.object({
  workspace: z.string(),
  in_force: z.boolean(),
  kind: z.string().optional(),
  reason: z.string().optional(),
  protections: z.array(z.object({ name: z.string(), holds: z.boolean(), how: z.string() })),
});

const walls = [
  "writes outside the workspace",
  "protected names in the workspace",
  "keys and other agents' homes",
  "network",
  "sockets of services",
  "other processes",
  "no new privileges",
  "resource limits",
  "nothing outlives a command",
];

function project(): TemporaryTree {
  return new TemporaryTree({ "repo/.codelia/": "", "home/": "" });
}

describe("codelia sandbox check", () => {
  test("tries every wall and leaves nothing behind", async () => {
    using tree = project();
    const place = { cwd: tree.at("repo"), home: tree.at("home") };
    const { code, stdout } = await codelia(["sandbox", "check", "--json"], place);
    const { workspace, in_force, kind, protections } = Check.parse(JSON.parse(stdout));
    expect([code, workspace, in_force, kind, protections.map(({ name, holds }) => [name, holds])]).toEqual([
      0,
      tree.at("repo"),
      true,
      "bubblewrap",
      walls.map((name) => [name, true]),
    ]);
    // Bun, which runs the program here, keeps a cache of its own.
    const left = readdirSync(tree.at("home")).filter((name) => name !== ".bun");
    expect([readdirSync(tree.at("repo")), left]).toEqual([[".codelia"], []]);
  });

  test("ends with 1 and says why where there is none", async () => {
    using tree = project();
    const place = { cwd: tree.at("repo"), home: tree.at("home") };
    const { code, stdout } = await codelia(
      ["sandbox", "check", "--json", "-c", "sandbox.enabled=off"],
      place,
    );
    const { in_force, reason, protections } = Check.parse(JSON.parse(stdout));
    expect([code, in_force, reason, protections]).toEqual([1, false, "sandbox.enabled is off", []]);
  });
});

describe("a run with full approval", () => {
  const command = "echo inside > made.txt; echo outside > ../escaped.txt; echo evil > .codelia/config.json";

  function scripted(): TemporaryTree {
    const tree = project();
    tree.add({
      "script.json": JSON.stringify({
        turns: [{ tool_calls: [{ name: "bash", arguments: { command } }] }, { text: "Done." }],
      }),
    });
    return tree;
  }

  async function run(tree: TemporaryTree, ...args: string[]) {
    const { code, stderr } = await codelia(
      ["run", "go", "--trust", "--approval", "full", "-m", `scripted/${tree.at("script.json")}`, ...args],
      { cwd: tree.at("repo"), home: tree.at("home") },
    );
    return [
      code,
      stderr.split("\n").filter((line) => /sandbox/.test(line)),
      ["repo/made.txt", "escaped.txt", "repo/.codelia/config.json"].filter((name) =>
        existsSync(tree.at(name)),
      ),
    ];
  }

  test("writes nothing outside the workspace and no protected name", async () => {
    using tree = scripted();
    expect(await run(tree)).toEqual([0, [], ["repo/made.txt"]]);
    expect(readFileSync(tree.at("repo/made.txt"), "utf8")).toBe("inside\n");
  });

  test("says it when the user switched the sandbox off", async () => {
    using tree = scripted();
    expect(await run(tree, "-c", "sandbox.enabled=off")).toEqual([
      0,
      ["Commands run without a sandbox: sandbox.enabled is off."],
      ["repo/made.txt", "escaped.txt", "repo/.codelia/config.json"],
    ]);
  });

  test("does not run a command silently where the workspace cannot be protected, and ends with 3", async () => {
    using tree = scripted();
    tree.add({ "elsewhere/": "", "repo/.agents": { link: "../elsewhere" } });
    const [code, notices, made] = await run(tree);
    expect([code, notices, made]).toEqual([
      3,
      [
        `There is no sandbox, so every command asks: ${tree.at("repo/.agents")} is a link and cannot be protected. Start Codelia in a directory of its own, with protected names as plain files.`,
        "  denied: Running a command needs approval and nobody can be asked: there is no sandbox to hold it. The user can start the run in a terminal, or see what the sandbox needs: codelia sandbox check.",
      ],
      [],
    ]);
  });

  test("runs no command at all where the sandbox is required and cannot be had", async () => {
    using tree = scripted();
    tree.add({ "elsewhere/": "", "repo/.agents": { link: "../elsewhere" } });
    const [, , made] = await run(tree, "-c", "sandbox.enabled=require");
    expect(made).toEqual([]);
  });
});

test("a known key is in nothing that the model, the stored output or a face gets, also when it comes in pieces", async () => {
  const key = "sk-canary-0123456789";
  using tree = project();
  tree.add({
    "repo/leak.txt": `key: ${key}\n`,
    "script.json": JSON.stringify({
      turns: [
        { tool_calls: [{ name: "read", arguments: { path: "leak.txt" } }] },
        { tool_calls: [{ name: "grep", arguments: { pattern: "sk-" } }] },
        {
          tool_calls: [
            {
              name: "bash",
              arguments: { command: "cut -c 6-12 leak.txt | tr -d '\\n'; sleep 0.2; cut -c 13- leak.txt" },
            },
          ],
        },
        { tool_calls: [{ name: "bash", arguments: { command: 'yes "$(cat leak.txt)" | head -n 20000' } }] },
        { tool_calls: [{ name: "edit", arguments: { path: "leak.txt", old: "key: none", new: "x" } }] },
        { text: "Done." },
      ],
    }),
  });
  const { stdout, stderr } = await codelia(
    ["run", "go", "--json", "--trust", "--approval", "full", "-m", `scripted/${tree.at("script.json")}`],
    { cwd: tree.at("repo"), home: tree.at("home"), env: { ANTHROPIC_API_KEY: key } },
  );
  const stored = new Bun.Glob("**/*").scanSync({ cwd: tree.at("home/.codelia"), onlyFiles: true });
  const kept = [...stored].map((name) => readFileSync(tree.at("home/.codelia", name), "utf8"));
  expect([stdout, stderr, ...kept].filter((text) => text.includes(key))).toEqual([]);
  // The journal, and the long output beside it; all five calls had the key in what they would have said.
  expect([kept.length, stdout.split("[redacted: ANTHROPIC_API_KEY]").length > 5]).toEqual([2, true]);
});
