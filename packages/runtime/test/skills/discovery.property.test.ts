// Discovery and the order of the catalog on random trees, cold, warm and changed, against a second implementation that
// is as plain as can be: it lists everything, recursively, with the shell's own tools and no index.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { SkillScene, skillText } from "./skills-scene.ts";

const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("a", "b", "a-b", "z") },
  { weight: 1, arbitrary: fc.constantFrom("B", "node_modules", ".hid") },
);
const folder = fc
  .oneof(
    { weight: 6, arbitrary: fc.array(name, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(name, { minLength: 6, maxLength: 8 }) },
  )
  .map((names) => names.join("/"));
const place = fc.tuple(
  fc.constantFrom("project/.agents/skills", "project/sub/.agents/skills", "home/.agents/skills"),
  folder,
);

type Step =
  | { readonly kind: "skill" | "broken" | "file" | "remove"; readonly at: string }
  | { readonly kind: "link"; readonly at: string; readonly to: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: place.map(([top, below]): Step => ({ kind: "skill", at: `${top}/${below}` })) },
  { weight: 1, arbitrary: place.map(([top, below]): Step => ({ kind: "broken", at: `${top}/${below}` })) },
  { weight: 1, arbitrary: place.map(([top, below]): Step => ({ kind: "file", at: `${top}/${below}` })) },
  { weight: 1, arbitrary: place.map(([top, below]): Step => ({ kind: "remove", at: `${top}/${below}` })) },
  {
    weight: 2,
    arbitrary: fc.tuple(place, place).map(
      ([[top, below], [otherTop, other]]): Step => ({
        kind: "link",
        at: `${top}/${below}`,
        to: `${otherTop}/${other}`,
      }),
    ),
  },
);

/** Does what is possible; a step that does not fit the tree does nothing. */
function take(scene: SkillScene, each: Step): void {
  try {
    if (each.kind === "skill") scene.tree.add({ [`${each.at}/SKILL.md`]: skillText(basename(each.at)) });
    if (each.kind === "broken") scene.tree.add({ [`${each.at}/SKILL.md`]: "broken" });
    if (each.kind === "file") scene.tree.add({ [each.at]: "text" });
    if (each.kind === "remove") rmSync(scene.at(each.at), { recursive: true });
    if (each.kind === "link") scene.tree.add({ [each.at]: { link: scene.at(each.to) } });
  } catch {
    // The place is taken, or not there.
  }
}

interface Expected {
  readonly skills: string[];
  readonly broken: string[];
}

/** Paths below the tree's top, in the catalog's order. */
function oracle(scene: SkillScene): Expected {
  const found: { path: string; real: string; scope: number; name: string; ok: boolean }[] = [];
  const roots = ["project/.agents/skills", "project/sub/.agents/skills", "home/.agents/skills"];
  for (const [index, root] of roots.entries()) {
    const boundary = index < 2 ? `${realpathSync(scene.at("project"))}/` : "/";
    const seen = new Set<string>();
    let level = [scene.at(root)].filter(
      (path) => isDirectory(path) && `${realpathSync(path)}/`.startsWith(boundary),
    );
    for (let depth = 0; depth <= 6; depth += 1) {
      const next: string[] = [];
      for (const dir of level) {
        if (!`${realpathSync(dir)}/`.startsWith(boundary)) continue;
        const names = readdirSync(dir).toSorted();
        if (depth > 0 && names.includes("SKILL.md")) {
          const path = join(dir, "SKILL.md");
          const text = readFileSync(path, "utf8");
          const [, said = ""] = /^name: (.*)$/m.exec(text) ?? [];
          const isNamed =
            [basename(dir), basename(realpathSync(dir))].includes(said) && /^[a-z-]+$/.test(said);
          found.push({ path, real: realpathSync(path), scope: index < 2 ? 0 : 1, name: said, ok: isNamed });
          continue;
        }
        if (seen.has(realpathSync(dir))) continue;
        seen.add(realpathSync(dir));
        for (const each of names) {
          if (each.startsWith(".") || each === "node_modules") continue;
          if (isDirectory(join(dir, each))) next.push(join(dir, each));
        }
      }
      level = next;
    }
  }
  const skills = found.filter(({ ok }) => ok);
  const once = skills.filter(({ real }, index) => skills.findIndex((other) => other.real === real) === index);
  once.sort((a, b) => a.scope - b.scope || compare(a.name, b.name) || compare(a.path, b.path));
  const broken = found.filter(({ ok, real }) => !ok && !skills.some((other) => other.real === real));
  const brokenOnce = broken.filter(
    ({ real }, index) => broken.findIndex((other) => other.real === real) === index,
  );
  return {
    skills: once.map(({ path }) => scene.short(path)),
    broken: brokenOnce.map(({ path }) => scene.short(path)).toSorted(compare),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

async function actual(scene: SkillScene): Promise<Expected> {
  const { catalog } = await scene.open();
  const broken = catalog.errors
    .filter(({ path }) => path.endsWith("/SKILL.md"))
    .map(({ path }) => scene.short(path));
  return { skills: catalog.skills.map(({ path }) => scene.short(path)), broken: [...new Set(broken)] };
}

test("random trees give the skills of the plain implementation, cold, warm, and after each change", async () => {
  let skills = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
      async (first, later) => {
        using scene = new SkillScene({}, { cwd: "sub" });
        for (const each of first) take(scene, each);
        const expected = oracle(scene);
        skills += expected.skills.length;
        expect(await actual(scene)).toEqual(expected);
        expect(await actual(scene)).toEqual(expected);
        for (const changes of later) {
          for (const each of changes) take(scene, each);
          expect(await actual(scene)).toEqual(oracle(scene));
        }
      },
    ),
    { numRuns: 60 },
  );
  // Otherwise nothing was compared.
  expect(skills).toBeGreaterThan(60);
}, 120_000);

test("the order in which directories are made or listed makes no difference", async () => {
  const names = ["c", "a", "b-1", "b", "b0"];
  const texts: string[] = [];
  for (const order of [names, names.toReversed()]) {
    using scene = new SkillScene({});
    for (const each of order)
      scene.tree.add({ [`project/.agents/skills/${each}/SKILL.md`]: skillText(each) });
    texts.push((await scene.open()).initialCatalog().text?.replaceAll(scene.tree.path, "") ?? "");
  }
  expect(texts[0]).toBe(texts[1] ?? "");
  expect([...(texts[0] ?? "").matchAll(/<name>(.*)<\/name>/g)].map(([, each]) => each)).toEqual([
    "a",
    "b",
    "b-1",
    "b0",
    "c",
  ]);
});
