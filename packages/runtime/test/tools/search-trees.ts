// Random trees, patterns and globs on which ripgrep and the built-in search must agree.
import fc from "fast-check";
import type { TreeDescription } from "../../../../test/support/tree.ts";

function words(text: string): string[] {
  return text.split(" ");
}

const name = fc.constantFrom(
  ...words("a b build x.ts y.log .hid .env é 日本.txt [ab x,y {c} 😀 ﬀ a.b"),
  "a b",
);
const content = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        "foo",
        "bar foo",
        "FOO",
        "",
        "日本 foo",
        "a\rb",
        "x1_y",
        "é",
        "\tfoo bar",
        "}{",
        "foo\r",
      ),
      {
        maxLength: 6,
      },
    )
    .chain((lines) => fc.constantFrom("\n", "\r\n").map((end) => lines.join(end))),
  fc.constantFrom("foo\n\0bar", "\0foo", `${"foo ".repeat(200)}\n`, "\uFEFFfoo\nbar\n"),
  fc.constant(Uint8Array.from([0xff, 0xfe, 0x66, 0, 0x6f, 0, 0x6f, 0, 0x0a, 0])),
  fc.constant(Uint8Array.from([0x66, 0x6f, 0x6f, 0xff, 0x0a, 0x62, 0x61, 0x72])),
);
const rulePart = fc.constantFrom(
  ...words("a b * ** ? *.ts [ab [!a] [a-c] {a,b} build .hid .* é 日* x,y"),
  ...words("\\a *.log a*b **a {a,} [é] []a] { } a.b y.log [a-"),
);
const plainRulePart = fc.constantFrom(...words("a b build x.ts y.log .hid .env a.b *"));
const rule = fc
  .tuple(
    fc.constantFrom("", "", "!", "\\!"),
    fc.constantFrom("", "", "/", "**/"),
    fc.array(fc.oneof(plainRulePart, rulePart), { minLength: 1, maxLength: 2 }),
    fc.constantFrom("", "", "/", "/**", " ", "\\ ", "\r"),
  )
  .map(([mark, start, parts, end]) => `${mark}${start}${parts.join("/")}${end}`);
const ignoreFile = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: rule },
      { weight: 1, arbitrary: fc.constantFrom("# a", "", "#a", "\uFEFFa") },
    ),
    {
      maxLength: 4,
    },
  )
  .map((rules) => rules.join("\n"));

const folder = fc.array(fc.constantFrom("a", "b", "build", ".hid", "é", "a.b"), { maxLength: 3 });
const entry = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(folder, name, content) },
  {
    weight: 2,
    arbitrary: fc.tuple(folder, fc.constantFrom(".gitignore", ".ignore", ".rgignore"), ignoreFile),
  },
  { weight: 1, arbitrary: fc.tuple(folder, fc.constant(".git/HEAD"), fc.constant("foo\n")) },
  {
    weight: 1,
    arbitrary: fc.tuple(folder, fc.constant("link"), fc.constantFrom({ link: "." }, { link: "../a" })),
  },
);

/** Without two entries of which one is a file and the other needs a folder of that name. */
export const tree = fc
  .tuple(fc.array(entry, { minLength: 1, maxLength: 25 }), ignoreFile, fc.boolean())
  .map(([entries, ignore, isRepository]) => {
    const files = new Map<string, TreeDescription[string]>();
    const folders = new Set<string>();
    if (isRepository) entries.unshift([[], ".git/HEAD", "foo\n"]);
    entries.unshift([[], ".gitignore", ignore]);
    for (const [above, last, body] of entries) {
      const names = [...above, ...last.split("/")];
      const parents = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join("/"));
      const path = names.join("/");
      if (files.has(path) || folders.has(path) || parents.some((parent) => files.has(parent))) continue;
      files.set(path, body);
      for (const parent of parents) folders.add(parent);
    }
    return Object.fromEntries(files);
  });

const globPart = fc.constantFrom(
  ...words("a b * ** ? *.ts [ab] [!a]* {a,b} .hid .* .env é *.{ts,log} {a,} .git 日?.txt"),
);
export const glob = fc
  .tuple(
    fc.constantFrom("", "", "/", "./", "!"),
    fc.array(globPart, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "/", "/**"),
  )
  .map(([start, parts, end]) => `${start}${parts.join("/")}${end}`);

const atom = fc.constantFrom(
  ...words("foo o . \\w \\W \\d \\s \\S [a-f] [^o] [[:alpha:]] [^\\w\\s] [a-z&&[^f]] 日"),
  ...words("\\p{Han} \\pL \\b \\B ^ $ \\x66 \\u{e9} é [É] (?i)FOO (?i:F) (?P<n>f) (?:) { }"),
  ...words("\\. \\{ ] [\\]x] \\b{start} \\< \\> [^\\r\\n] [\\d_] [a-z--o] \\t bar"),
);
const quantified = fc
  .tuple(atom, fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "*?", "+*"))
  .map(([one, count]) => (one === "(?i)FOO" ? one : `(?:${one})${count}`));
export const pattern = fc
  .array(fc.array(quantified, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
  .map((choices) => choices.map((parts) => parts.join("")).join("|"));
