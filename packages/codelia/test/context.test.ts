import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { ContextInspectResultSchema } from "@codelia/protocol";
import { codelia, repository } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";
import manifest from "../package.json";

function project(): TemporaryTree {
  return new TemporaryTree({
    "home/.codelia/AGENTS.md": "Be brief.\n",
    "repo/.git/": "",
    "repo/AGENTS.md": "Root rules.\n",
    "repo/web/AGENTS.md": "Web rules.\n",
    "repo/web/AGENTS.override.md": "My web rules.\n",
    "repo/api/AGENTS.md": "Api rules.\n",
    "repo/api/src/main.ts": "",
  });
}

describe("codelia context", () => {
  test("shows the root with its rule, the files with their bytes, what was skipped and what a path would add", async () => {
    using tree = project();
    const run = await codelia(["context", "--trust", "../api/src/main.ts"], {
      cwd: tree.at("repo/web"),
      home: tree.at("home"),
    });
    const repo = tree.at("repo");
    const mtime = Math.trunc(statSync(tree.at("repo/api/AGENTS.md")).mtimeMs);
    const stdout = run.stdout.replaceAll(/sha256 [0-9a-f]{12}/g, "sha256 …").replaceAll(/ +$/gm, "");
    const padding = " ".repeat(4);
    expect({ ...run, stdout }).toEqual({
      code: 0,
      stderr: "",
      stdout: `root   ${repo}${padding}  nearest directory that holds .git
cwd    ${repo}/web
trust  trusted for this run only

Sent at session start: 3 files, 26 of at most 32768 project bytes, in one system message
  ${column(tree.at("home/.codelia/AGENTS.md"), tree)}  10 bytes  whole  sha256 …  home
  ${column("AGENTS.md", tree)}  12 bytes  whole  sha256 …
  ${column("web/AGENTS.override.md", tree)}  14 bytes  whole  sha256 …  override

Not used
  web/AGENTS.md  shadowed by web/AGENTS.override.md

A tool call on api/src/main.ts adds this to its result:
  <system-reminder type="agents.resolve.paths">
  Additional AGENTS.md may apply for this path:
  - ${repo}/api/AGENTS.md (mtime: ${mtime})
  Read and apply these files before editing files in this scope.
  </system-reminder>
`,
    });
  });

  test("--show prints exactly the bytes that would be sent", async () => {
    using tree = project();
    const run = await codelia(["context", "--trust", "--show"], {
      cwd: tree.at("repo"),
      home: tree.at("home"),
    });
    expect(run).toEqual({
      code: 0,
      stderr: "",
      stdout: `<agents_context scope="initial">
Instructions from: ${tree.at("home/.codelia/AGENTS.md")}
Be brief.

Instructions from: ${tree.at("repo/AGENTS.md")}
Root rules.
</agents_context>`,
    });
  });

  test("--json is the protocol's result, with the same text", async () => {
    using tree = project();
    const options = { cwd: tree.at("repo"), home: tree.at("home") };
    const shown = await codelia(["context", "--trust", "--show"], options);
    const json = await codelia(["context", "--trust", "--json", "api"], options);
    const result = ContextInspectResultSchema.parse(JSON.parse(json.stdout));
    expect(result.agents.text).toBe(shown.stdout);
    expect(result.resolve?.files.map(({ path }) => path)).toEqual([tree.at("repo/api/AGENTS.md")]);
  });

  test("--tree draws the hierarchy with the bytes each directory inherits", async () => {
    using tree = project();
    const run = await codelia(["context", "--tree", "--trust"], {
      cwd: tree.at("repo/api/src"),
      home: tree.at("home"),
    });
    const pad = " ".repeat(tree.at("repo").length - "├─ web".length);
    expect(run.stdout).toBe(`${" ".repeat(tree.at("repo").length)}  own  inherits
${tree.at("repo")}   12        12  AGENTS.md
├─ api${pad}   11        23  AGENTS.md
└─ web${pad}   14        26  AGENTS.override.md (override)

3 files in 4 directories, trusted for this run only; home adds 10 bytes everywhere.

Not used
  web/AGENTS.md  shadowed by web/AGENTS.override.md
`);
  });

  test("an untrusted project is shown as such, with the way to trust it", async () => {
    using tree = project();
    const options = { cwd: tree.at("repo"), home: tree.at("home") };
    const before = await codelia(["context", "--show"], options);
    expect(before.stdout).not.toContain("Root rules");
    expect(before.stderr).toContain(`codelia trust ${tree.at("repo")}`);
    expect((await codelia(["trust"], options)).code).toBe(0);
    expect((await codelia(["context", "--show"], options)).stdout).toContain("Root rules");
    expect((await codelia(["trust", "--list"], options)).stdout).toStartWith(`${tree.at("repo")}  since `);
    expect((await codelia(["trust", "--remove"], options)).stdout).toBe(
      `No longer trusted: ${tree.at("repo")}\n`,
    );
    expect((await codelia(["trust", "--remove"], options)).code).toBe(1);
    expect((await codelia(["context", "--show"], options)).stdout).not.toContain("Root rules");
  });

  test("a project's own settings count only when it is trusted, and never move the root", async () => {
    using tree = project();
    tree.add({
      "repo/.codelia/config.json":
        '{"agents": {"fallbackFilenames": ["RULES.md"], "root": {"markers": ["x"]}}}',
      "repo/lib/RULES.md": "Lib rules.",
    });
    const options = { cwd: tree.at("repo/lib"), home: tree.at("home") };
    const untrusted = await codelia(["context"], options);
    const trusted = await codelia(["context", "--trust"], options);
    expect(untrusted.stdout).not.toContain("RULES.md");
    expect(trusted.stdout).toContain("lib/RULES.md");
    expect(trusted.stdout).toContain(
      `${tree.at("repo/.codelia/config.json")}:1:68: agents.root.markers is not used: a project may not set it`,
    );
  });
});

describe("bad input", () => {
  test.each([
    [["nonsense"], 2, "codelia: unknown command 'nonsense'\nSee: codelia help\n"],
    [["context", "--nonsense"], 2, "codelia: Unknown option '--nonsense'\nSee: codelia help context\n"],
    [["context", "a", "b"], 2, "codelia: expected one path, found 2\nSee: codelia help context\n"],
    [
      ["context", "-c", "x"],
      2,
      "codelia: -c x: expected KEY=VALUE, as in -c agents.initial.maxBytes=4096\nSee: codelia help context\n",
    ],
    [
      ["context", "--show", "--json"],
      2,
      "codelia: --show prints the text alone: leave out --tree and --json\nSee: codelia help context\n",
    ],
    [
      ["context", "-C", "/nowhere"],
      1,
      "codelia: /nowhere: the working directory does not exist\nChange to an existing directory, or name one with -C DIR.\n",
    ],
    [
      ["context", "--root", "/nowhere"],
      1,
      "codelia: /nowhere: the root override does not exist\nCorrect --root, CODELIA_AGENTS_ROOT or agents.root.projectRootOverride, or remove it to search for a marker.\n",
    ],
    [
      ["context", "-c", "agents.initial.maxBytes=lots"],
      1,
      'codelia: -c agents.initial.maxBytes=lots: agents.initial.maxBytes: expected a number, found "lots"\nCorrect the settings above and run the command again.\n',
    ],
  ])("%j ends with %i and says what to do", async (args, code, stderr) => {
    using tree = project();
    expect(await codelia(args, { cwd: tree.at("repo"), home: tree.at("home") })).toEqual({
      code,
      stdout: "",
      stderr,
    });
  });

  test("a config of the wrong type stops every command with file, line and column", async () => {
    using tree = project();
    tree.add({ "home/.codelia/config.json": '{\n  "agents": []\n}' });
    const runs = await Promise.all(
      [["context"], ["config"], ["trust"]].map((args) =>
        codelia(args, { cwd: tree.at("repo"), home: tree.at("home") }),
      ),
    );
    expect(runs.map(({ code, stdout, stderr }) => [code, stdout, stderr.split("\n")[0]])).toEqual(
      runs.map(() => [
        1,
        "",
        `codelia: ${tree.at("home/.codelia/config.json")}:2:13: agents: expected an object, found a list`,
      ]),
    );
  });

  test("a working directory that was deleted is named, and -C still works", async () => {
    using tree = project();
    mkdirSync(tree.at("gone"));
    const main = join(repository, "packages/codelia/src/main.ts");
    const script = `cd "${tree.at("gone")}" && rmdir "${tree.at("gone")}" && exec "$@"`;
    const run = (...args: string[]) =>
      spawnSync("sh", ["-c", script, "sh", process.execPath, main, ...args], {
        encoding: "utf8",
        env: { PATH: process.env.PATH ?? "", HOME: tree.at("home") },
      });
    const relative = run("context");
    mkdirSync(tree.at("gone"), { recursive: true });
    const absolute = run("context", "-C", tree.at("repo"));
    rmSync(tree.at("gone"), { recursive: true, force: true });
    expect([relative.status, relative.stdout, relative.stderr]).toEqual([
      1,
      "",
      "codelia: the working directory no longer exists: change to another one, or name one with -C DIR\n",
    ]);
    expect([absolute.status, absolute.stderr]).toEqual([0, ""]);
  });

  test("a path too long for the system is refused by name", async () => {
    using tree = project();
    const run = await codelia(["context", "-C", `/tmp${"/d".repeat(10_000)}`], {
      cwd: tree.at("repo"),
      home: tree.at("home"),
    });
    expect([run.code, run.stdout, run.stderr.slice(-114)]).toEqual([
      1,
      "",
      "/d: the path is longer than this system allows (ENAMETOOLONG)\nChange to an existing directory, or name one with -C DIR.\n".slice(
        -114,
      ),
    ]);
  });

  test("an AGENTS.md of one gigabyte is cut", async () => {
    using tree = project();
    truncateSync(tree.at("repo/AGENTS.md"), 1024 ** 3);
    const child = Bun.spawn(
      [process.execPath, join(repository, "packages/codelia/src/main.ts"), "context", "--trust", "--json"],
      {
        cwd: tree.at("repo"),
        env: { HOME: tree.at("home") },
        stdout: "pipe",
      },
    );
    const result = ContextInspectResultSchema.parse(await new Response(child.stdout).json());
    await child.exited;
    expect(
      result.agents.files.map(({ status, kept_bytes, total_bytes }) => [status, kept_bytes, total_bytes]),
    ).toEqual([
      ["whole", 10, 10],
      ["cut", 32768, 1024 ** 3],
    ]);
  });

  test("control characters in names are shown, never acted on", async () => {
    using tree = project();
    const odd = "x\u001b]52;c;Zm9v\u0007\ny";
    tree.add({ [`repo/${odd}/AGENTS.md`]: "odd \u001b[31mred" });
    const run = await codelia(["context", "--trust"], { cwd: tree.at("repo", odd), home: tree.at("home") });
    expect(run.stdout).toContain('"x\\u001b]52;c;Zm9v\\u0007\\ny/AGENTS.md"');
    expect(acting(run.stdout)).toEqual([]);
    const json = await codelia(["context", "--trust", "--json"], {
      cwd: tree.at("repo", odd),
      home: tree.at("home"),
    });
    expect(acting(json.stdout)).toEqual([]);
  });
});

test("--version says the version and loads neither the command line nor the runtime", async () => {
  const main = join(repository, "packages/codelia/src/main.ts");
  const build = await Bun.build({ entrypoints: [main], splitting: true, target: "bun", format: "esm" });
  const entry = build.outputs.find(({ kind }) => kind === "entry-point");
  using tree = new TemporaryTree({});
  expect(await codelia(["--version"], { cwd: tree.path, home: tree.path })).toEqual({
    code: 0,
    stdout: `${manifest.version}\n`,
    stderr: "",
  });
  const source = (await entry?.text()) ?? "";
  expect(source).not.toMatch(/^import .* from/m);
  expect(source.length).toBeLessThan(4096);
});

function column(text: string, tree: TemporaryTree): string {
  return text.padEnd(tree.at("home/.codelia/AGENTS.md").length);
}

function acting(text: string): string[] {
  return text.match(/(?!\n)[\p{Cc}\p{Cf}]/gu) ?? [];
}
