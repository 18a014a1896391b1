import { expect, test } from "bun:test";
import { skillSkeleton, validateSkills } from "../../src/skills/index.ts";
import { SkillScene, skillText } from "./skills-scene.ts";

const place = "project/.agents/skills/s/SKILL.md";

/** `line:column message` of every problem of one SKILL.md in a directory `s`. */
async function problemsOf(content: string | Uint8Array): Promise<string[]> {
  using scene = new SkillScene({ [place]: content });
  const { skills } = await validateSkills(scene.at(place));
  return skills.flatMap(({ problems }) =>
    problems.map(({ line, column, message, severity }) => `${severity} ${line}:${column} ${message}`),
  );
}

/** What the catalog says of one SKILL.md in a directory `s`. */
async function described(content: string | Uint8Array): Promise<string[]> {
  using scene = new SkillScene({ [place]: content });
  const { catalog } = await scene.open();
  return [
    ...catalog.skills.map(({ description }) => description),
    ...catalog.errors.map(({ message }) => message),
  ];
}

const bom = "\ufeff";

test("every way to write a text is read as YAML reads it", async () => {
  const texts: [string, string][] = [
    ["description: Plain text", "Plain text"],
    ["description:   Plain text   ", "Plain text"],
    ["description: \"With: colon # and 'quotes'\"", "With: colon # and 'quotes'"],
    ["description: 'It''s quoted'", "It's quoted"],
    ['description: "Tab\\tand \\u00e9"', "Tab\tand é"],
    ["description: Two\n  lines", "Two lines"],
    ["description: >\n  Folded\n  text\n", "Folded text"],
    ["description: |-\n  Kept\n  lines", "Kept\nlines"],
    ["description: Text # with a comment", "Text"],
    ["description: 1.0", "1.0"],
    ["description: true", "true"],
    ["description: 日本語の説明", "日本語の説明"],
    ["version: 1.0\ndescription: x", "x"],
  ];
  for (const [yaml, expected] of texts) {
    for (const [kind, text] of [
      ["LF", `---\nname: s\n${yaml}\n---\nBody\n`],
      ["CRLF", `---\nname: s\n${yaml}\n---\nBody\n`.replaceAll("\n", "\r\n")],
      ["BOM", `${bom}---\nname: s\n${yaml}\n---\nBody\n`],
      ["no body", `---\nname: s\n${yaml}\n---`],
      ["blanks behind the marks", `--- \nname: s\n${yaml}\n---\t\nBody`],
    ]) {
      expect([yaml, kind, await described(text ?? "")]).toEqual([yaml, kind, [expected]]);
    }
  }
});

test("each mistake is told with its place", async () => {
  const cases: [string, string[]][] = [
    ["", ["error 1:1 has no frontmatter"]],
    ["# Title\n", ["error 1:1 has no frontmatter"]],
    ["---js\nname: s\n---\n", ["error 1:4 the line --- that starts the frontmatter has more on it"]],
    ["---\nname: s\ndescription: x\n", ["error 1:1 the frontmatter has no end"]],
    ["---\n- a\n---\n", ["error 2:1 the frontmatter must be keys with values"]],
    ["---\n---\n", ["error 2:1 the frontmatter must be keys with values"]],
    ["---\njust text\n---\n", ["error 2:1 the frontmatter must be keys with values"]],
    ["---\nname: s\n---\n", ["error 1:1 description is missing"]],
    ["---\ndescription: x\n---\n", ["error 1:1 name is missing"]],
    ["---\nname:\ndescription: x\n---\n", ["error 2:6 name is empty"]],
    ["---\nname: s\ndescription: ''\n---\n", ["error 3:14 description is empty"]],
    ["---\nname: s\ndescription: '  '\n---\n", ["error 3:14 description is empty"]],
    ["---\nname: [s]\ndescription: x\n---\n", ["error 2:7 name must be text"]],
    ["---\nname: s\ndescription: {a: b}\n---\n", ["error 3:14 description must be text"]],
    ["---\nname: t\ndescription: x\n---\n", ["error 2:7 name is t but its directory is s"]],
    ["---\nname: s\nname: s\ndescription: x\n---\n", ["error 3:1 the key is there twice"]],
    [
      "---\nname: s\ndescription: Build for X: Y\n---\n",
      ["error 3:14 the text has a colon and a blank in it, which starts another key"],
    ],
    [
      "---\nname: &a s\ndescription: *a\n---\n",
      ["error 2:10 anchors (&name) are not allowed", "error 3:14 aliases (*name) are not allowed"],
    ],
    ["---\nname: !!str s\ndescription: x\n---\n", ["error 2:13 tags (!name) are not allowed"]],
    ["---\nname: s\ndescription: !!js/function x\n---\n", ["error 3:14 tags (!name) are not allowed"]],
    ["---\nname: s\n\tdescription: x\n---\n", ["error 3:1 the line is indented with a tab"]],
    [
      "---\nname: s\ndescription: @x\n---\n",
      ["error 3:14 the text begins with a character that YAML keeps for itself"],
    ],
    ["---\n%YAML 1.1\nname: s\ndescription: x\n---\n", ["error 3:1 has directives in the lines above"]],
    [
      "---\nname: s\ndescription: x\nhooks: y\n---\n",
      ["warning 4:1 hooks is no key of a skill and is ignored"],
    ],
    [
      "---\nname: s\ndescription: x\nmetadata:\n  a: {b: c}\n---\n",
      ["warning 5:3 metadata should be keys with texts and is ignored"],
    ],
    [
      `---\nname: s\ndescription: x\ncompatibility: ${"c".repeat(501)}\n---\n`,
      ["error 4:16 compatibility has 501 characters; 500 are allowed"],
    ],
    [
      `---\nname: s\ndescription: ${"d".repeat(1025)}\n---\n`,
      ["error 3:14 description has 1025 characters; 1024 are allowed"],
    ],
    [`---\nname: s\ndescription: ${"😀".repeat(1024)}\n---\n`, []],
    [
      "---\nname: S\ndescription:\n---\n",
      ["error 2:7 name S must be lowercase", "error 3:13 description is empty"],
    ],
    [
      '---\nname: "a\\u001bb"\ndescription: x\n---\n',
      ['error 2:7 name "a\\u001bb" has invalid characters; a-z, 0-9 and single hyphens are allowed'],
    ],
  ];
  for (const [text, expected] of cases) expect([text, await problemsOf(text)]).toEqual([text, expected]);
});

test("what is no text is an error with words", async () => {
  expect(await problemsOf(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1]))).toEqual([
    "error 1:1 is not text: it has a NUL byte",
  ]);
  const latin = Buffer.from("---\nname: s\ndescription: caf\xe9\n---\n", "latin1");
  expect(await problemsOf(latin)).toEqual(["error 3:17 the frontmatter is not UTF-8 text"]);
  const utf16 = Buffer.from("\ufeff---\nname: s\n", "utf16le");
  expect(await problemsOf(utf16)).toEqual(["error 1:1 is not text: it has a NUL byte"]);
});

test("a frontmatter of 64 KiB is read, a longer one is refused", async () => {
  const filled = (bytes: number) => {
    const keys = "name: s\ndescription: x\nlicense: ";
    return `---\n${keys}${"l".repeat(bytes - keys.length - 1)}\n---\nBody\n`;
  };
  expect(await problemsOf(filled(64 * 1024))).toEqual([]);
  const tooLong = ["error 1:1 the frontmatter has no end within 64 KiB"];
  expect(await problemsOf(filled(64 * 1024 + 1))).toEqual(tooLong);
  expect(await problemsOf(filled(1024 * 1024))).toEqual(tooLong);
});

test("floods of brackets, levels, keys and mistakes end with a few words", async () => {
  const nested = ["error 2:1 is nested too deeply"];
  for (const bomb of ["[".repeat(60_000), "{a: ".repeat(15_000), "- ".repeat(30_000), "? ".repeat(30_000)]) {
    expect(await problemsOf(`---\nname: s\ndescription: ${bomb}\n---\n`)).toEqual(nested);
  }
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: v`).join("\n");
  expect(await problemsOf(`---\nname: s\ndescription: x\n${keys(1001)}\n---\n`)).toHaveLength(1001);
  expect(await problemsOf(`---\n"name": s\ndescription: x\n${keys(1001)}\n---\n`)).toEqual([
    "error 2:1 has more than 1000 lines",
  ]);
  expect(await problemsOf(`---\nname: s\n${"name: s\n".repeat(100)}---\n`)).toHaveLength(20);
});

test("a SKILL.md of 50 MB costs its head in the catalog", async () => {
  using scene = new SkillScene({ [place]: skillText("s", "Large.", "x".repeat(50_000_000)) });
  let bytes = 0;
  const { nodeSkillDisk } = await import("../../src/skills/disk.ts");
  const disk = {
    ...nodeSkillDisk,
    read: (fd: number, buffer: Uint8Array, position: number) => {
      const count = nodeSkillDisk.read(fd, buffer, position);
      bytes += count;
      return count;
    },
  };
  expect((await scene.open({}, disk)).catalog.skills.map(({ description }) => description)).toEqual([
    "Large.",
  ]);
  expect(bytes).toBeLessThanOrEqual(4096);
});

test("the keys of the standard are kept", async () => {
  using scene = new SkillScene({
    [place]:
      "---\nname: s\ndescription: x\nversion: 1.0\nlicense: MIT\ncompatibility: Needs git\nallowed-tools: Bash(jq:*) Bash(git:*)\nmetadata:\n  author: me\n  rank: 7\n---\n",
  });
  const { skills } = await validateSkills(scene.at("project"));
  expect(skills).toEqual([
    {
      path: scene.at(place),
      name: "s",
      frontmatter: {
        name: "s",
        description: "x",
        version: "1.0",
        license: "MIT",
        compatibility: "Needs git",
        allowedTools: "Bash(jq:*) Bash(git:*)",
        metadata: { author: "me", rank: "7" },
      },
      problems: [],
    },
  ]);
});

test("a folder is validated as a whole: every skill, every problem, and what is wrong with the folder", async () => {
  using scene = new SkillScene({
    "lib/good/SKILL.md": skillText("good"),
    "lib/group/bad/SKILL.md": "---\nname: Bad\nextra: 1\n---\n",
    "lib/lower/skill.md": skillText("lower"),
    "lib/gone": { link: "nothing" },
  });
  const { skills, problems, errorCount, warningCount } = await validateSkills(scene.at("lib"));
  expect(skills.map(({ path, name }) => [scene.short(path), name])).toEqual([
    ["lib/good/SKILL.md", "good"],
    ["lib/group/bad/SKILL.md", undefined],
  ]);
  expect(skills[1]?.problems).toEqual([
    {
      path: scene.at("lib/group/bad/SKILL.md"),
      severity: "error",
      message: "description is missing",
      line: 1,
      column: 1,
      fix: "write: description: what it does, and when to use it",
    },
    {
      path: scene.at("lib/group/bad/SKILL.md"),
      severity: "error",
      message: "name Bad must be lowercase",
      line: 2,
      column: 7,
      fix: "write: name: bad",
    },
    {
      path: scene.at("lib/group/bad/SKILL.md"),
      severity: "warning",
      message: "extra is no key of a skill and is ignored",
      line: 3,
      column: 1,
      fix: "remove it, or put it below metadata:",
    },
  ]);
  expect(problems.map(({ path, message }) => `${scene.short(path)}: ${message}`)).toEqual([
    "lib/gone: is a link that leads nowhere",
    "lib/lower/skill.md: is not found under this name",
  ]);
  expect([errorCount, warningCount]).toEqual([4, 1]);
});

test("a path without skills, without anything, or of another file is told", async () => {
  using scene = new SkillScene({ "empty/": "", "notes.md": "x" });
  const messages = async (path: string) =>
    (await validateSkills(scene.at(path))).problems.map(({ message }) =>
      message.replace(scene.tree.path, ""),
    );
  expect(await messages("empty")).toEqual(["has no skill in it"]);
  expect(await messages("notes.md")).toEqual(["is no skill: it is not called SKILL.md"]);
  expect(await messages("absent")).toEqual(["there is no such file or directory (ENOENT)"]);
});

test("a new skill is valid, whatever its description", async () => {
  for (const description of ["Plain.", 'Use when: "x" # y', "日本語", "a\nb\\", "- x", "{a}: [b]"]) {
    const files = skillSkeleton("my-skill", description);
    using scene = new SkillScene(Object.fromEntries(files.map(({ path, text }) => [`lib/${path}`, text])));
    const { skills, errorCount, warningCount } = await validateSkills(scene.at("lib"));
    expect([errorCount, warningCount]).toEqual([0, 0]);
    expect(skills.map(({ frontmatter }) => frontmatter)).toEqual([
      { name: "my-skill", description: description.replace("\n", " ") },
    ]);
  }
});
