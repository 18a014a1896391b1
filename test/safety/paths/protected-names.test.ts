import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { git, makeRepository } from "../../../packages/runtime/test/sandbox/git-repository.ts";
import { type Call, type Outcome, SafetyScene } from "../scene.ts";

const paths = [
  ".git/hooks/pre-commit",
  ".git/config",
  ".git/info/attributes",
  ".codelia/config.json",
  ".agents/skills/evil/SKILL.md",
  "./deep/../.git/hooks/post-checkout",
  // Where the file system makes no difference between capital and small letters these are the same names.
  ".GIT/hooks/pre-commit",
  ".Git/config",
  ".CODELIA/config.json",
  ".Agents/skills/evil/SKILL.md",
  ".g\u200cit/config",
  "git-link/hooks/post-merge",
  "hooks-link/post-commit",
  "config-link",
  "dangling-hook",
  "deep/.codelia/config.json",
  "deep/.agents/skills/evil/SKILL.md",
  "nested/.git/config",
  "nested/.git/hooks/pre-commit",
  "new/.git/config",
];

// Whoever lets the agent edit files has not let it decide what runs next time.
describe("with approval for edits, nothing is written without a question to", () => {
  const made = new SafetyScene({
    "repo/a.txt": "a\n",
    "repo/deep/a.txt": "a\n",
    "repo/nested/a.txt": "a\n",
    "repo/git-link": { link: ".git" },
    "repo/hooks-link": { link: ".git/hooks" },
    "repo/config-link": { link: ".git/config" },
    "repo/dangling-hook": { link: ".git/hooks/pre-push" },
  });
  makeRepository(made.at("repo/nested"));
  makeRepository(made.at("repo"));
  const cases = paths.flatMap((path) => [
    [`${path} by write`, ["write", { path, content: "evil" }]] as const,
    [
      `${path} by apply_patch`,
      ["apply_patch", { patch: `*** Begin Patch\n*** Add File: ${path}\n+evil\n*** End Patch` }],
    ] as const,
    [
      `${path} by a move`,
      [
        "apply_patch",
        {
          patch: `*** Begin Patch\n*** Update File: a.txt\n*** Move to: ${path}\n@@\n-a\n+evil\n*** End Patch`,
        },
      ],
    ] as const,
  ]);
  let outcomes: readonly Outcome[] = [];
  let configs: string[] = [];

  beforeAll(async () => {
    configs = [made.text("repo/.git/config"), made.text("repo/nested/.git/config")];
    const known: Call = ["read", { path: "a.txt" }];
    ({ outcomes } = await made.run([known, ...cases.map(([, call]): Call => call)], {
      approval: "auto-edit",
    }));
  });
  afterAll(() => made[Symbol.dispose]());

  test.each(cases.map(([name], index) => [name, index] as const))("%s", (_, index) => {
    const outcome = outcomes[index + 1];
    expect([outcome?.decision ?? "deny by no_user", outcome?.isError]).toEqual(["deny by no_user", true]);
  });

  test("any of them: everything is as it was", () => {
    expect([
      [made.text("repo/.git/config"), made.text("repo/nested/.git/config")],
      made.text("repo/a.txt"),
      paths.filter((path) => existsSync(made.at("repo", path)) && !/\.git\/config$|config-link$/.test(path)),
    ]).toEqual([configs, "a\n", []]);
    expect(git(made.at("repo"), "status", "--short", "--", ".git", ".codelia", ".agents")).toBe("");
  });
});
