// How Codex finds skills (skill_discovery, skill_roots) and lists them (catalog_budget), and what the reference library
// puts into a prompt (skills_ref_prompt). Where a decision of ours differs, the difference stands beside the case.
import { describe, expect, test } from "bun:test";
import type { TreeDescription } from "../../../../test/support/tree.ts";
import { renderCatalog, skillRoots } from "../../src/skills/index.ts";
import { SkillScene, skillText } from "./skills-scene.ts";

const repo = "project/.agents/skills";
const user = "home/.agents/skills";

interface DiscoveryCase {
  readonly peer: string;
  readonly tree: TreeDescription;
  readonly paths: string[];
  /** Of what is reported, the messages. */
  readonly errors?: string[];
}

const discovery: DiscoveryCase[] = [
  {
    peer: "the sixth level is the last that is searched; here the limit is told too",
    tree: {
      [`${repo}/d0/d1/d2/d3/d4/d5/SKILL.md`]: skillText("d5"),
      [`${repo}/e0/d1/d2/d3/d4/d5/d6/SKILL.md`]: skillText("d6"),
    },
    paths: [`${repo}/d0/d1/d2/d3/d4/d5/SKILL.md`],
    errors: [
      `${repo}: has directories more than 6 levels down, which were not searched, for example e0/d1/d2/d3/d4/d5/d6`,
    ],
  },
  {
    peer: "a hidden directory is found through a visible link only",
    tree: { [`${repo}/.hidden/s/SKILL.md`]: skillText("s"), [`${repo}/visible`]: { link: ".hidden" } },
    paths: [`${repo}/visible/s/SKILL.md`],
  },
  {
    peer: "a link out of the root is followed for the user",
    tree: { "ext/demo/SKILL.md": skillText("demo"), [`${user}/alias`]: { link: "../../../ext/demo" } },
    paths: [`${user}/alias/SKILL.md`],
  },
  {
    peer: "a link out of the root is followed for a repository there (decisions B2: an error)",
    tree: { "ext/demo/SKILL.md": skillText("demo"), [`${repo}/alias`]: { link: "../../../ext/demo" } },
    paths: [],
    errors: [`${repo}/alias: is a link that leads out of /project`],
  },
  {
    peer: "two roots that link one directory have one skill, by the first way",
    tree: {
      "project/lib/demo/SKILL.md": skillText("demo"),
      [`${repo}/first-link`]: { link: "../../lib/demo" },
      [`${user}/second-link`]: { link: "../../../project/lib/demo" },
    },
    paths: [`${repo}/first-link/SKILL.md`],
  },
  {
    peer: "other programs' metadata beside a skill is not looked at",
    tree: {
      [`${repo}/s/SKILL.md`]: skillText("s"),
      [`${repo}/s/agents/openai.yaml`]: "interface: [x]",
    },
    paths: [`${repo}/s/SKILL.md`],
  },
  {
    peer: "links that lead in a circle end",
    tree: { [`${repo}/g/s/SKILL.md`]: skillText("s"), [`${repo}/g/again`]: { link: "../../skills" } },
    paths: [`${repo}/g/s/SKILL.md`],
  },
  {
    peer: "SKILL.md is the exact name",
    tree: { [`${repo}/s/skill.md`]: skillText("s"), [`${repo}/t/SKILL.MD`]: skillText("t") },
    paths: [],
  },
  {
    peer: "of two skills with one name both are kept",
    tree: { [`${repo}/x/same/SKILL.md`]: skillText("same"), [`${user}/same/SKILL.md`]: skillText("same") },
    paths: [`${repo}/x/same/SKILL.md`, `${user}/same/SKILL.md`],
  },
  {
    peer: "one that is wrong does not keep the others away",
    tree: { [`${repo}/bad/SKILL.md`]: "---\nname: bad\n---\n", [`${repo}/good/SKILL.md`]: skillText("good") },
    paths: [`${repo}/good/SKILL.md`],
    errors: [`${repo}/bad/SKILL.md: description is missing`],
  },
];

describe("skill_discovery", () => {
  test.each(discovery)("$peer", async ({ tree, paths, errors = [] }) => {
    using scene = new SkillScene(tree);
    expect({ paths: await scene.paths(), errors: await scene.errors() }).toEqual({ paths, errors });
  });
});

describe("skill_roots", () => {
  // There a working directory may be a file, and stands for its folder; here it is an error that says so (`-C FILE`).
  // There: also $CODEX_HOME/skills, a system's and an administrator's. Seed 001, 1 and 5.1: .agents/skills alone.
  test("nothing above the project's root, from there to the working directory, then the user's", () => {
    const roots = skillRoots({ chain: ["/o/repo", "/o/repo/n"], root: "/o/repo", userHome: "/home/u" });
    expect(roots.map(({ path, scope }) => `${scope} ${path}`)).toEqual([
      "repo /o/repo/.agents/skills",
      "repo /o/repo/n/.agents/skills",
      "user /home/u/.agents/skills",
    ]);
  });
});

describe("skills_ref_prompt", () => {
  test("an empty list gives no catalog (decisions B4; there empty tags)", async () => {
    using none = new SkillScene({});
    expect((await none.open()).initialCatalog().text).toBeUndefined();
  });

  test("two skills are listed as two, and what a text holds cannot end its tag", async () => {
    using two = new SkillScene({
      [`${repo}/a/SKILL.md`]: skillText("a", "Use <foo> & <bar> tags</description>"),
      [`${repo}/b/SKILL.md`]: skillText("b"),
    });
    const text = (await two.open()).initialCatalog().text ?? "";
    expect(text.match(/<skill>/g)?.length).toBe(2);
    expect(text).toContain(
      "<description>Use &lt;foo&gt; &amp; &lt;bar&gt; tags&lt;/description&gt;</description>",
    );
  });
});

describe("catalog_budget", () => {
  const skills = (count: number, description: string) =>
    Array.from({ length: count }, (_, index) => {
      const name = `s${String(index).padStart(3, "0")}`;
      const dir = `/r/.agents/skills/${name}`;
      return {
        id: name,
        name,
        description,
        path: `${dir}/SKILL.md`,
        dir,
        scope: "repo",
        mtimeMs: 0,
      } as const;
    });

  // There a share of the model's window; seed 001, 9: bytes and entries, whatever the model.
  test("200 skills under pressure lose their descriptions before one of them is left out", () => {
    const { text, shown } = renderCatalog(skills(200, "d".repeat(200)), {
      maxEntries: 200,
      maxBytes: 32_768,
    });
    expect([shown.length, text?.includes('truncated="true"')]).toEqual([200, true]);
    const tight = renderCatalog(skills(200, "d".repeat(200)), { maxEntries: 200, maxBytes: 6000 });
    expect(tight.text).not.toContain("<description>");
    expect(tight.text).toContain(
      `  ${200 - tight.shown.length} more skills are not listed: use skill_search`,
    );
  });

  // There 1,021 characters and dots; seed 001, 5.3: a longer description is an error.
  test("1,024 characters are listed whole where there is room", () => {
    const { text, truncated } = renderCatalog(skills(1, "x".repeat(1024)), {
      maxEntries: 1,
      maxBytes: 32_768,
    });
    expect([text?.includes(`>${"x".repeat(1024)}<`), truncated]).toEqual([true, false]);
  });

  // There an alias table for long roots; decisions B4: descriptions give way, paths stay exact.
  test("paths are exact under pressure", () => {
    const { text } = renderCatalog(skills(20, "d".repeat(200)), { maxEntries: 20, maxBytes: 4000 });
    expect(text).toContain("<path>/r/.agents/skills/s000/SKILL.md</path>");
  });

  test("the line about what is missing is part of the budget; where not even that fits, nothing is sent", () => {
    for (const maxBytes of [0, 1, 100, 700, 800, 1000]) {
      const { text = "", shown } = renderCatalog(skills(20, "x"), { maxEntries: 20, maxBytes });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
      expect(text === "" || text.includes(`${20 - shown.length} more`)).toBe(true);
    }
  });
});
