// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell, not templates
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import { type Call, type SafetyRun, SafetyScene } from "../scene.ts";

const inEnvironment = "sk-canary-environment-0123456789";
const inSettings = "sk-canary-settings-0123456789";
const inHeader = "canary-header-0123456789";
const names = {
  CODELIA_TEST_API_KEY: inEnvironment,
  GITHUB_TOKEN: "ghp_canary0123456789",
  DB_PASSWORD: "canary-password",
};

const settings = {
  models: {
    providers: {
      named: { baseUrl: "http://127.0.0.1:9", apiKeyEnv: "MY_LLM" },
      gateway: { baseUrl: "http://127.0.0.1:9", apiKey: inSettings, headers: { "x-api-key": inHeader } },
    },
  },
};

const keys = [inSettings, inHeader, ...Object.values(names)];

function found(text: string): string[] {
  return keys.filter((key) => text.includes(key));
}

describe("a key that Codelia knows is not in", () => {
  const made = new SafetyScene({
    "home/.codelia/config.json": JSON.stringify(settings),
    "repo/leak.txt": keys.map((key) => `key: ${key}\n`).join(""),
    [`repo/${inEnvironment}.txt`]: "x\n",
    [`repo/${inEnvironment}/a.txt`]: "x\n",
  });
  // One byte at a time, from a program that flushes: the key comes in as many chunks as it has bytes.
  const dripped = `while IFS= read -r -n1 c; do printf '%s' "\${c:-$'\\n'}"; done < leak.txt`;
  const calls: Readonly<Record<string, Call>> = {
    "a command's environment": ["bash", { command: "env; export; cat /proc/*/environ | tr '\\0' '\\n'" }],
    "a file that is read": ["read", { path: "leak.txt" }],
    "lines that are found": ["grep", { pattern: "key" }],
    "lines around what is found": ["grep", { pattern: "ghp", context: 3 }],
    "names that are listed": ["list", {}],
    "names that are found": ["glob", { pattern: "**" }],
    "an output that comes in pieces": ["bash", { command: dripped }],
    "an output in turns on two streams": [
      "bash",
      { command: "head -c 30 leak.txt; tail -c +31 leak.txt >&2" },
    ],
    "an output that is drawn over": ["bash", { command: "tr '\\n' '\\r' < leak.txt; echo" }],
    "an output with colours within the key": [
      "bash",
      { command: "sed 's/canary/can\\x1b[31mary/; s/canary/can\\x1b[0mary/' leak.txt" },
    ],
    "a long output that is kept in a file": [
      "bash",
      { command: "for i in {1..3000}; do cat leak.txt; done" },
    ],
    "a failure": ["read", { path: `${inEnvironment}/missing.txt` }],
    "an edit that does not fit": ["edit", { path: "leak.txt", old: `key: ${inEnvironment}x`, new: "x" }],
    "a change": ["edit", { path: "leak.txt", old: "key: ghp", new: "KEY: ghp" }],
    "a background job": ["bash", { command: dripped, background: true }],
    "a background job's output": ["bash", { wait: "b1", timeout_s: 60 }],
    "the list of jobs": ["bash", { list: true }],
  };
  const kinds = Object.keys(calls);
  let run: SafetyRun;

  beforeAll(async () => {
    run = await made.run(Object.values(calls), { env: names });
  });
  afterAll(() => made[Symbol.dispose]());

  test.each(kinds.map((kind, index) => [kind, index] as const))("%s", (_, index) => {
    expect(found(run.outcomes[index]?.output ?? keys.join())).toEqual([]);
  });

  test("events, progress and the exit", () => {
    // The model itself said it once, in the arguments of the edit that does not fit.
    expect([run.code, found(run.stderr), run.outcomes.length]).toEqual([0, [], kinds.length]);
  });

  test.each([
    ["progress", ["run", "again", "--continue", "--trust", "--approval", "full"]],
    ["a session's listing", ["sessions", "list", "--json"]],
    ["the settings", ["config"]],
    ["the settings as JSON", ["config", "--json"]],
    ["the context", ["context", "--trust"]],
  ])("%s", async (_, args) => {
    const { stdout, stderr } = await made.codelia(args, { env: names });
    expect(found(stdout + stderr)).toEqual([]);
  });
});

describe("what a session keeps and exports", () => {
  const made = new SafetyScene({ "repo/leak.txt": keys.map((key) => `key: ${key}\n`).join("") });
  made.add({ "home/.codelia/config.json": JSON.stringify(settings) });
  beforeAll(async () => {
    await made.run(
      [
        ["read", { path: "leak.txt" }],
        ["bash", { command: "for i in {1..3000}; do cat leak.txt; done; cat leak.txt >&2; env" }],
        ["write", { path: "copy.txt", content: "x\n" }],
      ],
      { env: names },
    );
    made.remove("home/.codelia/config.json");
  });
  afterAll(() => made[Symbol.dispose]());

  test("the journal, kept outputs and everything else in Codelia's home", () => {
    const kept = made.kept("home/.codelia");
    expect([kept.includes("[redacted: GITHUB_TOKEN]"), found(kept)]).toEqual([true, []]);
  });

  test.each(["md", "html", "json"])("an export as %s", async (format) => {
    const { code, stdout } = await made.codelia(["sessions", "export", "--format", format]);
    expect([code, stdout.includes("redacted"), found(stdout)]).toEqual([0, true, []]);
  });

  test("a session that is shown", async () => {
    const { code, stdout } = await made.codelia(["sessions", "show"]);
    expect([code, found(stdout)]).toEqual([0, []]);
  });
});

describe("a provider that repeats the key in its refusal", () => {
  let server: Server;
  let url = "";
  beforeAll(async () => {
    server = createServer((request, response) => {
      const sent = JSON.stringify(request.headers);
      response.writeHead(401, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ error: { type: "authentication_error", message: `wrong key: ${sent}` } }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  });
  afterAll(() => server.close());

  test.each([
    ["words", []],
    ["events", ["--json"]],
  ])("does not get it into %s or the journal", async (_, args) => {
    using made = new SafetyScene({});
    const env = { ANTHROPIC_API_KEY: inEnvironment, ANTHROPIC_BASE_URL: url };
    const run = await made.codelia(["run", "go", "--trust", "-m", "anthropic/claude-sonnet-4-5", ...args], {
      env,
    });
    const said = run.stdout + run.stderr;
    expect([run.code, said.includes("wrong key"), found(said), found(made.kept("home/.codelia"))]).toEqual([
      1,
      true,
      [],
      [],
    ]);
  });
});

test("a command's environment lacks a provider's key whatever its variable is called, not just its output", async () => {
  using made = new SafetyScene({ "home/.codelia/config.json": JSON.stringify(settings) });
  const env = {
    ...names,
    MY_LLM: "sk-canary-of-my-own-0123456789",
    OTHER: "x https://sk-canary-of-my-own-0123456789@y",
  };
  const output = await made.bash(
    'echo "${#MY_LLM} ${#OTHER} ${#CODELIA_TEST_API_KEY} ${#GITHUB_TOKEN} ${#DB_PASSWORD}"',
    { env },
  );
  expect(output).toBe("0 0 0 0 0\nexit code 0\n");
});
