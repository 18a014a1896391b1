// A real repository in a scene, made without the machine's git settings.
import { spawnSync } from "node:child_process";

/** @output what git printed; a failure is thrown */
export function git(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd,
    encoding: "utf8",
    env: {
      PATH: process.env.PATH ?? "",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
    },
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** @effects a repository with one commit, whose config names an author */
export function makeRepository(folder: string): void {
  git(folder, "init", "-q", "-b", "main");
  git(folder, "config", "user.name", "Ada");
  git(folder, "config", "user.email", "ada@example.org");
  git(folder, "add", "--all");
  git(folder, "commit", "-q", "--allow-empty", "-m", "first");
}
