// Cases of other agents and of the reference validator (skills-ref) on which behaviour was measured.
// Where the specification is stricter or looser the case says so: `ours` is what holds here, `because` why.
import { expect, test } from "bun:test";
import { findMentions, skillRoots, validateSkills } from "../../src/skills/index.ts";
import { SkillScene, skillText } from "./skills-scene.ts";

/** What validating one SKILL.md in a directory says: messages of errors only. */
async function errorsOf(dir: string, frontmatter: string, file = "SKILL.md"): Promise<string[]> {
  using scene = new SkillScene({ [`lib/${dir}/${file}`]: `---\n${frontmatter}\n---\nBody\n` });
  const { skills, problems } = await validateSkills(scene.at("lib", dir));
  const all = [...problems, ...skills.flatMap((skill) => skill.problems)];
  return all.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

const described = "description: About it.";
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

test("roots: nothing above the project's root, root first", () => {
  expect(
    skillRoots({ chain: ["/o/repo", "/o/repo/n"], root: "/o/repo", userHome: "/home/u" }).map(
      ({ path }) => path,
    ),
  ).toEqual(["/o/repo/.agents/skills", "/o/repo/n/.agents/skills", "/home/u/.agents/skills"]);
});

test("prompt: an empty list gives no catalog (decisions B4; skills-ref gives empty tags), two give two", async () => {
  using none = new SkillScene({});
  expect((await none.open()).initialCatalog().text).toBeUndefined();
  using two = new SkillScene({
    "project/.agents/skills/a/SKILL.md": skillText("a"),
    "project/.agents/skills/b/SKILL.md": skillText("b"),
  });
  expect((await two.open()).initialCatalog().text?.match(/<skill>/g)?.length).toBe(2);
});

const mentions: [text: string, ours: string[], because?: string][] = [
  ["use $alpha and [$beta](/tmp/beta)", ["alpha", "beta /tmp/beta"]],
  ["use [$HOME](/tmp/skill)", []],
  ["[beta](/tmp/beta)", []],
  ["[$beta]()", ["beta"]],
  ["use $alpha.skill and $beta_extra", ["alpha"], "no skill can be called beta_extra"],
  [`${"$".repeat(256)} not-a-mention`, []],
  ["cost is $5 and $10k", [], "decisions B8: amounts are names only where a skill has them"],
  ["a$alpha", [], "decisions B8: at a word boundary"],
  ["$$alpha", [], "decisions B8: at a word boundary"],
  ["[$beta](app://x)", ["beta app://x"]],
  ["[$beta]\n(/x)", ["beta"], "a link is written without a line between; the name stays a mention"],
  ["$スキル", []],
];

for (const [text, ours, because] of mentions) {
  test(`mentions: ${JSON.stringify(text.slice(0, 40))}${because === undefined ? "" : ` (${because})`}`, () => {
    const found = findMentions(text, (name) => ["alpha", "beta"].includes(name));
    expect(found.map(({ name, path }) => (path === undefined ? name : `${name} ${path}`))).toEqual(ours);
  });
}
