// Random texts and replacements against the plainest way to say what an edit does.
// CODELIA_PROPERTY_RUNS sets how many each property sees.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { ToolError } from "@codelia/core";
import fc from "fast-check";
import { createEditTool } from "../../src/tools/edit.ts";
import { FileToolScene, output } from "./file-tool-scene.ts";

const numRuns = Number(process.env.CODELIA_PROPERTY_RUNS ?? 200);
const timeout = 120_000 + numRuns * 100;

// A small alphabet, so that texts repeat themselves; with what replacement functions treat specially.
const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", " ", "$&", "é", "\u{1f600}"), maxLength: 24 });
const crlfShare = fc.array(fc.boolean(), { minLength: 24, maxLength: 24 });

const cases = fc.record({
  before: text,
  old: text,
  after: text,
  fresh: text,
  all: fc.boolean(),
  bom: fc.boolean(),
  present: fc.boolean(),
});

/** How often `part` begins in `whole`, overlapping places included. */
function beginnings(whole: string, part: string): number {
  return Array.from({ length: whole.length }, (_, at) => whole.startsWith(part, at)).filter(Boolean).length;
}

async function attempt(
  scene: FileToolScene,
  content: string,
  args: { old: string; new: string; all: boolean },
) {
  writeFileSync(scene.in("f"), content);
  await scene.see("f");
  const tool = createEditTool(scene.environment);
  const refused = await output(tool, { path: "f", ...args }).then(
    () => false,
    (error: unknown) => {
      if (error instanceof ToolError) return true;
      throw error;
    },
  );
  return { refused, content: scene.text("f") };
}

test(
  "an edit of a text with one kind of line ending does what split and join would do",
  async () => {
    using scene = new FileToolScene({});
    const property = fc.asyncProperty(cases, fc.boolean(), async (given, crlf) => {
      const plain = given.present ? given.before + given.old + given.after : given.before + given.after;
      // Without any line ending the file has no kind, and new ones are LF.
      const isCrlf = crlf && plain.includes("\n");
      const inFile = (lf: string) =>
        (given.bom ? "\ufeff" : "") + (isCrlf ? lf.replaceAll("\n", "\r\n") : lf);
      const times = given.old === "" ? 0 : beginnings(plain, given.old);
      const allowed = times === 1 || (times > 1 && given.all);
      const expected = plain.split(given.old).join(given.fresh);
      const changes = allowed && given.old !== given.fresh;
      expect(
        await attempt(scene, inFile(plain), { old: given.old, new: given.fresh, all: given.all }),
      ).toEqual({
        refused: !changes,
        content: inFile(changes ? expected : plain),
      });
    });
    await fc.assert(property, { numRuns });
  },
  timeout,
);

test(
  "in a text with mixed line endings every byte outside of the replaced part stays",
  async () => {
    using scene = new FileToolScene({});
    const property = fc.asyncProperty(cases, crlfShare, async ({ before, old, after, fresh }, crlf) => {
      let feeds = 0;
      const mixed = (lf: string) => lf.replace(/\n/g, () => (crlf[feeds++ % crlf.length] ? "\r\n" : "\n"));
      // Marks that occur nowhere else make the place unique.
      const [head, middle, tail] = [mixed(before), mixed(`<${old}>`), mixed(after)];
      const result = await attempt(scene, head + middle + tail, {
        old: `<${old}>`,
        new: `[${fresh}]`,
        all: false,
      });
      const inserted = result.content.slice(head.length, result.content.length - tail.length);
      expect({
        refused: result.refused,
        head: result.content.slice(0, head.length),
        inserted: inserted.replaceAll("\r\n", "\n"),
        tail: result.content.slice(result.content.length - tail.length),
        kinds: new Set(inserted.match(/\r?\n/g)).size <= 1,
      }).toEqual({ refused: false, head, inserted: `[${fresh}]`, tail, kinds: true });
    });
    await fc.assert(property, { numRuns });
  },
  timeout,
);
