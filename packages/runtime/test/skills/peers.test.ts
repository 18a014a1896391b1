// Cases of other agents (skill_frontmatter) and of the reference validator (skills_ref_validator, skills_ref_parser,
// skills_ref_probes) on which behaviour was measured. Where the specification is stricter or looser the case says so.
import { expect, test } from "bun:test";
import { validateSkills } from "../../src/skills/index.ts";
import { SkillScene } from "./skills-scene.ts";

/** What validating one SKILL.md in a directory says: messages of errors only. */
async function errorsOf(dir: string, frontmatter: string, file = "SKILL.md"): Promise<string[]> {
  using scene = new SkillScene({ [`lib/${dir}/${file}`]: `---\n${frontmatter}\n---\nBody\n` });
  const { skills, problems } = await validateSkills(scene.at("lib", dir));
  const all = [...problems, ...skills.flatMap((skill) => skill.problems)];
  return all.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

const described = "description: About it.";
const goesOn =
  "the text goes on behind what YAML takes for all of it: it begins with a quote, a bracket, * or &";
const invalid = "has invalid characters; a-z, 0-9 and single hyphens are allowed";

interface Case {
  readonly peer: string;
  readonly dir: string;
  readonly frontmatter: string;
  readonly errors: string[];
  /** Why it differs from the peer. */
  readonly because?: string;
}

const validator: Case[] = [
  { peer: "valid skill", dir: "my-skill", frontmatter: `name: my-skill\n${described}`, errors: [] },
  {
    peer: "uppercase name",
    dir: "MySkill",
    frontmatter: `name: MySkill\n${described}`,
    errors: ["name MySkill must be lowercase"],
  },
  {
    peer: "leading hyphen",
    dir: "-my-skill",
    frontmatter: `name: -my-skill\n${described}`,
    errors: ["name -my-skill cannot start or end with a hyphen"],
  },
  {
    peer: "invalid characters",
    dir: "my_skill",
    frontmatter: `name: my_skill\n${described}`,
    errors: [`name my_skill ${invalid}`],
  },
  {
    peer: "unexpected fields: an error there",
    dir: "my-skill",
    frontmatter: `name: my-skill\n${described}\nunknown_field: x`,
    errors: [],
    because: "decisions B3: unknown keys are ignored, with a warning",
  },
  {
    peer: "allowed-tools",
    dir: "my-skill",
    frontmatter: `name: my-skill\n${described}\nallowed-tools: Bash(jq:*) Bash(git:*)`,
    errors: [],
  },
  {
    peer: "Russian name: valid there",
    dir: "мой-навык",
    frontmatter: `name: мой-навык\n${described}`,
    errors: [`name мой-навык ${invalid}`],
    because: "seed 5.3: names are ASCII",
  },
  {
    peer: "Russian name in upper case",
    dir: "НАВЫК",
    frontmatter: `name: НАВЫК\n${described}`,
    errors: ["name НАВЫК must be lowercase"],
  },
  {
    peer: "compatibility",
    dir: "my-skill",
    frontmatter: `name: my-skill\n${described}\ncompatibility: short`,
    errors: [],
  },
  {
    peer: "NFKC of name and directory: valid there",
    dir: "caf\u00e9",
    frontmatter: `name: cafe\u0301\n${described}`,
    errors: [`name cafe\u0301 ${invalid}`],
    because: "seed 5.3: names are ASCII",
  },
  { peer: "name 123 in directory 123", dir: "123", frontmatter: `name: 123\n${described}`, errors: [] },
  { peer: "empty name", dir: "s", frontmatter: `name: ""\n${described}`, errors: ["name is empty"] },
  {
    peer: "description of 1024",
    dir: "s",
    frontmatter: `name: s\ndescription: ${"x".repeat(1024)}`,
    errors: [],
  },
  {
    peer: "description of 1025",
    dir: "s",
    frontmatter: `name: s\ndescription: ${"x".repeat(1025)}`,
    errors: ["description has 1025 characters; 1024 are allowed"],
  },
  {
    peer: "description of 1024 emoji",
    dir: "s",
    frontmatter: `name: s\ndescription: ${"😀".repeat(1024)}`,
    errors: [],
  },
  {
    peer: "allowed-tools as a list",
    dir: "s",
    frontmatter: `name: s\n${described}\nallowed-tools:\n  - Read\n  - Bash`,
    errors: [],
  },
  {
    peer: "nested metadata",
    dir: "s",
    frontmatter: `name: s\n${described}\nmetadata:\n  a:\n    b: c`,
    errors: [],
  },
  {
    peer: "metadata as a string",
    dir: "s",
    frontmatter: `name: s\n${described}\nmetadata: text`,
    errors: [],
  },
  { peer: "license as a list", dir: "s", frontmatter: `name: s\n${described}\nlicense: [a, b]`, errors: [] },
  { peer: "CRLF", dir: "s", frontmatter: `name: s\r\n${described}\r`, errors: [] },
  {
    peer: "version and disable-model-invocation: errors there",
    dir: "s",
    frontmatter: `name: s\n${described}\nversion: 1.0\ndisable-model-invocation: true`,
    errors: [],
    because: "seed 5.3 recommends version; decisions B3: unknown keys are ignored, with a warning",
  },
  {
    peer: "fullwidth letters: valid there",
    dir: "ａｂ",
    frontmatter: `name: ａｂ\n${described}`,
    errors: [`name ａｂ ${invalid}`],
    because: "seed 5.3: names are ASCII",
  },
  {
    peer: "sharp s: valid there",
    dir: "straße",
    frontmatter: `name: straße\n${described}`,
    errors: [`name straße ${invalid}`],
    because: "seed 5.3: names are ASCII",
  },
  { peer: "missing name", dir: "s", frontmatter: described, errors: ["name is missing"] },
  { peer: "missing description", dir: "n", frontmatter: "name: n", errors: ["description is missing"] },
  { peer: "a list", dir: "s", frontmatter: "- a list", errors: ["the frontmatter must be keys with values"] },
  {
    peer: "codex repairs blanks in names",
    dir: "a b",
    frontmatter: `name:  a  b\n${described}`,
    errors: [`name a  b ${invalid}`],
    because: "seed 5.3: the name's pattern",
  },
  {
    peer: "codex repairs a colon in a text",
    dir: "s",
    frontmatter: "name: s\ndescription: Build for X: Y",
    errors: ["the text has a colon and a blank in it, which starts another key"],
    because: "decisions B3: a real YAML parser; the error says what to write",
  },
  {
    peer: "codex repairs unknown keys that need quotes",
    dir: "s",
    frontmatter: `name: s\n${described}\nargument-hint: <d: e.g. 7d>\ntags: [next,@s/ssr]`,
    errors: [
      "the text has a colon and a blank in it, which starts another key",
      "the text begins with a character that YAML keeps for itself",
    ],
    because: "decisions B3: a real YAML parser; the error says what to write",
  },
  {
    peer: "name of 65",
    dir: "x".repeat(65),
    frontmatter: `name: ${"x".repeat(65)}\n${described}`,
    errors: [`name ${"x".repeat(65)} has 65 characters; 64 are allowed`],
  },
  {
    peer: "trailing hyphen",
    dir: "my-skill-",
    frontmatter: `name: my-skill-\n${described}`,
    errors: ["name my-skill- cannot start or end with a hyphen"],
  },
  {
    peer: "two hyphens in a row",
    dir: "my--skill",
    frontmatter: `name: my--skill\n${described}`,
    errors: ["name my--skill cannot have two hyphens in a row"],
  },
  {
    peer: "name of another directory",
    dir: "wrong-name",
    frontmatter: `name: correct-name\n${described}`,
    errors: ["name is correct-name but its directory is wrong-name"],
  },
  {
    peer: "Chinese name: valid there",
    dir: "技能",
    frontmatter: `name: 技能\n${described}`,
    errors: [`name 技能 ${invalid}`],
    because: "seed 5.3: names are ASCII",
  },
  {
    peer: "all keys",
    dir: "my-skill",
    frontmatter: [
      `name: my-skill\n${described}`,
      "license: MIT",
      "compatibility: Requires Python 3.11+",
      "allowed-tools: Bash",
      "metadata:\n  author: Test",
    ].join("\n"),
    errors: [],
  },
  {
    peer: "compatibility of 501",
    dir: "my-skill",
    frontmatter: `name: my-skill\n${described}\ncompatibility: ${"x".repeat(501)}`,
    errors: ["compatibility has 501 characters; 500 are allowed"],
  },
  {
    peer: "name of 64",
    dir: "x".repeat(64),
    frontmatter: `name: ${"x".repeat(64)}\n${described}`,
    errors: [],
  },
  {
    peer: "names that other parsers take for something else",
    dir: "2024-01-01",
    frontmatter: `name: 2024-01-01\n${described}`,
    errors: [],
  },
  { peer: "a name that is true", dir: "true", frontmatter: "name: true\ndescription: 42", errors: [] },
  {
    peer: "invalid YAML",
    dir: "s",
    frontmatter: "name: [invalid\ndescription: x",
    errors: ["a bracket is not closed on its line"],
  },
  { peer: "keys in braces", dir: "s", frontmatter: "{name: s, description: b}", errors: [] },
  { peer: "a folded description", dir: "s", frontmatter: "name: s\ndescription: >-\n  a\n  b", errors: [] },
  { peer: "--- inside of a text", dir: "s", frontmatter: "name: s\ndescription: a --- b", errors: [] },
  {
    peer: "blank description",
    dir: "s",
    frontmatter: 'name: s\ndescription: "  "',
    errors: ["description is empty"],
  },
  {
    peer: "description without a value",
    dir: "s",
    frontmatter: "name: s\ndescription:",
    errors: ["description is empty"],
  },
  {
    peer: "description as a list",
    dir: "s",
    frontmatter: "name: s\ndescription: [a]",
    errors: ["description must be text"],
  },
  {
    peer: "a text that begins with a star",
    dir: "s",
    frontmatter: "name: s\ndescription: *bold* text",
    errors: [goesOn],
  },
  {
    peer: "a text that begins with a bracket",
    dir: "s",
    frontmatter: "name: s\ndescription: [Beta] Draws maps",
    errors: [goesOn],
  },
  {
    peer: "a text that begins with a quoted word",
    dir: "s",
    frontmatter: 'name: s\ndescription: "Maps" are drawn',
    errors: [goesOn],
  },
];

for (const { peer, dir, frontmatter, errors, because } of validator) {
  test(`frontmatter: ${peer}${because === undefined ? "" : ` (${because})`}`, async () => {
    expect(await errorsOf(dir, frontmatter)).toEqual(errors);
  });
}

test("frontmatter: a file instead of a directory is told", async () => {
  using scene = new SkillScene({ "lib/file": "x" });
  const { problems } = await validateSkills(scene.at("lib/file"));
  expect(problems.map(({ message }) => message)).toEqual(["is no skill: it is not called SKILL.md"]);
});

test("frontmatter: no end", async () => {
  using scene = new SkillScene({ "lib/s/SKILL.md": `---\nname: s\n${described}\n` });
  const { skills } = await validateSkills(scene.at("lib/s"));
  expect(skills.flatMap(({ problems }) => problems.map(({ message }) => message))).toEqual([
    "the frontmatter has no end",
  ]);
});

test("frontmatter: skill.md in lower case is not found (seed 5.1: SKILL.md), and validating says so", async () => {
  expect(await errorsOf("s", `name: s\n${described}`, "skill.md")).toEqual(["is not found under this name"]);
});

test("frontmatter: none at all, and a folder without SKILL.md", async () => {
  using scene = new SkillScene({ "lib/s/SKILL.md": "# No frontmatter", "lib/none/": "" });
  const { skills } = await validateSkills(scene.at("lib/s"));
  expect(skills.flatMap(({ problems }) => problems.map(({ message }) => message))).toEqual([
    "has no frontmatter",
  ]);
  expect((await validateSkills(scene.at("lib/none"))).problems.map(({ message }) => message)).toEqual([
    "has no skill in it",
  ]);
  expect((await validateSkills(scene.at("lib/gone"))).problems.map(({ message }) => message)).toEqual([
    "there is no such file or directory (ENOENT)",
  ]);
});
