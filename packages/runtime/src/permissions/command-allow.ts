// Whether a command needs no question: its parse is plain, and each simple command is safe or covered by a rule.
import { isInside } from "@codelia/core";
import { type FileSystem, type PermissionRule, visibleName } from "@codelia/shared-types";
import { type ProgramUse, safetyOf } from "../shell/index.ts";
import { coversPath } from "./allow.ts";
import type { CommandFacts } from "./call-facts.ts";
import { exactCommandGlob, joinedWords } from "./command-glob.ts";
import { outsideWord } from "./outside-words.ts";
import type { PlacedRule } from "./placed-rule.ts";
import type { FilePath } from "./real-path.ts";
import { protectedNamesIn } from "./real-path.ts";

export type Coverage =
  /** Without a rule: all of it only looks. */
  | { readonly covered: true; readonly rule: PlacedRule | undefined; readonly writes: boolean }
  | {
      readonly covered: false;
      /** In words, for the question. */
      readonly why: string;
      /** The narrowest rules that would cover it; empty: none would. */
      readonly missing: readonly PermissionRule[];
    };

export interface CoverageOptions {
  readonly fs: FileSystem;
  readonly rules: readonly PlacedRule[];
  /** Real path. */
  readonly workspace: string;
  /** Always readable. */
  readonly outputs: string;
  /** Commands that only look need no rule. They are held by the sandbox then. */
  readonly trustSafeList: boolean;
  /** Files in the workspace may be written. */
  readonly mayWrite: boolean;
}

/** @effects looks at the file system */
export async function coverageOf(facts: CommandFacts, options: CoverageOptions): Promise<Coverage> {
  const { analysis, written, read } = facts;
  // Redirections to plain names are held like reads and writes of those files, below.
  const plainRedirections = new Set(
    analysis.redirections.filter(({ path }) => path !== undefined).map(({ text }) => text),
  );
  const [obstacle, ...others] = analysis.obstacles.filter(
    ({ kind, text }) => !(kind === "redirection" && plainRedirections.has(text)),
  );
  if (obstacle !== undefined) {
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    return uncovered(`it is more than plain words: ${obstacle.text}${more}`);
  }
  // What a plain command could run beyond its words (`npm test`) is its program's own affair; deny rules look at it.
  const certain = analysis.programs.filter(({ certainty }) => certainty === "certain");
  // A parse without obstacles says where every redirection leads; whatever it does not say is asked about.
  const opened = written.length + read.length;
  if (certain.length === 0 || opened < analysis.redirections.length)
    return uncovered("its parse does not say what it does");
  const files = filesFault(written, read, options);
  if (files !== undefined) return uncovered(files);
  const covers = await Promise.all(
    certain.map(async (use) => ({ use, by: await coverOf(use, facts, options) })),
  );
  const open = covers.flatMap(({ use, by }) => ("why" in by ? [{ use, why: by.why }] : []));
  const [first] = open;
  if (first !== undefined) {
    const uses = open.map(({ use }) => use);
    const missing = uses.every(isPlain) ? exactRules(uses) : [];
    return { covered: false, why: first.why, missing };
  }
  const rule = covers.flatMap(({ by }) => ("rule" in by && by.rule !== undefined ? [by.rule] : []))[0];
  return { covered: true, rule, writes: written.length > 0 };
}

function uncovered(why: string): Coverage {
  return { covered: false, why, missing: [] };
}

/** Without a rule: it only looks. */
type Cover = { readonly rule: PlacedRule | undefined } | { readonly why: string };

async function coverOf(use: ProgramUse, facts: CommandFacts, options: CoverageOptions): Promise<Cover> {
  const rule = isPlain(use) ? options.rules.find((placed) => coversUse(placed, use)) : undefined;
  if (rule !== undefined) return { rule };
  if (!options.trustSafeList) return { why: `no rule covers ${visibleName(textOf(use))}` };
  const safety = safetyOf(use.words);
  if (use.via.length > 0) return { why: `${visibleName(use.via.join(" "))} runs another program` };
  if (!safety.safe) return { why: visibleName(safety.reason) };
  // Another folder may be a repository whose config names programs.
  if (facts.moves && use.name === "git") return { why: "git in another folder follows that folder's config" };
  const { places } = facts;
  if (places === undefined) return { why: "nobody can tell which folder it changes to" };
  const inside = [options.workspace, options.outputs];
  const word = await outsideWord(use, { fs: options.fs, inside, places });
  return word === undefined ? { rule } : { why: `it reads ${visibleName(word)}, outside the workspace` };
}

function coversUse({ rule, commandWords, commandGlob, pathGlob }: PlacedRule, use: ProgramUse): boolean {
  if (rule.tool !== undefined && rule.tool !== "bash") return false;
  if (pathGlob !== undefined || rule.skill_name !== undefined || rule.server !== undefined) return false;
  const values = valuesOf(use);
  // As written: a bare name does not cover ./name, which is another program.
  if (commandWords?.some((word, index) => values[index] !== word)) return false;
  return commandGlob === undefined || commandGlob.matches(joinedWords(values));
}

/** Started by nobody else, with every word known. */
function isPlain({ words, via }: ProgramUse): boolean {
  return words.length > 0 && words.every(({ value }) => value !== undefined) && via.length === 0;
}

function valuesOf({ words }: ProgramUse): string[] {
  return words.map(({ value, text }) => value ?? text);
}

function textOf(use: ProgramUse): string {
  return use.words.length === 0 ? use.program : joinedWords(valuesOf(use));
}

function exactRules(uses: readonly ProgramUse[]): PermissionRule[] {
  const globs = new Set(uses.map((use) => exactCommandGlob(valuesOf(use))));
  return [...globs].map((glob) => ({ tool: "bash", command_glob: glob }));
}

/** What a redirection opens counts like a read or a write of that file. */
function filesFault(
  written: readonly FilePath[],
  read: readonly FilePath[],
  { rules, workspace, outputs, mayWrite }: CoverageOptions,
): string | undefined {
  const speaking = rules.filter(
    ({ rule, commandWords, commandGlob }) =>
      (rule.tool === undefined || rule.tool === "bash") &&
      commandWords === undefined &&
      commandGlob === undefined &&
      rule.skill_name === undefined &&
      rule.server === undefined,
  );
  const isCovered = (path: FilePath) => speaking.some((placed) => coversPath(placed, path, workspace));
  const isInWorkspace = ({ real }: FilePath) => real !== undefined && isInside(real, workspace);
  const asked = written.find((path) => {
    const isProtected = protectedNamesIn(path.real ?? path.logical, workspace).length > 0;
    return !(mayWrite && isInWorkspace(path) && !isProtected) && !isCovered(path);
  });
  if (asked !== undefined) return `it writes ${visibleName(asked.logical)}`;
  const outside = read.find((path) => {
    const isKept = path.real !== undefined && isInside(path.real, outputs);
    return !isInWorkspace(path) && !isKept && !isCovered(path);
  });
  return outside && `it reads ${visibleName(outside.logical)}, outside the workspace`;
}
