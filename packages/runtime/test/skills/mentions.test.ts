import { expect, test } from "bun:test";
import { findMentions } from "../../src/skills/index.ts";

const names = new Set(["alpha", "beta", "HOME", "10k"]);

function found(text: string, isSkillName = (name: string) => names.has(name)): string[] {
  return findMentions(text, isSkillName).map(({ name, path }) =>
    path === undefined ? name : `${name} -> ${path}`,
  );
}

test("names and links are found in order, each once, with their places", () => {
  expect(findMentions("use $alpha and [$beta](/tmp/beta), then $alpha", (name) => names.has(name))).toEqual([
    { name: "alpha", path: undefined, index: 4 },
    { name: "beta", path: "/tmp/beta", index: 15 },
  ]);
});

test("a mention stands at a word boundary and ends with its name", () => {
  const cases: [string, string[]][] = [
    ["$alpha", ["alpha"]],
    ["($alpha)", ["alpha"]],
    ["$alpha: do it", ["alpha"]],
    ["$alpha. Then", ["alpha"]],
    ["$alpha.skill", ["alpha"]],
    ["$alpha- and", ["alpha"]],
    ["$alpha-- and", ["alpha"]],
    ["$alpha, $beta!", ["alpha", "beta"]],
    ["日本語 $alpha を使う", ["alpha"]],
    ["「$alpha」", ["alpha"]],
    ["a$alpha", []],
    ["$$alpha", []],
    ["\\$alpha", []],
    ["é$alpha", []],
    ["$alphaé", []],
    ["$alpha_x", []],
    ["$alpha$beta", []],
    ["$", []],
    ["$ alpha", []],
    ["$スキル", []],
    [`${"$".repeat(256)} not-a-mention`, []],
  ];
  for (const [text, expected] of cases) expect([text, found(text)]).toEqual([text, expected]);
});

test("variables, amounts and templates are mentions only where a skill has that name", () => {
  for (const text of [
    `\${alpha}`,
    `\${HOME}`,
    "$(alpha)",
    "$PATH is set",
    "cost is $5",
    "$USER_NAME",
    "$Alpha",
  ]) {
    expect([text, found(text)]).toEqual([text, []]);
  }
  expect(found("echo $HOME")).toEqual(["HOME"]);
  expect(found("pay $10k")).toEqual(["10k"]);
  expect(found("[$PATH](/tmp/skill)")).toEqual([]);
});

test("a name that no skill has is told, so that its path can be resolved or refused", () => {
  expect(found("$gamma and [$delta](/x)")).toEqual(["gamma", "delta -> /x"]);
});

test("a link needs its $; an empty path is none", () => {
  expect(found("[beta](/tmp/beta)")).toEqual([]);
  expect(found("[$beta]()")).toEqual(["beta"]);
  expect(found("[$beta]( /a b )")).toEqual(["beta -> /a b"]);
  expect(found("[$beta](/a(b)c)")).toEqual(["beta -> /a(b)c"]);
});

test("code is left alone: spans, fences, of every length, closed or not", () => {
  const cases: [string, string[]][] = [
    ["`$alpha` $beta", ["beta"]],
    ["``a ` $alpha`` $beta", ["beta"]],
    ["`` $alpha ` $beta", ["alpha", "beta"]],
    ["` $alpha", ["alpha"]],
    ["```\n$alpha\n```\n$beta", ["beta"]],
    ["```sh\n$alpha\n", []],
    ["~~~\n$alpha\n```\n$alpha\n~~~\n$beta", ["beta"]],
    ["````\n```\n$alpha\n````\n$beta", ["beta"]],
    ["text\n  ```\n$alpha\n  ```\n$beta", ["beta"]],
    ["```a`b\n$alpha", ["alpha"]],
    ["`a\n$alpha` $beta", ["beta"]],
  ];
  for (const [text, expected] of cases) expect([text, found(text)]).toEqual([text, expected]);
});

test("a message of a megabyte is looked through in a moment", () => {
  expect(found("` ".repeat(500_000))).toEqual([]);
  expect(found("[$".repeat(300_000))).toEqual([]);
  const many = Array.from({ length: 20_000 }, (_, index) => "`".repeat((index % 300) + 1)).join(" ");
  expect(found(`${many} $alpha`).length).toBeLessThanOrEqual(1);
  expect(findMentions("$a$b ".repeat(200_000), () => true).length).toBeLessThanOrEqual(64);
}, 60_000);
