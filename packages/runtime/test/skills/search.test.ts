import { expect, test } from "bun:test";
import type { SkillMetadata } from "@codelia/shared-types";
import { SkillSearcher } from "../../src/skills/search/index.ts";
import { SkillScene, skillText } from "./skills-scene.ts";

const limits = { defaultLimit: 8, maxLimit: 50 };

function searcher(skills: readonly [name: string, description: string, scope?: SkillMetadata["scope"]][]) {
  return new SkillSearcher(
    skills.map(([name, description, scope = "repo"], index) => {
      const dir = `/${scope}/${index}/${name}`;
      const skill = { id: name, name, description, path: `${dir}/SKILL.md`, dir, scope, mtimeMs: 0 };
      return { skill, realPath: `/real/${name}/SKILL.md` };
    }),
    limits,
    "/repo/0",
  );
}

function found(of: SkillSearcher, query: string, options?: Parameters<SkillSearcher["search"]>[1]): string[] {
  return of.search(query, options).results.map(({ skill, reason }) => `${skill.path} ${reason}`);
}

test("a search finds by name and description", async () => {
  using scene = new SkillScene({
    "project/.agents/skills/notes/SKILL.md": skillText("notes", "Draft release notes from commits."),
    "project/.agents/skills/release/SKILL.md": skillText("release", "Publish a version."),
    "project/.agents/skills/release-check/SKILL.md": skillText("release-check", "Look before you leap."),
    "project/.agents/skills/other/SKILL.md": skillText("other", "Something else."),
  });
  const { results, count, truncated } = (await scene.open()).search("release");
  expect(results.map(({ skill, reason }) => [skill.name, reason])).toEqual([
    ["release", "exact_name"],
    ["release-check", "prefix"],
    ["notes", "token_overlap"],
  ]);
  expect([count, truncated]).toEqual([3, false]);
});

test("a better band always goes first, whatever the weights", () => {
  const of = searcher([
    ["deploy-x", "nothing"],
    ["deploy", "nothing"],
    ["a", "deploy deploy deploy"],
    ["deploy-much-longer-name", "deploy"],
  ]);
  const { results } = of.search("deploy");
  expect(results.map(({ skill, reason }) => [skill.name, reason])).toEqual([
    ["deploy", "exact_name"],
    ["deploy-x", "prefix"],
    ["deploy-much-longer-name", "prefix"],
    ["a", "token_overlap"],
  ]);
  expect(results.map(({ score }) => Math.floor(score))).toEqual([3, 2, 2, 1]);
});

test("a path finds its skill, also unnormalised, relative, as directory or as real path", () => {
  const of = searcher([["a", "x"]]);
  for (const path of [
    "/repo/0/a/SKILL.md",
    "/repo/0/a/./SKILL.md",
    "/repo/0/a",
    "/repo/0/a/",
    "/real/a/SKILL.md",
    "file:///repo/0/a/SKILL.md",
    "a/SKILL.md",
    "./a",
    "../0/a/",
  ]) {
    expect(found(of, path)).toEqual(["/repo/0/a/SKILL.md exact_path"]);
  }
});

test("equal scores are ordered by scope, then path", () => {
  const of = searcher([
    ["b", "same words", "user"],
    ["a", "same words", "user"],
    ["d", "same words"],
    ["c", "same words"],
  ]);
  expect(found(of, "words")).toEqual([
    "/repo/2/d/SKILL.md token_overlap",
    "/repo/3/c/SKILL.md token_overlap",
    "/user/0/b/SKILL.md token_overlap",
    "/user/1/a/SKILL.md token_overlap",
  ]);
  expect(found(of, "words", { scope: "user", limit: 1 })).toEqual(["/user/0/b/SKILL.md token_overlap"]);
});

test("rare words, words of the name and more of the words weigh more", () => {
  const of = searcher([
    ["one", "convert files"],
    ["two", "convert images"],
    ["three", "convert files and images"],
    ["images", "something"],
    ["five", "convert"],
    ["six", "convert"],
  ]);
  const names = of.search("convert images").results.map(({ skill }) => skill.name);
  expect(names).toEqual(["images", "two", "three", "one", "five", "six"]);
});

test("a Japanese question finds a Japanese description, in every spelling", () => {
  const of = searcher([
    ["notes", "リリースノートを作成する"],
    ["review", "コードレビューの手順"],
    ["plain", "Nothing of the kind"],
  ]);
  expect(of.search("レビュー").results.map(({ skill }) => skill.name)).toEqual(["review"]);
  expect(of.search("ﾘﾘｰｽﾉｰﾄ").results.map(({ skill }) => skill.name)).toEqual(["notes"]);
  expect(of.search("リリースノートの作成").results[0]?.skill.name).toBe("notes");
});

test("case and width make no difference", () => {
  const of = searcher([["a", "Größe von BILDERN ändern"]]);
  for (const query of ["bildern", "GRÖSSE ändern", "ＢＩＬＤＥＲＮ", "gro\u0308ße"]) {
    expect([query, of.search(query).count]).toEqual([query, 1]);
  }
});

test("the beginning of a word finds it", () => {
  const of = searcher([["a", "Migrations of databases"]]);
  expect(of.search("migrat").count).toBe(1);
  expect(of.search("mi").count).toBe(0);
});

test("limits are kept and what is left out is counted", () => {
  const of = searcher(Array.from({ length: 60 }, (_, index) => [`s-${index}`, "same"]));
  const counts = (limit?: number) => {
    const { results, count, truncated } = of.search("same", { limit });
    return [results.length, count, truncated];
  };
  expect(counts()).toEqual([8, 60, true]);
  expect(counts(3)).toEqual([3, 60, true]);
  expect(counts(1000)).toEqual([50, 60, true]);
  expect(counts(0)).toEqual([1, 60, true]);
  expect(counts(-5)).toEqual([1, 60, true]);
  expect(counts(Number.NaN)).toEqual([8, 60, true]);
  expect(counts(Number.POSITIVE_INFINITY)).toEqual([50, 60, true]);
});

test("empty, hostile and endless questions are only questions", () => {
  const of = searcher([["a", "some words here"]]);
  const none = { results: [], count: 0, truncated: false };
  for (const query of [
    "",
    "   ",
    "!?…",
    "(".repeat(100_000),
    "\0",
    "$",
    "/",
    "[q",
    "__proto__ constructor",
  ]) {
    expect(of.search(query)).toEqual(none);
  }
  expect(of.search(`words ${"x ".repeat(50_000)}`).count).toBe(1);
});

test("the same question gives the same answer, in any order of questions", () => {
  const all: [string, string][] = Array.from({ length: 40 }, (_, index) => [
    `s-${index}`,
    `word${index % 7} common`,
  ]);
  const [one, other] = [searcher(all), searcher(all)];
  for (const query of ["common", "word3 common", "wor", "s-1"]) one.search(query);
  for (const query of ["wor", "s-1", "word3 common", "common"]) {
    expect(one.search(query)).toEqual(other.search(query));
    expect(one.search(query)).toEqual(one.search(query));
  }
});
