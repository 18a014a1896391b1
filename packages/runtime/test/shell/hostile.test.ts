// Hostile texts: whatever comes in, an analysis comes out, and nothing that it did not understand is out of reach.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { analyseCommand, canReach, renderAnalysis, safetyOfCommand } from "../../src/shell/index.ts";

const floods: readonly (readonly [string, string])[] = [
  ["nested parentheses", "(".repeat(100_000)],
  ["nested substitutions", `${"$(".repeat(500)}rm${")".repeat(500)}`],
  ["many substitutions", "$(".repeat(8000)],
  ["nested backticks", "`".repeat(16_000)],
  ["nested braces", "{".repeat(16_000)],
  ["nested arithmetic", "((".repeat(8000)],
  ["nested brackets", "[".repeat(16_000)],
  ["nested groups", `${"{ ".repeat(900)}rm${"; }".repeat(900)}`],
  ["nested ifs", `${"if ".repeat(900)}rm`],
  ["many here-documents", "<<E ".repeat(4000)],
  ["many wrappers", `${"env ".repeat(4000)}rm`],
  ["many wrappers of every kind", `${"sudo nice nohup ".repeat(1000)}rm`],
  ["many finds", `${"find -exec ".repeat(1300)}rm`],
  ["eval of eval", `${"eval ".repeat(3000)}rm`],
  ["many evals", `${"eval a;".repeat(2000)}rm`],
  [
    "texts in texts",
    Array.from({ length: 12 }).reduce<string>((text) => `bash -c '${text.replaceAll("'", "'\\''")}'`, "rm"),
  ],
  ["a megabyte", "a".repeat(1_000_000)],
  ["a megabyte of words", `${"a ".repeat(500_000)}rm`],
  ["ambiguous repetition for sed", `sed -n '${"1,2!p;".repeat(160)}x`],
  ["a sed script of white space", `sed -n '1${" ".repeat(900)}?' f`],
  ["a sed script of newlines", `sed 'p${"\n".repeat(900)}?' f`],
  ["an assignment of colons", `x=${":".repeat(8000)} ls y=${":=".repeat(4000)}`],
  ["a long chain", `${"ls && ".repeat(2500)}rm`],
];

describe("floods", () => {
  test.each(floods)(
    "%s end in an analysis that does not call it safe",
    async (_name, command) => {
      const analysis = await analyseCommand(command);
      expect(safetyOfCommand(analysis).safe).toBe(false);
      expect(analysis.obstacles.length).toBeLessThan(200);
    },
    300_000,
  );

  test("what is too much to look at can reach everything", async () => {
    const tooMuch = [`${" ".repeat(17_000)}r''m`, `${"$(".repeat(2000)}r''m`, `${"env ".repeat(4050)}r"m"`];
    for (const command of tooMuch) expect(canReach(await analyseCommand(command), "rm")).not.toBe("no");
  });
});

const fragments = [
  "rm",
  "ls",
  " ",
  "\n",
  ";",
  "&",
  "|",
  "&&",
  "||",
  "(",
  ")",
  "{",
  "}",
  "$",
  "$(",
  "${",
  "$((",
  "))",
  "`",
  "'",
  '"',
  "\\",
  "<",
  ">",
  "<<",
  "<<<",
  "<<E\n",
  "E\n",
  "[[",
  "]]",
  "[",
  "]",
  "if",
  "then",
  "fi",
  "for",
  "in",
  "do",
  "done",
  "case",
  "esac",
  "function",
  "f()",
  "=",
  "x=",
  "*",
  "?",
  "~",
  "!",
  "#",
  "eval",
  "bash -c",
  "env",
  "find -exec",
  "sed",
  "awk",
  "git -c",
  "xargs",
  "$'",
  "\\x72",
  "\0",
  "\u200b",
  "\ud800",
  "0",
  "1>",
  "{a,b}",
  "@(",
  "time",
  "coproc",
];

test("no text makes the analysis throw, and no text that is not understood is out of reach", async () => {
  const text = fc.oneof(
    fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((parts) => parts.join("")),
    fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((parts) => parts.join(" ")),
    fc.string({ unit: "binary", maxLength: 200 }),
  );
  await fc.assert(
    fc.asyncProperty(text, async (command) => {
      const analysis = await analyseCommand(command);
      renderAnalysis(analysis);
      const understood = analysis.obstacles.every(({ kind }) => kind !== "unparsable" && kind !== "too_long");
      const safe = safetyOfCommand(analysis).safe;
      if (!understood) expect([canReach(analysis, "rm") !== "no", safe]).toEqual([true, false]);
      if (safe) expect(analysis.obstacles).toEqual([]);
    }),
    { numRuns: 3000, seed: 7 },
  );
}, 300_000);
