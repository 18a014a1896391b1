import { describe, expect, test } from "bun:test";
import type { ToolAccess } from "@codelia/core";
import type { ConfirmParams, ConfirmResult } from "@codelia/protocol";
import type { ApprovalMode } from "@codelia/shared-types";
import { nodeFileSystem } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { Approval } from "../src/permissions/index.ts";
import { childEnvironment } from "../src/secrets/index.ts";

function approval(
  tree: TemporaryTree,
  mode: ApprovalMode,
  confirm?: (params: ConfirmParams) => Promise<ConfirmResult>,
): Approval {
  return new Approval({
    mode,
    fs: nodeFileSystem,
    workspace: tree.at("work"),
    outputs: tree.at("outputs"),
    confirm,
    rules: [],
    bases: { root: [tree.at("work")], home: [tree.at("home")] },
    remember: () => Promise.reject(new Error("nothing is to be remembered")),
    allowedCalls: [],
    notify: () => undefined,
  });
}

function call(access: ToolAccess) {
  return {
    id: "c",
    tool: "tool",
    prepared: { title: "title", paths: [], access, execute: () => Promise.resolve() },
  };
}

async function decisions(
  tree: TemporaryTree,
  mode: ApprovalMode,
  accesses: readonly ToolAccess[],
): Promise<string[]> {
  const subject = approval(tree, mode);
  const found: string[] = [];
  for (const access of accesses) found.push((await subject.decide(call(access))).decision);
  return found;
}

const description = {
  "work/src/a.ts": "",
  "work/.git/config": "",
  "work/out": { link: "../secret" },
  "work/in": { link: "src" },
  "work/nowhere": { link: "../not-yet" },
  secret: "",
  "workshop/a": "",
  "outputs/long.txt": "",
};

describe("without anybody to ask", () => {
  test("a question that reaches nobody is refused and counted, as if there were no way to ask", async () => {
    using tree = new TemporaryTree(description);
    const write = call({ kind: "write", paths: [tree.at("work/src/a.ts")] });
    const lost = approval(tree, "ask", () => Promise.reject(new Error("the client is gone")));
    expect(await lost.decide(write)).toEqual(await approval(tree, "ask").decide(write));
    expect(lost.refusedCalls).toBe(1);
  });

  test("reads are free inside the workspace and among stored outputs, by real path", async () => {
    using tree = new TemporaryTree(description);
    const reads = [
      "work/src/a.ts",
      "work/in/a.ts",
      "work/not-there",
      "outputs/long.txt",
      "work/out",
      "secret",
      "workshop/a",
      "work/../secret",
    ];
    expect(
      await decisions(
        tree,
        "ask",
        reads.map((name): ToolAccess => ({ kind: "read", paths: [tree.at(name)] })),
      ),
    ).toEqual(["allow", "allow", "allow", "allow", "deny", "deny", "deny", "deny"]);
  });

  test("writes are free in auto-edit, inside the workspace, and never through a link out of it or into .git", async () => {
    using tree = new TemporaryTree(description);
    const writes = [
      "work/src/a.ts",
      "work/new/deep/file",
      "work/in/b.ts",
      "work/out",
      "work/out/x",
      "work/nowhere",
      "work/.git/config",
      "work/.codelia/config.json",
      "outputs/long.txt",
      "secret",
    ];
    const accesses = writes.map((name): ToolAccess => ({ kind: "write", paths: [tree.at(name)] }));
    expect(await decisions(tree, "ask", accesses)).toEqual(writes.map(() => "deny"));
    expect(await decisions(tree, "auto-edit", accesses)).toEqual([
      "allow",
      "allow",
      "allow",
      ...Array.from({ length: 7 }, () => "deny"),
    ]);
    expect(await decisions(tree, "full", accesses)).toEqual(writes.map(() => "allow"));
  });

  test("one path outside is enough to refuse a call", async () => {
    using tree = new TemporaryTree(description);
    const access: ToolAccess = { kind: "write", paths: [tree.at("work/src/a.ts"), tree.at("secret")] };
    expect(await decisions(tree, "auto-edit", [access])).toEqual(["deny"]);
  });

  test("commands and network are refused in every mode but full, and counted", async () => {
    using tree = new TemporaryTree(description);
    const accesses: ToolAccess[] = [
      { kind: "command", command: "make", cwd: tree.at("work") },
      { kind: "network", url: "https://example.com" },
      { kind: "none" },
    ];
    expect(await decisions(tree, "ask", accesses)).toEqual(["deny", "deny", "allow"]);
    expect(await decisions(tree, "auto-edit", accesses)).toEqual(["deny", "deny", "allow"]);
    expect(await decisions(tree, "full", accesses)).toEqual(["allow", "allow", "allow"]);
    const subject = approval(tree, "ask");
    for (const access of accesses) await subject.decide(call(access));
    expect(subject.refusedCalls).toBe(2);
  });

  test("a refusal says what would allow it", async () => {
    using tree = new TemporaryTree(description);
    const decision = await approval(tree, "ask").decide(call({ kind: "command", command: "make", cwd: "/" }));
    expect(decision).toEqual({
      decision: "deny",
      by: "no_user",
      reason:
        'Running a command needs approval and nobody can be asked: make is not on the list of programs that only read. The user can start the run with --approval full, or in a terminal, or allow it in permissions.allow of config.json: {"tool":"bash","command_glob":"make"}',
    });
  });
});

describe("with somebody to ask", () => {
  test("an answer for the session covers exactly the same command again, and nothing else", async () => {
    using tree = new TemporaryTree(description);
    const asked: string[] = [];
    const subject = approval(tree, "ask", (params) => {
      asked.push(params.detail);
      return Promise.resolve({ decision: "allow_session" });
    });
    for (const command of ["make", "make", "make test", "make"])
      await subject.decide(call({ kind: "command", command, cwd: "/" }));
    expect(asked).toEqual(["make", "make test"]);
  });

  test("a no with a reason reaches the model as it was said", async () => {
    using tree = new TemporaryTree(description);
    const subject = approval(tree, "ask", () =>
      Promise.resolve({ decision: "deny", reason: "Use make instead." }),
    );
    expect(await subject.decide(call({ kind: "command", command: "x", cwd: "/" }))).toEqual({
      decision: "deny",
      by: "user",
      reason: "Use make instead.",
    });
  });
});

test("keys and tokens do not reach the environment of commands", () => {
  const env = {
    PATH: "/bin",
    HOME: "/home/u",
    KEYBOARD: "us",
    TOKENIZERS_PARALLELISM: "true",
    ANTHROPIC_API_KEY: "1",
    OPENAI_APIKEY: "2",
    GITHUB_TOKEN: "3",
    AWS_SECRET_ACCESS_KEY: "4",
    AWS_ACCESS_KEY_ID: "5",
    NPM_CONFIG_AUTH: "6",
    DB_PASSWORD: "7",
    PGPASSWORD: "9",
    MYSQL_PWD: "10",
    DEPLOY_PRIVATE_KEY: "11",
    SSH_PASSPHRASE: "12",
    PWD: "/home/u/p",
    MY_LLM: "8",
    EMPTY: undefined,
  };
  expect(childEnvironment(env, new Set(["MY_LLM"]), { EXTRA: "x" })).toEqual({
    PATH: "/bin",
    HOME: "/home/u",
    KEYBOARD: "us",
    TOKENIZERS_PARALLELISM: "true",
    PWD: "/home/u/p",
    EXTRA: "x",
  });
});
