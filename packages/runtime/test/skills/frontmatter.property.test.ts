// The quick way to read a frontmatter gives what the YAML parser gives, or nothing.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readPlainFields } from "../../src/skills/frontmatter/plain.ts";
import { readYamlFields } from "../../src/skills/frontmatter/yaml.ts";

const key = fc.constantFrom("name", "description", "license", "a-b", "k_1", "true", "null", "1a", "é");
const piece = fc.oneof(
  fc.constantFrom(
    "word",
    "1.0",
    "~",
    "null",
    "a:b",
    "a: b",
    "x #y",
    "#",
    "-",
    "- a",
    "?",
    "!t",
    "&a",
    "*a",
    "@",
    "%",
    "|",
    ">",
    "[a]",
    "{a}",

    '"',
    "'",
    "\\",
    "\\n",
    '"q"',
    "'q'",
    ":",
    ", ",
    "---",
    "...",
    "\t",
    "\r",
    "\u0085",
    "\u00a0",
    "\u2028",
    "\ufeff",
    "\u0007",
    "日本",
    "é",
    "e\u0301",
    "😀",
    "\u3000",
    "“q”",
    " ",
    "  ",
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }),
);
const value = fc.oneof(
  fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join("")),
  fc.array(piece, { maxLength: 3 }).map((pieces) => `"${pieces.join("")}"`),
  fc.array(piece, { maxLength: 3 }).map((pieces) => `'${pieces.join("")}'`),
);
const line = fc.tuple(key, fc.constantFrom(": ", ":  ", ":", " : "), value, fc.constantFrom("", " ", "  "));
const frontmatter = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 4 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, end, ends]) => lines.map((parts) => parts.join("")).join(end) + (ends ? end : ""));

test("what is read without the parser is what the parser reads", () => {
  let compared = 0;
  fc.assert(
    fc.property(frontmatter, (yaml) => {
      const plain = readPlainFields(yaml);
      if (plain === undefined) return;
      compared += 1;
      expect(readYamlFields(yaml)).toEqual({ ok: true, fields: plain });
    }),
    { numRuns: 5000 },
  );
  // Otherwise nothing was compared.
  expect(compared).toBeGreaterThan(200);
});
