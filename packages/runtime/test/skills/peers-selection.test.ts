// How Codex finds the skills that a message names (mentions) and chooses among them (selection). Where a decision of ours
// differs, the difference stands beside the case. skill_enablement: packages/codelia/test/skills-enable.test.ts.
import { describe, expect, test } from "bun:test";
import { findMentions, mentionedSkills } from "../../src/skills/index.ts";
import { SkillScene, skillText } from "./skills-scene.ts";

type MentionCase = [text: string, ours: string[], because?: string];

const mentions: MentionCase[] = [
  ["use $alpha and [$beta](/tmp/beta)", ["alpha", "beta /tmp/beta"]],
  ["use [$HOME](/tmp/skill)", []],
  ["use $PATH and $alpha", ["alpha"]],
  ["use $XDG_CONFIG_HOME and $beta", ["beta"]],
  ["[beta](/tmp/beta)", []],
  ["[$beta] /tmp/beta", ["beta"]],
  ["[$beta]()", ["beta"]],
  ["use [$beta]   ( /tmp/beta )", ["beta /tmp/beta"]],
  ["[$beta]\n(/x)", ["beta /x"]],
  ["[$beta]\r\n\t(/x)", ["beta /x"]],
  ["[$beta]\n\n(/x)", ["beta"], "another paragraph is another subject"],
  ["[$beta](/x", ["beta"]],
  ["[$beta](app://x)", ["beta app://x"]],
  ["[use $alpha](/x)", ["alpha"], "only [$name] is a link to a skill"],
  ["use $alpha.skill and $beta_extra", ["alpha"], "no skill can be called beta_extra"],
  ["$slack:search and $alpha", ["slack", "alpha"], "decisions B8: no name has a colon"],
  ["$alpha: do it", ["alpha"]],
  ["use $alpha-skill please", ["alpha-skill"]],
  ["($alpha-skill)", ["alpha-skill"]],
  ["$alpha-skill.", ["alpha-skill"]],
  ["$alpha-skills", ["alpha-skills"]],
  ["$alpha-skill_extra", [], "no skill can be called so"],
  ["$alpha-skillx and later $alpha-skill ", ["alpha-skillx", "alpha-skill"]],
  [`${"$".repeat(256)} not-a-mention`, []],
  ["cost is $5 and $10k", [], "decisions B8: amounts are names only where a skill has them"],
  ["a$alpha", [], "decisions B8: at a word boundary"],
  ["$$alpha", [], "decisions B8: at a word boundary"],
  ["[$$beta](/x)", [], "decisions B8: at a word boundary"],
  ["$スキル", []],
  ["`$alpha` and $beta", ["beta"], "decisions B8: not inside code"],
  [`\${alpha}`, [], "decisions B8: a template is none"],
];

describe("mentions", () => {
  test.each(mentions)("%j names %j", (text, ours) => {
    const skills = ["alpha", "beta", "alpha-skill"];
    const found = findMentions(text, (name) => skills.includes(name));
    expect(found.map(({ name, path }) => (path === undefined ? name : `${name} ${path}`))).toEqual(ours);
  });
});

interface Selection {
  readonly skills: string[];
  readonly failures: string[];
}

const repo = "project/.agents/skills";

/** What a message asks for among a, b, two of the name demo, and link, which leads to the directory real. */
async function selected(text: string, disabled: readonly string[] = []): Promise<Selection> {
  using scene = new SkillScene({
    [`${repo}/b/SKILL.md`]: skillText("b"),
    "home/.agents/skills/a/SKILL.md": skillText("a"),
    [`${repo}/demo/SKILL.md`]: skillText("demo"),
    "home/.agents/skills/demo/SKILL.md": skillText("demo"),
    [`${repo}/broken/SKILL.md`]: "no frontmatter",
    "project/lib/real/SKILL.md": skillText("real"),
    [`${repo}/link`]: { link: "../../lib/real" },
  });
  const skills = await scene.open({
    disabled: disabled.map((each) => each.replace("TREE", scene.tree.path)),
  });
  const mentioned = mentionedSkills(text.replaceAll("TREE", scene.tree.path), skills);
  return {
    skills: mentioned.skills.map(({ skill }) => scene.short(skill.path)),
    failures: mentioned.failures.map(({ name, failure }) => `${name} ${failure.code}`),
  };
}

const a = "home/.agents/skills/a/SKILL.md";
const homeDemo = "home/.agents/skills/demo/SKILL.md";
const none: Selection = { skills: [], failures: [] };

describe("selection", () => {
  test.each<[string, Selection]>([
    // The catalog has the repository's b before the user's a.
    ["$a then $b", { skills: [`${repo}/b/SKILL.md`, a], failures: [] }],
    [`[$a](TREE/${a}) then $b`, { skills: [`${repo}/b/SKILL.md`, a], failures: [] }],
    [`[$real](TREE/${repo}/link/SKILL.md)`, { skills: [`${repo}/link/SKILL.md`], failures: [] }],
    ["[$real](TREE/project/lib/real/SKILL.md)", { skills: [`${repo}/link/SKILL.md`], failures: [] }],
    [`[$a](TREE/${a}) and [$a](TREE/${a}), $a`, { skills: [a], failures: [] }],
    // A path decides, for the plain name beside it too.
    [`[$demo](TREE/${homeDemo})`, { skills: [homeDemo], failures: [] }],
    [`use $demo and [$demo](TREE/${homeDemo})`, { skills: [homeDemo], failures: [] }],
    ["$a and [$a](/nowhere/SKILL.md)", { skills: [], failures: ["a unknown_path"] }],
    ["[$a] (/nowhere/SKILL.md)", { skills: [], failures: ["a unknown_path"] }],
    [`[$a](TREE/${homeDemo})`, { skills: [], failures: ["a mismatch"] }],
    ["[$b](app://connector)", { skills: [], failures: ["b unknown_path"] }],
    // Codex drops it silently; decisions B8 wants the candidates told.
    ["$demo", { skills: [], failures: ["demo ambiguous"] }],
    // Named by its user, so its user should hear what is wrong with it.
    ["$broken", { skills: [], failures: ["broken faulty"] }],
    ["$unknown and $PATH", none],
    ["nothing", none],
  ])("%j gives %j", async (text, expected) => {
    expect(await selected(text)).toEqual(expected);
  });

  test.each<[string, string[], Selection]>([
    [`[$a](TREE/${a})`, [`TREE/${a}`], { skills: [], failures: ["a disabled"] }],
    [`$a and [$a](TREE/${a})`, ["a"], { skills: [], failures: ["a disabled"] }],
    ["$a", ["a"], { skills: [], failures: ["a disabled"] }],
    // The other one of that name is meant when it is the only one left, unless a path was given.
    ["$demo", [`TREE/${homeDemo}`], { skills: [`${repo}/demo/SKILL.md`], failures: [] }],
    [`[$demo](TREE/${homeDemo})`, [`TREE/${homeDemo}`], { skills: [], failures: ["demo disabled"] }],
  ])("%j with %j switched off gives %j", async (text, disabled, expected) => {
    expect(await selected(text, disabled)).toEqual(expected);
  });
});
