// Each thing that `codelia doctor` finds is broken here for real: by mounts, files, servers and other programs.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { methods, type Result } from "@codelia/protocol";
import { rgPath } from "@vscode/ripgrep";
import { codelia, type RunOptions } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { version } from "../src/version.ts";

type Findings = Result<"doctor.check">["findings"];

/** A provider that knows one key. */
let provider: ReturnType<typeof Bun.serve>;

beforeAll(() => {
  provider = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      if (request.headers.get("x-api-key") !== "the-valid-key") return new Response("{}", { status: 401 });
      if (pathname !== "/v1/models") return new Response("{}", { status: 404 });
      return Response.json({ data: [{ id: "claude-sonnet-5-5" }] });
    },
  });
});

afterAll(() => provider.stop(true));

class Desk implements Disposable {
  readonly tree = new TemporaryTree({ "repo/.codelia/": "", "home/": "", "bin/": "" });

  get env(): Record<string, string> {
    return { ANTHROPIC_BASE_URL: `http://127.0.0.1:${provider.port}`, ANTHROPIC_API_KEY: "the-valid-key" };
  }

  /** @output the exit code and all that is not well */
  async doctor(
    args: readonly string[] = ["--trust", "-c", "sandbox.enabled=off"],
    options: Partial<RunOptions> = {},
  ): Promise<[code: number, Findings]> {
    const place = { cwd: this.tree.at("repo"), home: this.tree.at("home"), env: this.env, ...options };
    const { code, stdout, stderr } = await codelia(["doctor", "--json", ...args], place);
    if (stderr !== "") throw new Error(stderr);
    const { findings } = methods["doctor.check"].result.parse(JSON.parse(stdout));
    return [
      code,
      findings.filter(({ level, text }) => level !== "ok" && !/sandbox.enabled is off/.test(text)),
    ];
  }

  /** A program named codelia that says a version. */
  install(folder: string, says: string): string {
    mkdirSync(this.tree.at(folder), { recursive: true });
    const path = this.tree.at(folder, "codelia");
    writeFileSync(path, `#!/bin/sh\n[ "$*" = --version ] && echo ${says}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  path(...folders: string[]): string {
    return [...folders.map((folder) => this.tree.at(folder)), process.env.PATH ?? ""].join(":");
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

/** The same machine with some files mounted over. */
function mounted(...mounts: string[]): string[] {
  return [Bun.which("bwrap") ?? "bwrap", "--dev-bind", "/", "/", ...mounts, "--"];
}

test("a machine on which all is well ends with 0, and nothing is left behind", async () => {
  using desk = new Desk();
  expect(await desk.doctor(["--trust"])).toEqual([0, []]);
  const left = readdirSync(desk.tree.at("home")).filter((name) => name !== ".bun");
  expect([left, readdirSync(desk.tree.at("repo"))]).toEqual([[], [".codelia"]]);
});

describe("codelia doctor finds", () => {
  test("that there is no model", async () => {
    using desk = new Desk();
    expect(await desk.doctor(undefined, { env: {} })).toEqual([
      1,
      [
        {
          about: "model",
          level: "problem",
          text: "No model can be used",
          fix: "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start a local server (Ollama, llama.cpp, LM Studio).",
        },
      ],
    ]);
  });

  test("a key that the provider refuses, without showing it", async () => {
    using desk = new Desk();
    const env = { ...desk.env, ANTHROPIC_API_KEY: "a-wrong-key" };
    const [code, findings] = await desk.doctor(undefined, { env });
    expect([code, findings]).toEqual([
      1,
      [
        {
          about: "provider",
          level: "problem",
          text: `anthropic refuses the key in ANTHROPIC_API_KEY (401 from http://127.0.0.1:${provider.port}/v1)`,
          fix: "Put a valid key into ANTHROPIC_API_KEY. A key of another provider, or one that was revoked, is refused so.",
        },
      ],
    ]);
    expect(JSON.stringify(findings)).not.toContain("a-wrong-key");
  });

  test("a provider that the user configured and that does not answer", async () => {
    using desk = new Desk();
    const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    await gone.stop(true);
    const provided = { mine: { baseUrl: `http://127.0.0.1:${gone.port}/v1` } };
    desk.tree.add({ "home/.codelia/config.json": JSON.stringify({ models: { providers: provided } }) });
    const [code, findings] = await desk.doctor();
    expect([code, findings.map(({ about, level, fix }) => ({ about, level, fix }))]).toEqual([
      0,
      [
        {
          about: "provider",
          level: "warning",
          fix: "Start the server, or take models.providers.mine out of your settings.",
        },
      ],
    ]);
  });

  test("a model that its provider does not have", async () => {
    using desk = new Desk();
    const args = ["--trust", "-c", "sandbox.enabled=off", "-c", "models.default=anthropic/claude-none"];
    expect(await desk.doctor(args)).toEqual([
      0,
      [
        {
          about: "model",
          level: "warning",
          text: "anthropic/claude-none would be used, and its provider does not list it",
          fix: "Set models.default to one that it lists, for example anthropic/claude-sonnet-5-5.",
        },
      ],
    ]);
  });

  test("that there is no sandbox", async () => {
    using desk = new Desk();
    const through = mounted("--ro-bind", "/dev/null", "/usr/bin/bwrap");
    expect(await desk.doctor(["--trust"], { through })).toEqual([
      1,
      [
        {
          about: "sandbox",
          level: "problem",
          text: "no sandbox, so every command asks: bubblewrap (bwrap) is not installed",
          fix: "Debian, Ubuntu: apt-get install bubblewrap socat. Fedora: dnf install bubblewrap socat. Arch: pacman -S bubblewrap socat.",
        },
      ],
    ]);
  });

  test("that there is no ripgrep", async () => {
    using desk = new Desk();
    const through = mounted("--ro-bind", "/dev/null", rgPath);
    expect(
      await desk.doctor(undefined, { through, env: { ...desk.env, PATH: desk.tree.at("bin") } }),
    ).toEqual([
      0,
      [
        {
          about: "ripgrep",
          level: "warning",
          text: "there is no ripgrep 13 or newer: grep and glob find the same, but slower",
          fix: "Install it. Debian, Ubuntu: apt-get install ripgrep. Fedora: dnf install ripgrep. macOS: brew install ripgrep.",
        },
      ],
    ]);
  });

  test("a project that is not trusted", async () => {
    using desk = new Desk();
    const repo = desk.tree.at("repo");
    expect(await desk.doctor(["-c", "sandbox.enabled=off"])).toEqual([
      1,
      [
        {
          about: "trust",
          level: "problem",
          text: `${repo} is not trusted: nothing of it is used, and no run starts in it`,
          fix: `Look at what it holds (codelia context --trust), then: codelia trust ${repo}`,
        },
      ],
    ]);
  });

  test("all that is wrong in a config file, and still looks at everything else", async () => {
    using desk = new Desk();
    const file = desk.tree.at("home/.codelia/config.json");
    desk.tree.add({ "home/.codelia/config.json": '{\n  "agents": {"initial": {"maxBytes": "much"}},\n' });
    const [code, findings] = await desk.doctor(["-c", "sandbox.enabled=off"], {
      env: { ...desk.env, ANTHROPIC_API_KEY: "a-wrong-key" },
    });
    expect([code, findings.map(({ about, level }) => [about, level])]).toEqual([
      1,
      [
        ["config", "problem"],
        ["trust", "problem"],
        ["provider", "problem"],
      ],
    ]);
    expect([findings[0]?.text.startsWith(`${file}:3:1: `), findings[0]?.fix]).toEqual([
      true,
      `Correct ${file}, line 3, column 1; docs/settings.md lists what can be set. No run starts before.`,
    ]);
  });

  test("a home on a file system that is mounted read-only", async () => {
    using desk = new Desk();
    const home = desk.tree.at("home/.codelia");
    mkdirSync(home);
    const through = mounted("--ro-bind", desk.tree.at("home"), desk.tree.at("home"));
    expect(await desk.doctor(undefined, { through })).toEqual([
      1,
      [
        {
          about: "home",
          level: "problem",
          text: `${home} cannot be written to: the file system is mounted read-only (EROFS). Sessions, trust and settings are kept there`,
          fix: `Make ${home} a directory that you may write to, or name another one in CODELIA_HOME.`,
        },
      ],
    ]);
  });

  test("a file where the home should be", async () => {
    using desk = new Desk();
    desk.tree.add({ "home/.codelia": "in the way\n" });
    const [code, findings] = await desk.doctor();
    expect([code, findings.map(({ about, level }) => [about, level])]).toEqual([1, [["home", "problem"]]]);
    expect(readFileSync(desk.tree.at("home/.codelia"), "utf8")).toBe("in the way\n");
  });

  test("an older program that is first on the PATH", async () => {
    using desk = new Desk();
    const old = desk.install("old", "0.0.9");
    desk.install("same", version);
    const env = { ...desk.env, PATH: desk.path("old", "same") };
    expect(await desk.doctor(undefined, { env })).toEqual([
      1,
      [
        {
          about: "program",
          level: "problem",
          text: `codelia on your PATH is ${old} (0.0.9), older than this program (${version})`,
          fix: `Remove ${old}, or put the folder of the newer one before it in PATH.`,
        },
      ],
    ]);
    expect(await desk.doctor(undefined, { env: { ...desk.env, PATH: desk.path("same", "old") } })).toEqual([
      0,
      [],
    ]);
  });

  test("that it is old itself: a newer one is installed, and wrote a session", async () => {
    using desk = new Desk();
    const newer = desk.install("new", "99.1.0");
    desk.tree.add({ "script.json": JSON.stringify({ turns: [{ text: "Hello." }] }) });
    const model = `scripted/${desk.tree.at("script.json")}`;
    const place = { cwd: desk.tree.at("repo"), home: desk.tree.at("home") };
    const run = await codelia(["run", "hello", "--trust", "-m", model], place);
    expect(run.code).toBe(0);
    const id = rewriteWriter(desk.tree.at("home/.codelia/sessions"), "99.0.0");
    const [code, findings] = await desk.doctor(undefined, { env: { ...desk.env, PATH: desk.path("new") } });
    expect([code, findings.map(({ text }) => text)]).toEqual([
      1,
      [
        `this program is old: it is ${version}, and ${newer} is 99.1.0`,
        `this program is old: it is ${version}, and session ${id} was written by Codelia 99.0.0`,
      ],
    ]);
  });
});

test("for people each finding is a line, with its fix below it", async () => {
  using desk = new Desk();
  const place = { cwd: desk.tree.at("repo"), home: desk.tree.at("home"), env: {} };
  const { code, stdout } = await codelia(["doctor", "--trust", "-c", "sandbox.enabled=off"], place);
  const lines = stdout.split("\n");
  expect([code, lines.slice(3, 6), lines.slice(-3)]).toEqual([
    1,
    [
      `✓ trust    ${desk.tree.at("repo")} is trusted for this run`,
      "! sandbox  sandbox.enabled is off: commands run with all your rights",
      "           → Take sandbox.enabled out of your settings (codelia config shows where it was set).",
    ],
    ["", "1 problem, 1 warning.", ""],
  ]);
});

/** Makes the only session one that another version wrote, checksum included. @output its id */
function rewriteWriter(sessions: string, program: string): string {
  const [name = ""] = readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((each) =>
    each.endsWith("journal.jsonl"),
  );
  const file = join(sessions, name);
  const [first = "", ...rest] = readFileSync(file, "utf8").split("\n");
  const body = first
    .slice('{"crc":"00000000",'.length)
    .replace(`"program":"${version}"`, `"program":"${program}"`);
  const sum = crc32(body).toString(16).padStart(8, "0");
  writeFileSync(file, [`{"crc":"${sum}",${body}`, ...rest].join("\n"));
  return basename(dirname(name));
}
