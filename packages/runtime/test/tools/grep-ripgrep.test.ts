import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { createGrepTool } from "../../src/tools/grep.ts";
import {
  createRipgrepLocator,
  isInstalledWith,
  parsePathFilter,
  parsePattern,
  searchWithRipgrep,
} from "../../src/tools/search/index.ts";
import { environmentAt, runTool } from "./tool-run.ts";

describe("finding ripgrep", () => {
  const script = "#!/bin/sh\necho 'ripgrep 99.0.0'\n";

  test("takes none from the workspace, wherever the PATH leads", async () => {
    using tree = new TemporaryTree({ "bin/rg": script, "outside/": "" });
    chmodSync(tree.at("bin/rg"), 0o755);
    const environment = {
      ...environmentAt(tree.path, { PATH: `bin:${tree.at("bin")}` }),
      // With the whole disk as workspace the bundled one lies in it, too.
      workspace: "/",
    };
    expect(await createRipgrepLocator(environment)()).toBeUndefined();
  });

  test.each([
    ["/app/packages/runtime/src/x.ts", "/app/node_modules/@vscode/ripgrep-linux-x64/bin/rg", true],
    ["/lib/node_modules/codelia/x.js", "/lib/node_modules/@vscode/ripgrep-linux-x64/bin/rg", true],
    ["/$bunfs/root/codelia", "/home/me/node_modules/@vscode/ripgrep-linux-x64/bin/rg", false],
    ["/app2/x.ts", "/app/node_modules/@vscode/ripgrep-linux-x64/bin/rg", false],
    ["/app/x.ts", "/app/cache/@vscode/ripgrep-linux-x64/bin/rg", false],
  ])("a program at %s has installed %s: %p", (program, binary, expected) => {
    expect(isInstalledWith(program, binary)).toBe(expected);
  });

  test("searches without ripgrep when it breaks, with the same result", async () => {
    using tree = new TemporaryTree({ a: "foo" });
    using bin = new TemporaryTree({ rg: "#!/bin/sh\necho broken >&2\nexit 2\n" });
    chmodSync(bin.at("rg"), 0o755);
    const tool = createGrepTool(environmentAt(tree.path), { ripgrep: () => Promise.resolve(bin.at("rg")) });
    expect(await runTool(tool, { pattern: "foo" })).toBe("a:1:foo\n");
  });

  test("ripgrep is run with fixed flags and without its configuration", async () => {
    using tree = new TemporaryTree({ a: "foo" });
    using bin = new TemporaryTree({
      rg: `#!/bin/sh\nprintf "%s " "$@" "\${RIPGREP_CONFIG_PATH-none}" >&2\nexit 2\n`,
    });
    chmodSync(bin.at("rg"), 0o755);
    const rg = { path: bin.at("rg"), env: { RIPGREP_CONFIG_PATH: "/x" } };
    const request = {
      pattern: parsePattern("{-x", true),
      context: 2,
      root: tree.path,
      file: undefined,
      filter: parsePathFilter("src/*.ts", tree.path),
      signal: new AbortController().signal,
    };
    const sink = { line: () => undefined, endFile: () => Promise.resolve(true) };
    const run = searchWithRipgrep(rg, request, sink).catch((error: unknown) => String(error));
    expect(await run).toBe(
      "RipgrepError: --json --crlf --no-mmap --no-config --no-ignore-global --no-ignore-exclude --sort=path " +
        "--glob=!.git --ignore-case --context 2 --type-add asked:*.ts --type asked " +
        "--max-filesize 67108864 -e \\{-x -- ./ none",
    );
  });

  test("ripgrep sees neither a configuration file nor flags in a pattern", async () => {
    using tree = new TemporaryTree({ config: "--invert-match\n", a: "--files foo\n" });
    const env = { PATH: process.env.PATH ?? "", RIPGREP_CONFIG_PATH: tree.at("config") };
    const tool = createGrepTool(environmentAt(tree.path, env));
    expect(await runTool(tool, { pattern: "--files", glob: "a" })).toBe("a:1:--files foo\n");
  });
});
