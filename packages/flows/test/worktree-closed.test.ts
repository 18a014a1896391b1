// Nothing that a repository configured is started by the git that Codelia runs itself.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pruneWorktrees } from "@codelia/flows";
import { GitHubStandIn } from "./support/github-server.ts";
import { processIssue } from "./support/issue-process.ts";
import { Desk } from "./support/repositories.ts";

const hooks = [
  "post-checkout",
  "reference-transaction",
  "pre-commit",
  "pre-push",
  "post-index-change",
  "post-merge",
];

/** Every way that is known for a repository's files to name a program; each would leave a trace. */
function poison(desk: Desk): string {
  const trace = desk.tree.at("trace");
  const program = desk.tree.at("evil.sh");
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${trace}\ncat\n`);
  chmodSync(program, 0o755);
  mkdirSync(join(desk.repository, ".git/hooks"), { recursive: true });
  for (const hook of hooks) {
    writeFileSync(join(desk.repository, ".git/hooks", hook), `#!/bin/sh\necho ${hook} >> ${trace}\n`);
    chmodSync(join(desk.repository, ".git/hooks", hook), 0o755);
  }
  const settings: [string, string][] = [
    ["filter.evil.smudge", program],
    ["filter.evil.clean", program],
    ["filter.a=b.smudge", program],
    ["filter.a=b.process", program],
    ["filter.evil.required", "true"],
    ["core.fsmonitor", program],
    ["core.sshCommand", program],
    ["core.pager", program],
    ["core.editor", program],
    ["core.askPass", program],
    ["credential.helper", `!${program}`],
    ["diff.external", program],
    ["diff.evil.textconv", program],
    ["merge.evil.driver", program],
    ["gpg.program", program],
    ["commit.gpgSign", "true"],
    ["remote.origin.receivepack", program],
    ["remote.origin.uploadpack", program],
    ["alias.status", `!${program}`],
    ["hook.evil.command", program],
    ["hook.evil.event", "post-checkout"],
  ];
  for (const [key, value] of settings) desk.git("config", key, value);
  return trace;
}

test("hooks, filters, helpers and drivers of a repository never run", async () => {
  using desk = new Desk({
    ".gitattributes": "*.a filter=evil diff=evil merge=evil\n*.b filter=a=b\n",
    "x.a": "a\n",
    "x.b": "b\n",
  });
  await using github = new GitHubStandIn();
  github.issues.set(1, { title: "First", body: null, state: "open", labels: [] });
  const trace = poison(desk);
  const act = (worktree: string) => {
    writeFileSync(join(worktree, "y.a"), "new\n");
    writeFileSync(join(worktree, "x.a"), "ours\n");
    // So that there is something to merge, not only to move. By the user's own git, which does start things.
    const meanwhile = desk.git("commit-tree", "-m", "meanwhile", "-p", "main", "main^{tree}");
    desk.git("-c", "core.hooksPath=/dev/null", "update-ref", "refs/heads/main", meanwhile);
    rmSync(trace, { force: true });
  };
  const { finished } = await processIssue(
    { desk, github, journals: new Map(), settings: { merge: true }, act },
    1,
  );
  const places = await desk.places();
  const [pruned] = await pruneWorktrees(places, undefined);
  const pushed = desk.run(desk.remote, "show", "feature/issue-1:x.a", "feature/issue-1:y.a");
  expect([finished?.pushedTo, finished?.mergedInto, pushed, pruned?.removed, pruned?.reasons]).toEqual([
    "origin",
    "main",
    "ours\nnew",
    true,
    [],
  ]);
  expect(existsSync(trace) ? readFileSync(trace, "utf8") : "no trace").toBe("no trace");
});

test("the same repository does run them for a git that is not closed", () => {
  using desk = new Desk({ ".gitattributes": "*.a filter=evil\n", "x.a": "a\n" });
  const trace = poison(desk);
  desk.git("worktree", "add", "--quiet", desk.tree.at("open"), "-b", "open");
  const said = readFileSync(trace, "utf8");
  expect(
    ["post-checkout", "reference-transaction", "evil.sh"].filter((name) => !said.includes(name)),
  ).toEqual([]);
});
