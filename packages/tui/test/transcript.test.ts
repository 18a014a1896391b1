import { describe, expect, test } from "bun:test";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { createStyle, themeFor } from "../src/screen/index.ts";
import { highlightCode } from "../src/transcript/highlight.ts";
import { finishedLength, markdownLines } from "../src/transcript/markdown.ts";

const none = createStyle("none");

describe("of an answer that grows", () => {
  test.each([
    ["One.\n\nTwo", "One.\n\n"],
    ["One.\n\n", ""],
    ["```\na\n\nb\n", ""],
    ["```\na\n\nb\n```\n\nAfter", "```\na\n\nb\n```\n\n"],
    ["- one\n\n  still one\n\nAfter", "- one\n\n  still one\n\n"],
    ["~~~\n```\n\nx", ""],
  ])("%j has finished %j", (text, finished) => {
    expect(text.slice(0, finishedLength(text))).toBe(finished);
  });

  test("what is printed block by block is what is printed at once", () => {
    const block = fc.constantFrom(
      "Words.",
      "# Head",
      "```ts\nconst a = 1;\n\nb\n```",
      "> said",
      "| a |\n|---|\n| 1 |",
    );
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        (blocks, step) => {
          const text = blocks.join("\n\n");
          const printed: string[] = [];
          let open = "";
          for (let at = 0; at < text.length; at += step) {
            open += text.slice(at, at + step);
            const length = finishedLength(open);
            if (length > 0) printed.push(...markdownLines(open.slice(0, length), 60, none), "");
            open = open.slice(length);
          }
          printed.push(...markdownLines(open, 60, none));
          expect(printed).toEqual(markdownLines(text, 60, none));
        },
      ),
    );
  });
});

test("highlighting adds colours and changes no character", () => {
  const piece = fc.constantFrom(
    "const ",
    '"text',
    "'",
    "`",
    "// c\n",
    "/* ",
    "*/",
    "# x\n",
    "1.5e3",
    "\n",
    "名前",
    "\\",
  );
  const languages = fc.constantFrom("ts", "py", "sql", "json", "diff", "unknown", undefined);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), languages, (pieces, language) => {
      const code = pieces.join("");
      const shown = highlightCode(code, language, createStyle("dark")).join("\n");
      expect(stripVTControlCharacters(shown)).toBe(code);
    }),
  );
});

test("code is coloured by what it is, line by line", () => {
  const { dim, keyword, string, number } = createStyle("dark");
  expect(highlightCode('/* a\nb */ const x = "é" + 1; // c', "ts", createStyle("dark"))).toEqual([
    dim("/* a"),
    `${dim("b */")} ${keyword("const")} x = ${string('"é"')} + ${number("1")}; ${dim("// c")}`,
  ]);
});

test.each([
  [{ NO_COLOR: "1" }, "none"],
  [{ NO_COLOR: "" }, "light"],
  [{ TERM: "dumb" }, "none"],
  [{ TERM: "xterm-mono" }, "none"],
  [{ TERM: "xterm-16color" }, "light"],
] as const)("with %j the theme is %s", (env, theme) => {
  expect(themeFor(env, "light")).toBe(theme);
});
