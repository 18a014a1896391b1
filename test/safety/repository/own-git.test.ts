// Git that Codelia itself runs, outside of the sandbox, in a repository whose config names programs.
import { describe, expect, test } from "bun:test";
import { createClosedGit } from "../../../packages/runtime/src/programs/index.ts";
import { HostileRepository } from "./hostile-repository.ts";

function closedGit(tree: HostileRepository) {
  return createClosedGit({ PATH: process.env.PATH, HOME: tree.at("home") }, tree.at("work"), new Set());
}

describe("a missing commit is not fetched from a promisor remote, whose program the repository names, by git", () => {
  test.each([
    "rev-list --count --all",
    "rev-list --count HEAD --not --remotes",
    "merge-base --is-ancestor HEAD~1 HEAD",
    "rev-parse --verify HEAD^{commit}",
    "log -1 --format=%H",
    "status --porcelain",
    "worktree list --porcelain",
    "for-each-ref",
  ])("%s", async (command) => {
    using tree = new HostileRepository({
      prepare: (made, evil) => {
        made.git("commit", "-q", "--allow-empty", "-m", "second");
        made.config(
          ["core.repositoryFormatVersion", "1"],
          ["extensions.partialClone", "origin"],
          ["remote.origin.promisor", "true"],
          ["remote.origin.url", made.at("work")],
          ["remote.origin.uploadpack", `${evil} 2;`],
        );
        const commit = made.git("rev-parse", "HEAD").trim();
        made.remove(`work/.git/objects/${commit.slice(0, 2)}/${commit.slice(2)}`);
      },
    });
    await closedGit(tree).run(command.split(" "), { cwd: tree.at("work") });
    expect(tree.hasRun).toBe(false);
  });
});
