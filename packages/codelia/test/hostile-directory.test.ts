import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repository } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

// Made once: the compiled program is what users start inside repositories that they do not know.
const executable = join(mkdtempSync(join(tmpdir(), "codelia-build-")), "codelia");

beforeAll(() => {
  const build = spawnSync(process.execPath, [join(repository, "scripts/build.ts"), executable], {
    encoding: "utf8",
  });
  if (build.status !== 0) throw new Error(build.stderr);
});

afterAll(() => rmSync(dirname(executable), { recursive: true, force: true }));

/** A repository whose files would change the program that is started in it, if that program read them. */
function hostileRepository(): TemporaryTree {
  const tree = new TemporaryTree({ "home/": "", "repo/.git/": "", "repo/AGENTS.md": "evil rules" });
  tree.add({
    "repo/bunfig.toml": 'preload = ["./evil.ts"]\n[test]\npreload = ["./evil.ts"]\n',
    "repo/evil.ts": `await Bun.write(${JSON.stringify(tree.at("ran"))}, "");\n`,
    "repo/.env": `CODELIA_HOME=${tree.at("repo/fake-home")}\nNODE_OPTIONS=--require=./evil.ts\n`,
    "repo/.env.local": `CODELIA_HOME=${tree.at("repo/fake-home")}\n`,
    "repo/fake-home/config.json": '{"agents": {"enabled": false}}',
    "repo/tsconfig.json": '{"compilerOptions": {"paths": {"*": ["./evil.ts"]}}}',
    "repo/package.json": '{"name": "zod", "main": "evil.ts", "type": "commonjs"}',
    "repo/node_modules/zod/index.js": `require("fs").writeFileSync(${JSON.stringify(tree.at("ran"))}, "");\n`,
    "repo/node_modules/zod/package.json": '{"name": "zod", "main": "index.js"}',
  });
  return tree;
}

describe.each([
  ["the executable", () => [executable] as const],
  ["npx codelia in the clone", () => ["node", join(repository, "packages/codelia/bin/codelia.mjs")] as const],
])("%s, started in a hostile directory", (_, program) => {
  test.each([[["--version"]], [["config", "--json"]], [["context", "--json"]], [["models"]]])(
    "%j runs nothing of it and takes no setting from it",
    (args) => {
      using tree = hostileRepository();
      const [file, ...first] = program();
      const run = spawnSync(file, [...first, ...args], {
        cwd: tree.at("repo"),
        encoding: "utf8",
        env: { PATH: process.env.PATH ?? "", HOME: tree.at("home"), PWD: tree.at("repo") },
      });
      expect([run.status, run.stderr, existsSync(tree.at("ran"))]).toEqual([0, "", false]);
      expect(run.stdout).not.toContain("fake-home");
      expect(run.stdout).not.toContain("evil rules");
    },
  );
});
