// Ignore files as ripgrep reads them: .rgignore before .ignore before .gitignore, the deepest folder first.
// .gitignore counts only below a repository's root, and not across the root of a nested one.
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { Automaton } from "./automaton.ts";
import { GlobError, parseGlob } from "./glob-pattern.ts";
import { ProgramTooLarge } from "./program.ts";

type Verdict = "ignored" | "kept" | undefined;

interface Rule {
  readonly fits: (path: string) => boolean;
  readonly keeps: boolean;
  readonly foldersOnly: boolean;
}

const fileNames = [".rgignore", ".ignore", ".gitignore"] as const;
const maxSize = 4 * 1024 * 1024;

/** What one folder says. */
interface Level {
  readonly folder: string;
  /** In the order of `fileNames`. */
  readonly rules: readonly (readonly Rule[])[];
  readonly isRepository: boolean;
}

/** The ignore files of a folder and of all folders above it. */
export class IgnoreRules {
  /** The deepest first. */
  readonly #levels: readonly Level[];
  readonly #isInRepository: boolean;

  private constructor(levels: readonly Level[]) {
    this.#levels = levels;
    this.#isInRepository = levels.some(({ isRepository }) => isRepository);
  }

  /** @effects reads the folder's ignore files; one that cannot be read counts as empty */
  static async load(folder: string, parent: IgnoreRules | undefined): Promise<IgnoreRules> {
    const [rules, git, jujutsu] = await Promise.all([
      Promise.all(fileNames.map((name) => readRules(join(folder, name)))),
      exists(join(folder, ".git")),
      exists(join(folder, ".jj")),
    ]);
    return new IgnoreRules([
      { folder, rules, isRepository: git || jujutsu },
      ...(parent === undefined ? [] : parent.#levels),
    ]);
  }

  /** @input an absolute real path at or below the folder */
  verdict(path: string, isFolder: boolean): Verdict {
    const found: Verdict[] = [undefined, undefined, undefined];
    let leftRepository = false;
    for (const { folder, rules, isRepository } of this.#levels) {
      const relative = byteString(path.slice(folder === "/" ? 1 : folder.length + 1));
      for (const [kind, ofKind] of rules.entries()) {
        const isGit = fileNames[kind] === ".gitignore";
        if (found[kind] !== undefined || (isGit && (!this.#isInRepository || leftRepository))) continue;
        const rule = ofKind.findLast((one) => (isFolder || !one.foldersOnly) && one.fits(relative));
        if (rule) found[kind] = rule.keeps ? "kept" : "ignored";
      }
      leftRepository ||= isRepository;
    }
    return found.find((one) => one !== undefined);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function readRules(path: string): Promise<Rule[]> {
  try {
    // Asked before it is opened: a FIFO would block.
    const { size } = await stat(path).then((found) => (found.isFile() ? found : { size: 0 }));
    if (size === 0 || size > maxSize) return [];
    const file = await open(path);
    try {
      return parseRules(await file.readFile());
    } finally {
      await file.close();
    }
  } catch {
    return [];
  }
}

function parseRules(content: Uint8Array): Rule[] {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const rules: Rule[] = [];
  let start = 0;
  while (start < content.length) {
    const end = content.indexOf(0x0a, start);
    const bytes = content.subarray(start, end < 0 ? content.length : end);
    let line: string;
    try {
      line = decoder.decode(bytes);
    } catch {
      // Like ripgrep: a line that is not UTF-8 ends the file.
      break;
    }
    if (start === 0) line = line.replace(/^\uFEFF+/, "");
    const rule = parseRule(line.replace(/\r$/, ""));
    if (rule) rules.push(rule);
    start += bytes.length + 1;
  }
  return rules;
}

function parseRule(text: string): Rule | undefined {
  let line = text.endsWith("\\ ") ? text : text.replace(/\p{White_Space}+$/u, "");
  if (line === "" || line.startsWith("#")) return undefined;
  let keeps = false;
  let anchored = false;
  if (line.startsWith("\\!") || line.startsWith("\\#")) {
    line = line.slice(1);
  } else {
    keeps = line.startsWith("!");
    if (keeps) line = line.slice(1);
    anchored = line.startsWith("/");
    if (anchored) line = line.slice(1);
  }
  const foldersOnly = line.endsWith("/");
  if (foldersOnly) line = line.slice(0, -1).replace(/\\$/, "");
  if (!anchored && !line.includes("/") && line !== "**") line = `**/${line}`;
  if (line.endsWith("/**")) line = `${line}/*`;
  const fits = matcher(line);
  return fits && { fits, keeps, foldersOnly };
}

/** @output undefined for a line that is no glob: it has no effect */
function matcher(glob: string): ((path: string) => boolean) | undefined {
  const name = /^\*\*\/([^/*?[\]{}\\,]+)$/.exec(glob)?.[1];
  if (name !== undefined) {
    const bytes = byteString(name);
    return (path) => path === bytes || path.endsWith(`/${bytes}`);
  }
  try {
    const { node } = parseGlob(byteString(glob), { hidden: true, emptyChoices: false });
    const automaton = new Automaton(node, { anchored: true, lines: false });
    return (path) => automaton.matches(path);
  } catch (error) {
    if (error instanceof GlobError || error instanceof ProgramTooLarge) return undefined;
    throw error;
  }
}

/** One character for each byte: `?` in an ignore file is a byte, for git as for ripgrep. */
function byteString(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
