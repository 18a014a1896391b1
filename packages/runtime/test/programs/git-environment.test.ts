import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { closedDiffFlags, closedGitEnvironment, commandGitEnvironment } from "../../src/programs/index.ts";
import { git, makeRepository } from "../sandbox/git-repository.ts";

/** A repository in which every way of git's to run a program leads to one that leaves a canary. */
function hostileRepository(): TemporaryTree {
  const tree = new TemporaryTree({
    "repo/a.txt": "a\n",
    "repo/.gitattributes": "*.txt diff=evil\n",
    "home/": "",
    "evil.sh": "#!/bin/sh\necho ran >> $(dirname $0)/canary\nexit 0\n",
  });
  chmodSync(tree.at("evil.sh"), 0o755);
  makeRepository(tree.at("repo"));
  const evil = tree.at("evil.sh");
  for (const key of [
    "core.fsmonitor",
    "core.pager",
    "core.editor",
    "core.sshCommand",
    "core.askPass",
    "diff.external",
    "diff.evil.textconv",
    "credential.helper",
    "gpg.program",
    "core.alternateRefsCommand",
  ]) {
    git(tree.at("repo"), "config", key, evil);
  }
  git(tree.at("repo"), "config", "commit.gpgSign", "true");
  git(tree.at("repo"), "config", "pager.log", "true");
  tree.add({ "repo/.git/hooks/pre-commit": "", "repo/a.txt": "b\n" });
  spawnSync("cp", [evil, tree.at("repo/.git/hooks/pre-commit")]);
  spawnSync("cp", [evil, tree.at("repo/.git/hooks/post-checkout")]);
  return tree;
}

describe("git that Codelia runs by itself", () => {
  test.each([
    [["status", "--short"]],
    [["diff", ...closedDiffFlags]],
    [["log", "-p", ...closedDiffFlags]],
    [["commit", "-qam", "second"]],
    [["checkout", "-q", "-b", "topic"]],
    [["fetch", "ssh://example.invalid/x"]],
    [["fetch", "ext::sh -c 'touch canary'"]],
  ])("%j starts nothing that the repository names", (args) => {
    using tree = hostileRepository();
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: tree.at("home"),
      GIT_EXTERNAL_DIFF: tree.at("evil.sh"),
    };
    spawnSync("git", args, { cwd: tree.at("repo"), env: closedGitEnvironment(env), stdio: "ignore" });
    expect([existsSync(tree.at("canary")), existsSync(tree.at("repo/canary"))]).toEqual([false, false]);
  });

  test("the repository of this test is hostile", () => {
    using tree = hostileRepository();
    git(tree.at("repo"), "status", "--short");
    expect([existsSync(tree.at("canary")), existsSync(tree.at("repo/.git/hooks/pre-commit"))]).toEqual([
      true,
      true,
    ]);
  });
});

test("a command's git keeps the user's settings and hooks, and passes over a bare repository that lies about", () => {
  using tree = new TemporaryTree({ "repo/": "", "home/": "" });
  makeRepository(tree.at("repo"));
  git(tree.path, "clone", "-q", "--bare", "repo", "bare");
  const env = commandGitEnvironment({
    PATH: process.env.PATH ?? "",
    HOME: tree.at("home"),
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "user.name",
    GIT_CONFIG_VALUE_0: "Grace",
  });
  const run = (cwd: string, ...args: string[]) =>
    spawnSync("git", args, { cwd: tree.at(cwd), env, encoding: "utf8" });
  expect([
    run("repo", "config", "user.name").stdout,
    run("repo", "config", "core.fsmonitor").stdout,
    run("repo", "config", "core.hooksPath").stdout,
    run("bare", "log").status,
    run("bare", "--git-dir=.", "log", "--format=%s").stdout,
  ]).toEqual(["Grace\n", "false\n", "", 128, "first\n"]);
});
