// Words after quote removal, compared with a real bash.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { analyseCommand } from "../../src/shell/index.ts";

/** One piece of a word in one of bash's ways of quoting. None of them expands, so that bash only removes quotes. */
const character = fc.constantFrom(...Array.from(" abz09_./:=@%+,-#!^&|;<>()*?~[]{}\"'\\$`\t\u00e9\u65e5"));
const text = fc.array(character, { maxLength: 6 }).map((parts) => parts.join(""));
const piece = fc.oneof(
  fc.stringMatching(/^[a-z0-9_./:@%+,-]{1,6}$/u),
  text.map((value) => `'${value.replaceAll("'", "")}'`),
  text.map((value) => `"${value.replaceAll(/[\\"$`]/gu, "\\$&")}"`),
  text.map((value) => `"${value.replaceAll(/["$`\\]/gu, "")}\\z"`),
  text.map((value) => value.replaceAll(/[^\n]/gu, "\\$&")),
  text.map((value) => `$'${value.replaceAll(/[\\']/gu, "\\$&")}'`),
  fc.constantFrom(
    "$'\\x72m'",
    "$'\\162\\t\\e\\a'",
    "$'\\u0072\\U00000072'",
    "$'\\q\\?\\\"'",
    '$"a b"',
    "''",
    '""',
    "\\\n",
    "'a\nb'",
  ),
);
const word = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => `a${parts.join("")}`);

test("words are what bash makes of them, for generated quoting", async () => {
  const lines = fc.sample(fc.array(word, { minLength: 1, maxLength: 4 }), { numRuns: 400, seed: 11 });
  // Bash is asked once; an empty word, which none of these is, ends each line.
  const script = lines.map((words) => `printf '%s\\0' ${words.join(" ")} ''`).join("\n");
  const { stdout } = spawnSync("bash", ["--norc", "-c", script], {
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8" },
    maxBuffer: 1e8,
  });
  const expected = stdout
    .toString("utf8")
    .split("\0\0")
    .slice(0, -1)
    .map((line) => line.split("\0"));
  const found: unknown[] = [];
  for (const [at, words] of lines.entries()) {
    const { programs } = await analyseCommand(`printf ${words.join(" ")}`);
    const values = (programs[0]?.words ?? []).slice(1).map(({ value }) => value);
    // A word that the analysis leaves open is no mistake; a wrong one is.
    found.push(values.map((value, place) => value ?? expected[at]?.[place]));
  }
  expect(found).toEqual(expected);
});

test("generated quoting is almost always understood", async () => {
  const words = fc.sample(word, { numRuns: 400, seed: 12 });
  let known = 0;
  for (const one of words) {
    const { programs } = await analyseCommand(`printf ${one}`);
    if (programs[0]?.words[1]?.value !== undefined) known += 1;
  }
  expect(known).toBeGreaterThan(300);
});
