import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pidIn } from "../tools/bash-scene.ts";
import { runTool } from "../tools/tool-run.ts";
import { git, makeRepository } from "./git-repository.ts";
import { endScenesAfterEachTest, SandboxScene } from "./sandbox-scene.ts";

endScenesAfterEachTest();

describe("protected names in the workspace", () => {
  test.each([".codelia/config.json", ".agents/skills/x/SKILL.md", ".git/hooks/pre-commit", ".git/config"])(
    "%s can be read and neither changed, moved nor removed",
    async (name) => {
      const scene = new SandboxScene({});
      makeRepository(scene.at("work"));
      scene.add({ [`work/${name}`]: "canary\n" });
      const [top = ""] = name.split("/");
      const output = await scene.bash(
        `cat ${name}; echo x > ${name}; rm -rf ${name}; mv ${name} moved; mv ${top} moved; chmod 777 ${name}; ` +
          `ln -f ${name} linked && echo x > linked; echo done`,
      );
      expect([
        output.startsWith("canary\n"),
        output.endsWith("done\nexit code 0\n"),
        readFileSync(scene.at("work", name), "utf8"),
      ]).toEqual([true, true, "canary\n"]);
    },
  );

  test("names that are not there cannot be created, and nothing is left in their place", async () => {
    const scene = new SandboxScene({ "work/a.txt": "" });
    const output = await scene.bash(
      "mkdir -p .codelia .agents .git/hooks; echo x > .codelia/config.json; echo x > .agents/x; echo x > .git/config; " +
        "rm -rf .codelia .agents .git; mv .git moved; git init -q; echo done",
    );
    await scene.end();
    expect([output.endsWith("done\nexit code 0\n"), readdirSync(scene.at("work"))]).toEqual([
      true,
      ["a.txt"],
    ]);
  });

  test("a file that git would take other hooks from cannot be made in a repository, which goes on working", async () => {
    const scene = new SandboxScene({ "work/a.txt": "a\n" });
    makeRepository(scene.at("work"));
    const output = await scene.bash(
      "echo evil > .git/commondir; echo '[core]' > .git/config.worktree; mv .git away; rm -rf away; " +
        "echo b > b.txt; git add b.txt; git commit -qm second; git gc -q; git log --format=%s",
    );
    await scene.end();
    const names = readdirSync(scene.at("work/.git"));
    expect([
      output.endsWith("second\nfirst\nexit code 0\n"),
      ["commondir", "config.worktree"].filter((name) => names.includes(name)),
      git(scene.at("work"), "log", "--format=%s", "-1"),
    ]).toEqual([true, [], "second\n"]);
  });

  test("in a worktree the repository's hooks and config stay as they are, commits work, and other worktrees are safe", async () => {
    const scene = new SandboxScene({ "main/a.txt": "a\n" });
    makeRepository(scene.at("main"));
    scene.remove("work");
    git(scene.at("main"), "worktree", "add", "-q", scene.at("work"), "-b", "topic");
    git(scene.at("main"), "worktree", "add", "-q", scene.at("other"), "-b", "other");
    scene.add({ "main/.git/hooks/canary": "canary\n" });
    const config = readFileSync(scene.at("main/.git/config"), "utf8");
    const common = scene.at("main/.git");
    const output = await scene.bash(
      `echo x > ${common}/hooks/canary; echo x > ${common}/hooks/pre-commit; echo x > ${common}/config; ` +
        `git config core.fsmonitor ./evil; echo 'gitdir: /evil' > .git; rm -f .git; echo /evil > ${common}/commondir; ` +
        `echo /evil > ${common}/worktrees/work/commondir; echo /evil > ${common}/worktrees/other/commondir; ` +
        "echo b > b.txt; git add b.txt; git commit -qm second; git log --format=%s; echo x > ../main/a.txt",
    );
    await scene.end();
    expect([
      output.includes("second\nfirst\n"),
      readFileSync(scene.at("main/.git/hooks/canary"), "utf8"),
      existsSync(scene.at("main/.git/hooks/pre-commit")),
      readFileSync(scene.at("main/.git/config"), "utf8"),
      existsSync(scene.at("main/.git/commondir")),
      readFileSync(scene.at("main/.git/worktrees/other/commondir"), "utf8"),
      readFileSync(scene.at("main/a.txt"), "utf8"),
      git(scene.at("work"), "log", "--format=%s", "-1"),
    ]).toEqual([true, "canary\n", false, config, false, "../..\n", "a\n", "second\n"]);
  });

  test("a checkout whose pointer claims a stranger's directory cannot write there", async () => {
    const scene = new SandboxScene({
      "stranger/.git/worktrees/x/gitdir": "/elsewhere/.git\n",
      "stranger/.git/worktrees/x/commondir": "../..\n",
    });
    writeFileSync(scene.at("work/.git"), `gitdir: ${scene.at("stranger/.git/worktrees/x")}\n`);
    await scene.bash(`echo x > ${scene.at("stranger/.git/canary")}`);
    expect(readdirSync(scene.at("stranger/.git"))).toEqual(["worktrees"]);
  });

  test("what the user opens in so many words is open, a protected name too", async () => {
    const beside = new SandboxScene({});
    const scene = new SandboxScene(
      {},
      { settings: { writablePaths: [beside.at("work"), "~/.cache", "~/gone"] } },
    );
    scene.add({ "home/.cache/": "" });
    const output = await scene.bash(`touch ~/.cache/new ${beside.at("work/new")} ~/new; echo done`);
    expect([
      output.endsWith("done\nexit code 0\n"),
      readdirSync(scene.at("home")),
      readdirSync(scene.at("home/.cache")),
      readdirSync(beside.at("work")),
    ]).toEqual([true, [".cache"], ["new"], ["new"]]);
  });

  test("a repository can be made where the user opened the name for it", async () => {
    const tree = new SandboxScene({});
    const scene = tree.again({ writablePaths: [tree.at("work/.git")] });
    expect(await scene.bash("git init -q && git rev-parse --git-dir")).toBe(".git\nexit code 0\n");
  });

  test("what keeps a name stays as long as a command of another session stands on it", async () => {
    const scene = new SandboxScene({});
    const other = scene.again({});
    await scene.bash("true");
    const { tool } = other;
    const started = await runTool(tool, {
      command:
        "echo 1 > begun; until [ -e go ]; do sleep 0.01; done; mkdir .codelia/x 2>/dev/null || echo kept",
      background: true,
    });
    await pidIn(scene.at("work/begun"));
    await scene.end();
    const between = readdirSync(scene.at("work")).toSorted();
    scene.add({ "work/go": "" });
    expect([started.slice(0, 14), between, await runTool(tool, { wait: "b1" })]).toEqual([
      "Started job b1",
      [".agents", ".codelia", ".git", "begun"],
      "kept\njob b1: exit code 0\n",
    ]);
  });

  test("two sessions leave nothing behind", async () => {
    const scene = new SandboxScene({});
    const other = scene.again({});
    await scene.bash("true");
    await other.bash("true");
    await scene.end();
    await other.end();
    expect(readdirSync(scene.at("work"))).toEqual([]);
  });
});

test.each([".codelia", ".agents", ".git"])(
  "where %s is a link the sandbox says that it cannot protect it",
  async (name) => {
    const scene = new SandboxScene({ [`work/${name}`]: { link: "../elsewhere" }, "elsewhere/": "" });
    expect(await scene.sandbox.state()).toEqual({
      inForce: false,
      why: "missing",
      reason: `${scene.at("work", name)} is a link and cannot be protected`,
      fix: "Start Codelia in a directory of its own, with protected names as plain files.",
    });
  },
);

test("a workspace that holds the home directory is not taken for one", async () => {
  const scene = new SandboxScene({}, { workspace: "." });
  expect(await scene.sandbox.state()).toEqual({
    inForce: false,
    why: "missing",
    reason: `the workspace ${scene.path} holds your home directory, whose start-up files commands could then change`,
    fix: "Start Codelia in a directory of its own, with protected names as plain files.",
  });
});
