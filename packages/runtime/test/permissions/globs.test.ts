import { describe, expect, test } from "bun:test";
import { assert as holds, property, string, stringMatching } from "fast-check";
import { compileCommandGlob, exactCommandGlob, joinedWords } from "../../src/permissions/command-glob.ts";
import { compilePathGlob } from "../../src/permissions/path-glob.ts";
import { escapeGlob } from "../../src/permissions/wildcard.ts";

const bases = { root: ["/repo", "/real/repo"], home: ["/home/u"] };

describe("a path glob", () => {
  test.each([
    [
      "src/*.ts",
      ["/repo/src/a.ts", "/real/repo/src/.ts"],
      ["/repo/src/x/a.ts", "/src/a.ts", "/repo/src/a.tsx"],
    ],
    ["src/**", ["/repo/src", "/repo/src/a", "/repo/src/a/b"], ["/repo/srcs", "/repo/a/src/b"]],
    ["**/.env", ["/repo/.env", "/repo/a/b/.env"], ["/repo/.env/x", "/.env"]],
    ["a/**/b/**/c", ["/repo/a/b/c", "/repo/a/x/b/b/y/c"], ["/repo/a/c", "/repo/a/b"]],
    ["?.md", ["/repo/a.md", "/repo/ä.md"], ["/repo/ab.md", "/repo/.md"]],
    ["\\*", ["/repo/*"], ["/repo/a"]],
    ["/etc/*", ["/etc/passwd"], ["/etc", "/repo/etc/passwd"]],
    ["~/x", ["/home/u/x"], ["/repo/~/x"]],
  ])("%s", (glob, matching, others) => {
    const { matches } = compilePathGlob(glob, bases);
    expect([matching.filter(matches), others.filter(matches)]).toEqual([matching, []]);
  });

  test("of an escaped path matches that path alone", () => {
    const path = stringMatching(/^(?:\/[a*?\\[\]{} ]{1,4}){1,4}$/);
    holds(
      property(path, path, (one, other) => {
        const { matches } = compilePathGlob(escapeGlob(one), bases);
        return matches(one) && matches(other) === (one === other);
      }),
    );
  });
});

describe("a command glob", () => {
  test("agrees with a regular expression", () => {
    const text = stringMatching(/^[ab* ]{0,8}$/);
    holds(
      property(text, text, (glob, words) => {
        const expression = new RegExp(`^${glob.replaceAll("*", ".*")}$`);
        return compileCommandGlob(glob).matches(words) === expression.test(words);
      }),
    );
  });

  test("of exact words matches these words alone, however they are put together", () => {
    const word = stringMatching(/^[a '*\\]{0,3}$/);
    holds(
      property(word, word, word, (first, second, third) => {
        const { matches } = compileCommandGlob(exactCommandGlob(["p", first, second]));
        const others = [
          ["p", `${first} ${second}`],
          ["p", first, second, third],
          ["p", first, third],
        ];
        return (
          matches(joinedWords(["p", first, second])) &&
          others.every(
            (words) =>
              matches(joinedWords(words)) === (words.length === 3 && third === second && words[2] === third),
          )
        );
      }),
    );
  });

  test("takes little time for a text that nearly matches", () => {
    const glob = compileCommandGlob(`${"*a".repeat(50)}b`);
    expect(glob.matches("a".repeat(5000))).toBe(false);
  });
});

test("any text is quoted into words that differ when the words do", () => {
  holds(
    property(
      string(),
      string(),
      (one, other) => (joinedWords([one]) === joinedWords([other])) === (one === other),
    ),
  );
});
