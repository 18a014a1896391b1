// Which commands can come to run a denied program, `rm` here, however it is written and wrapped.
import { describe, expect, test } from "bun:test";
import { analyseCommand, canReach, type Reach } from "../../src/shell/index.ts";
import { certain } from "./cases/certain.ts";
import { outOfReach } from "./cases/out-of-reach.ts";
import { possible } from "./cases/possible.ts";

const cases: readonly (readonly [Reach, readonly string[]])[] = [
  ["yes", certain],
  ["possible", possible],
  ["no", outOfReach],
];

describe.each(cases)("reaching rm: %s", (expected, commands) => {
  test.each(commands.map((command) => [command] as const))("%j", async (command) => {
    expect(canReach(await analyseCommand(command), "rm")).toBe(expected);
  });
});

const leading: readonly (readonly [string, readonly string[], Reach])[] = [
  ["git push", ["git", "push"], "yes"],
  ["git push --force origin main", ["git", "push", "--force"], "yes"],
  ["git -C dir push", ["git", "push"], "yes"],
  ["git --git-dir=x --no-pager push", ["git", "push"], "yes"],
  ["/usr/bin/git push", ["git", "push"], "yes"],
  ["sudo git push", ["git", "push"], "yes"],
  ["git pu''sh", ["git", "push"], "yes"],
  ["git -c a=b push", ["git", "push"], "yes"],
  ["git commit -m push", ["git", "push"], "no"],
  ["git log push", ["git", "push"], "no"],
  ["git status", ["git", "push"], "no"],
  ["git $x", ["git", "push"], "possible"],
  ["git -c alias.x=push x", ["git", "push"], "possible"],
  ["npm publish", ["npm", "publish"], "yes"],
  ["npm --tag next publish", ["npm", "publish"], "possible"],
  ["npm run publish", ["npm", "publish"], "no"],
  ["docker system prune -f", ["docker", "system", "prune"], "yes"],
  ["docker system df", ["docker", "system", "prune"], "no"],
  ["echo git push", ["git", "push"], "no"],
  ["echo git push | sh", ["git", "push"], "possible"],
];

describe("reaching a program with leading words", () => {
  test.each(leading)("%j for %j is %s", async (command, target, expected) => {
    expect(canReach(await analyseCommand(command), target)).toBe(expected);
  });
});
