// Nothing that a repository configured is started by the git that Codelia runs itself.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareWorktree, pruneWorktrees, takeNewIssue } from "@codelia/flows";
import { Desk, newIssue, workOn } from "./support/repositories.ts";

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
  const trace = poison(desk);
  const places = await desk.places();
  const held = await takeNewIssue(places, newIssue(1));
  const claim = await prepareWorktree(places, held, await workOn(places, 1), {
    run: "run-1",
    agent: "fixer",
  });
  const checkedOut = readFileSync(join(claim.worktree, "x.a"), "utf8");
  await held.release();
  const [pruned] = await pruneWorktrees(places, [1]);
  expect([checkedOut, pruned?.removed, existsSync(trace) ? readFileSync(trace, "utf8") : "no trace"]).toEqual(
    ["a\n", true, "no trace"],
  );
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
