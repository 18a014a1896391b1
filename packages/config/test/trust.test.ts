import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTrustStore, projectIdentity } from "@codelia/config";
import { nodeFileSystem as fs } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";

function git(cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
  const { status, stderr } = spawnSync("git", [...identity, ...args], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

describe("the identity of a project", () => {
  test("is the git directory that a repository shares with its worktrees", async () => {
    using tree = new TemporaryTree({ "main/a": "" });
    git(tree.at("main"), "init", "-q");
    git(tree.at("main"), "commit", "-q", "--allow-empty", "-m", "x");
    git(tree.at("main"), "worktree", "add", "-q", tree.at("second"));
    expect([
      await projectIdentity(fs, tree.at("main")),
      await projectIdentity(fs, tree.at("second")),
    ]).toEqual([tree.at("main/.git"), tree.at("main/.git")]);
  });

  test("cannot be borrowed by a checkout that points at somebody else's repository", async () => {
    using tree = new TemporaryTree({ "main/a": "" });
    git(tree.at("main"), "init", "-q");
    git(tree.at("main"), "commit", "-q", "--allow-empty", "-m", "x");
    git(tree.at("main"), "worktree", "add", "-q", tree.at("second"));
    const worktree = tree.at("main/.git/worktrees/second");
    tree.add({
      "file/.git": `gitdir: ${worktree}\n`,
      "direct/.git": `gitdir: ${tree.at("main/.git")}\n`,
      "link/.git": { link: "../main/.git" },
      // A git directory of its own that names the victim as its common directory.
      "forged/.git": `gitdir: ${tree.at("forged/x/worktrees/w")}\n`,
      "forged/x/worktrees/w/gitdir": `${tree.at("forged/.git")}\n`,
      "forged/x/worktrees/w/commondir": `${tree.at("main/.git")}\n`,
      "commondir/.git/commondir": tree.at("main/.git"),
    });
    const names = ["file", "direct", "link", "forged"];
    expect(await Promise.all(names.map((name) => projectIdentity(fs, tree.at(name))))).toEqual(
      names.map((name) => tree.at(name)),
    );
    expect(await projectIdentity(fs, tree.at("commondir"))).toBe(tree.at("commondir/.git"));
  });

  test("is the real path of the root where there is no git", async () => {
    using tree = new TemporaryTree({ "real/": "", link: { link: "real" } });
    expect(await projectIdentity(fs, tree.at("link"))).toBe(tree.at("real"));
  });
});

describe("the trust store", () => {
  const now = () => new Date("2026-01-02T03:04:05.000Z");

  test("remembers, lists and forgets projects, in files that only the user can read", async () => {
    using tree = new TemporaryTree({ "b/.git/": "", "a/": "" });
    const store = openTrustStore({ fs, codeliaHome: tree.at("home"), now });
    expect(await store.find(tree.at("a"))).toBeUndefined();
    await Promise.all([store.add(tree.at("b")), store.add(tree.at("a"))]);
    const entry = (name: string, identity: string) => ({
      root: tree.at(name),
      identity: tree.at(identity),
      trustedAt: "2026-01-02T03:04:05.000Z",
    });
    expect(await store.list()).toEqual([entry("a", "a"), entry("b", "b/.git")]);
    const modes = readdirSync(tree.at("home/trust")).map(
      (name) => statSync(tree.at("home/trust", name)).mode & 0o777,
    );
    expect([statSync(tree.at("home/trust")).mode & 0o777, ...modes]).toEqual([0o700, 0o600, 0o600]);
    expect(await store.remove(tree.at("b"))).toEqual(entry("b", "b/.git"));
    expect(await store.find(tree.at("b"))).toBeUndefined();
    expect(await store.find(tree.at("a"))).toEqual(entry("a", "a"));
  });

  test("forgets a project whose directory is gone", async () => {
    using tree = new TemporaryTree({ "a/.git/": "" });
    const store = openTrustStore({ fs, codeliaHome: tree.at("home"), now });
    await store.add(tree.at("a"));
    tree.remove("a");
    expect((await store.remove(tree.at("a")))?.root).toBe(tree.at("a"));
    expect(await store.list()).toEqual([]);
  });

  test("never takes a damaged or foreign entry for trust", async () => {
    using tree = new TemporaryTree({ "a/": "", "b/": "" });
    const store = openTrustStore({ fs, codeliaHome: tree.at("home"), now });
    await store.add(tree.at("a"));
    const [name = ""] = readdirSync(tree.at("home/trust"));
    const file = join(tree.at("home/trust"), name);
    writeFileSync(
      file,
      JSON.stringify({ identity: tree.at("b"), root: tree.at("b"), trustedAt: now().toISOString() }),
    );
    expect(await store.find(tree.at("a"))).toBeUndefined();
    writeFileSync(file, "{");
    await expect(store.find(tree.at("a"))).rejects.toThrow("this trust entry is damaged");
  });
});
