// Random edits of random files: the patch that says them gives exactly the new content, and a damaged one nothing.
// CODELIA_PROPERTY_RUNS sets how many each property sees.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { ToolError } from "@codelia/core";
import fc from "fast-check";
import { createApplyPatchTool } from "../../src/tools/apply-patch.ts";
import { FileToolScene, output } from "./file-tool-scene.ts";

const numRuns = Number(process.env.CODELIA_PROPERTY_RUNS ?? 100);
const timeout = 120_000 + numRuns * 100;

type Edit = { readonly sign: " " | "-"; readonly text: string; readonly added: readonly string[] };

/** A file as lines that are kept or removed, each with lines added after it. */
interface FileCase {
  readonly edits: readonly Edit[];
  readonly crlf: boolean;
  readonly bom: boolean;
  readonly finalEnding: boolean;
  readonly moved: boolean;
}

// Lines like markers and signs, blank ones, and few enough to repeat.
const lineText = fc.constantFrom(
  "",
  " ",
  "a",
  "b",
  "+a",
  "-a",
  "@@ a",
  "*** End Patch",
  "é\u{1f600}",
  "$&",
  "\tx",
);

const fileCase: fc.Arbitrary<FileCase> = fc
  .record({
    edits: fc.array(
      fc.record({
        sign: fc.constantFrom<" " | "-">(" ", " ", "-"),
        text: lineText,
        added: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(lineText, { maxLength: 3 })),
      }),
      { minLength: 1, maxLength: 12 },
    ),
    crlf: fc.boolean(),
    bom: fc.boolean(),
    finalEnding: fc.boolean(),
    moved: fc.boolean(),
  })
  .filter(({ edits }) => edits.some(({ sign, added }) => sign === "-" || added.length > 0))
  // "" and a last empty line without ending are the same bytes; they are no different files.
  .filter(({ edits, finalEnding }) => finalEnding || edits.at(-1)?.text !== "");

function oldLines({ edits }: FileCase): string[] {
  return edits.map(({ text }) => text);
}

function newLines({ edits }: FileCase): string[] {
  return edits.flatMap(({ sign, text, added }) => (sign === " " ? [text, ...added] : added));
}

function content(lines: readonly string[], file: FileCase, ending: string): string {
  const body = lines.join(ending) + (file.finalEnding && lines.length > 0 ? ending : "");
  return (file.bom ? "\ufeff" : "") + body;
}

/** The line ending that a file of these lines shows; without any there is none to keep. */
function endingOf(file: FileCase): string {
  return file.crlf && (file.edits.length > 1 || file.finalEnding) ? "\r\n" : "\n";
}

/** One hunk with the whole file as context is the only one that is never ambiguous. */
function hunkOf({ edits }: FileCase): string[] {
  return edits.flatMap(({ sign, text, added }) => [sign + text, ...added.map((line) => `+${line}`)]);
}

function patchOf(files: readonly FileCase[]): string[] {
  const sections = files.flatMap((file, index) => [
    `*** Update File: f${index}`,
    ...(file.moved ? [`*** Move to: moved/f${index}`] : []),
    "@@",
    ...hunkOf(file),
    "*** End of File",
  ]);
  return ["*** Begin Patch", ...sections, "*** Add File: added", "+x", "*** End Patch"];
}

async function prepared(scene: FileToolScene, files: readonly FileCase[]): Promise<void> {
  for (const name of readdirSync(scene.in())) rmSync(scene.in(name), { recursive: true });
  for (const [index, file] of files.entries()) {
    writeFileSync(scene.in(`f${index}`), content(oldLines(file), file, endingOf(file)));
    await scene.see(`f${index}`);
  }
}

function tree(scene: FileToolScene): Record<string, string> {
  const names = readdirSync(scene.in(), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(scene.in(name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(scene.in(name), "utf8")]));
}

async function isRefused(scene: FileToolScene, patch: string): Promise<boolean> {
  try {
    await output(createApplyPatchTool(scene.environment), { patch });
    return false;
  } catch (error) {
    if (error instanceof ToolError) return true;
    throw error;
  }
}

test(
  "a patch made from edits gives exactly the new content of every file",
  async () => {
    using scene = new FileToolScene({});
    const property = fc.asyncProperty(fc.array(fileCase, { minLength: 1, maxLength: 3 }), async (files) => {
      await prepared(scene, files);
      const refused = await isRefused(scene, patchOf(files).join("\n"));
      const expected = files.map((file, index): [string, string] => [
        file.moved ? `moved/f${index}` : `f${index}`,
        content(newLines(file), file, endingOf(file)),
      ]);
      expect({ refused, tree: tree(scene) }).toEqual({
        refused: false,
        tree: { ...Object.fromEntries(expected), added: "x\n" },
      });
    });
    await fc.assert(property, { numRuns });
  },
  timeout,
);

test(
  "hunks with little context, each marked by a unique line, give the same as the whole",
  async () => {
    using scene = new FileToolScene({});
    const property = fc.asyncProperty(fileCase, async (file) => {
      // A unique line before each edit makes every hunk's place clear.
      const edits = file.edits.flatMap((edit, index): Edit[] => [
        { sign: " ", text: `mark ${index}`, added: [] },
        edit,
      ]);
      const marked = { ...file, edits };
      await prepared(scene, [marked]);
      const hunks = file.edits.flatMap((edit, index) => {
        const body = hunkOf({ ...file, edits: [edit] });
        return body.length === 1 && edit.sign === " " ? [] : ["@@", ` mark ${index}`, ...body];
      });
      const patch = ["*** Begin Patch", "*** Update File: f0", ...hunks, "*** End Patch"].join("\n");
      expect({ refused: await isRefused(scene, patch), tree: tree(scene) }).toEqual({
        refused: false,
        tree: { f0: content(newLines(marked), marked, endingOf(marked)) },
      });
    });
    await fc.assert(property, { numRuns });
  },
  timeout,
);

test(
  "a patch with a damaged line is refused and changes nothing",
  async () => {
    using scene = new FileToolScene({});
    const damage = fc.constantFrom("garble", "cut");
    const files = fc.array(fileCase, { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(files, fc.nat(), damage, async (given, position, kind) => {
      await prepared(scene, given);
      const before = tree(scene);
      const lines = patchOf(given);
      // Only lines that carry meaning for the old content: context, removed lines, the envelope.
      const telling = lines.flatMap((line, index) =>
        /^[ -]|^\*\*\* (Begin|End) Patch$/.test(line) ? [index] : [],
      );
      const at = telling[position % telling.length] ?? 0;
      if (kind === "garble") lines[at] = `${lines[at]}#damaged`;
      else lines.splice(at);
      expect({ refused: await isRefused(scene, lines.join("\n")), tree: tree(scene) }).toEqual({
        refused: true,
        tree: before,
      });
    });
    await fc.assert(property, { numRuns });
  },
  timeout,
);
