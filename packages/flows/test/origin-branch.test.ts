// Which branch work derives from: the specification's order, and nothing assumed.
import { describe, expect, test } from "bun:test";
import { type OriginCandidates, resolveOrigin } from "@codelia/flows";
import type { OriginSource } from "@codelia/shared-types";
import { Desk } from "./support/repositories.ts";

type Fields = Partial<Record<OriginSource, string | undefined>>;

const sources = ["explicit", "issue_field", "project_field", "config"] as const;

async function resolved(desk: Desk, fields: Fields): Promise<unknown> {
  const asked: string[] = [];
  const candidates: OriginCandidates = sources.map((source) => ({
    source,
    read: async () => {
      asked.push(source);
      const branch = fields[source];
      return branch === undefined ? undefined : { branch, from: `of ${source}` };
    },
  }));
  const { git, repository } = await desk.places();
  const origin = await resolveOrigin(candidates, git, repository, "origin").catch(
    ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
  );
  return typeof origin === "string"
    ? origin
    : [origin.branch, origin.source, origin.from, origin.ref, asked.length];
}

describe("the origin branch", () => {
  test("is what --origin says, then the issue's field, then the project's, then the setting", async () => {
    using desk = new Desk();
    for (const branch of ["a", "b", "c", "d"]) desk.git("branch", branch);
    const all: Fields = { explicit: "a", issue_field: "b", project_field: "c", config: "d" };
    expect([
      await resolved(desk, all),
      await resolved(desk, { ...all, explicit: undefined }),
      await resolved(desk, { ...all, explicit: undefined, issue_field: undefined }),
      await resolved(desk, { config: "d" }),
    ]).toEqual([
      ["a", "explicit", "of explicit", "refs/heads/a", 1],
      ["b", "issue_field", "of issue_field", "refs/heads/b", 2],
      ["c", "project_field", "of project_field", "refs/heads/c", 3],
      ["d", "config", "of config", "refs/heads/d", 4],
    ]);
  });

  test("is unset where the value is blank", async () => {
    using desk = new Desk();
    expect(await resolved(desk, { explicit: "", issue_field: " \t", config: "main" })).toEqual([
      "main",
      "config",
      "of config",
      "refs/heads/main",
      4,
    ]);
  });

  test("that is named and does not exist is an error, without trying the next", async () => {
    using desk = new Desk();
    expect(await resolved(desk, { issue_field: "gone", config: "main" })).toBe(
      'OriginNotFound: There is no branch "gone", which the issue\'s base_branch names (of issue_field). It is neither here nor on origin as last fetched. Correct it, or run git fetch origin.',
    );
  });

  test("that nobody names is an error: none is assumed", async () => {
    using desk = new Desk();
    expect(await resolved(desk, {})).toBe(
      "OriginUnset: Nothing says which branch to derive from, and none is assumed. Give one of: --origin, the issue's base_branch, the project's Target Branch, the setting issues.originBranch.",
    );
  });

  test("may be the remote's alone, and is a branch, never an option, a commit or a tag", async () => {
    using desk = new Desk();
    desk.git("push", "--quiet", "origin", "main:refs/heads/next");
    desk.git("tag", "v1");
    const names = [
      "next",
      "origin/next",
      "v1",
      "HEAD",
      "main~0",
      "--all",
      "../main",
      desk.git("rev-parse", "main"),
    ];
    const found = await Promise.all(names.map((explicit) => resolved(desk, { explicit })));
    expect(
      found.map((origin) => String(origin).replace(/^(OriginNotFound).*$|^.*?(refs[^,]*).*$/, "$1$2")),
    ).toEqual([
      "refs/remotes/origin/next",
      "refs/remotes/origin/next",
      ...Array.from({ length: 6 }, () => "OriginNotFound"),
    ]);
  });
});
