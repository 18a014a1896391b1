// Loads a skill: its whole text, its base directory and a bounded list of its files, from where it really lies.
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { explainSystemError, neutraliseTags, ToolError } from "@codelia/core";
import { errorCode, visibleName, visibleText } from "@codelia/shared-types";
import type { Disk } from "@codelia/storage";
import { PinnedDirectory, readUpTo, specialKind } from "../tools/index.ts";
import { type FileList, type FileListLimits, listFiles } from "./file-list.ts";
import {
  hasBom,
  readFrontmatter,
  type SkillFrontmatter,
  splitFrontmatter,
  yamlReader,
} from "./frontmatter/index.ts";
import { escapeText } from "./render-catalog.ts";
import type { LoadedSkillText, ResolvedSkill, SkillLoad } from "./types.ts";
import { skillFileName } from "./walk.ts";

/** A skill's text goes to the model as a whole, so it has to be one that a model can take. */
export const maxSkillBytes = 512 * 1024;
const listLimits: FileListLimits = { maxFiles: 100, maxBytes: 8 * 1024, maxDirectories: 200, maxDepth: 6 };

export interface LoadOptions {
  readonly disk: Disk;
}

/**
 * @effects reads SKILL.md and lists the skill's directory, never through a link that was put there since
 * @error   none: what cannot be loaded is a failure in the result
 */
export async function loadSkill(resolved: ResolvedSkill, { disk }: LoadOptions): Promise<SkillLoad> {
  const { skill, realPath, realDir } = resolved;
  try {
    const file = await readWhole(disk, realPath, visibleName(skill.path));
    const frontmatter = await frontmatterOf(file.bytes, resolved);
    if (typeof frontmatter === "string") return unloadable(frontmatter);
    await using directory = await PinnedDirectory.pin(disk, realDir, visibleName(skill.dir));
    const list = await listFiles(directory, skillFileName, listLimits);
    return { ok: true, loaded: present(resolved, file, frontmatter, list) };
  } catch (error) {
    if (error instanceof ToolError) return unloadable(error.message);
    const code = errorCode(error);
    if (code === undefined) throw error;
    const what =
      code === "ENOENT" || code === "ENOTDIR" ? "is gone" : `cannot be read: ${explainSystemError(error)}`;
    return unloadable(`${visibleName(skill.path)} ${what}. Use skill_search to see what is there now.`);
  }
}

interface WholeFile {
  readonly bytes: Uint8Array;
  readonly mtimeMs: number;
}

async function readWhole(disk: Disk, real: string, shown: string): Promise<WholeFile> {
  await using directory = await PinnedDirectory.pin(disk, dirname(real), shown);
  const name = nameOf(real);
  const kind = specialKind(await directory.lstat(name));
  if (kind !== undefined) throw new ToolError(`${shown} is a ${kind} now. Ask the user to restore it.`);
  const file = await directory.openForReading(name);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new ToolError(`${shown} was replaced meanwhile. Try again.`);
    const bytes = await readUpTo(file, stats, maxSkillBytes);
    if (bytes !== undefined) return { bytes, mtimeMs: Math.max(0, stats.mtimeMs) };
    const [size, most] = [stats.size, maxSkillBytes].map((number) => number.toLocaleString("en"));
    throw new ToolError(
      `${shown} has ${size} bytes; a skill may have ${most}. Ask the user to move long parts into files beside it.`,
    );
  } finally {
    await file.close();
  }
}

/** @output what it says of itself, or why it is no longer the skill that was found */
async function frontmatterOf(
  bytes: Uint8Array,
  { skill, realDir }: ResolvedSkill,
): Promise<SkillFrontmatter | string> {
  const split = splitFrontmatter(bytes, true);
  const shown = visibleName(skill.path);
  if (split.kind === "problem")
    return `${shown}:${split.problem.line}: ${split.problem.message}. Ask the user to fix it.`;
  if (split.kind === "more") return `${shown} has no frontmatter. Ask the user to fix it.`;
  const dirNames = [nameOf(skill.dir), nameOf(realDir)];
  const checked = readFrontmatter(split.yaml, dirNames, await yamlReader());
  if (checked?.frontmatter === undefined) {
    const [problem] = checked?.problems.filter(({ severity }) => severity === "error") ?? [];
    return `${shown}:${problem?.line ?? 1}: ${problem?.message ?? "cannot be read"}. Ask the user to fix it.`;
  }
  if (checked.frontmatter.name === skill.name) return checked.frontmatter;
  return `${shown} is now called ${checked.frontmatter.name}, not ${skill.name}. Use skill_search to find it again.`;
}

function present(
  { skill, realPath, realDir }: ResolvedSkill,
  { bytes, mtimeMs }: WholeFile,
  frontmatter: SkillFrontmatter,
  { files, truncated }: FileList,
): LoadedSkillText {
  const body = new TextDecoder("utf-8").decode(hasBom(bytes) ? bytes.subarray(3) : bytes);
  const paths = files.map((file) => `${realDir}/${file}`);
  const list = paths.map((path) => `<file>${attribute(path)}</file>`);
  const more = truncated ? ["More files are not listed: use list on the base directory."] : [];
  const text = [
    `<skill_context name="${attribute(skill.name)}" path="${attribute(skill.path)}">`,
    neutraliseTags(body).text.trimEnd(),
    "",
    `Base directory: ${pathToFileURL(`${realDir}/`).href}`,
    "Relative paths in this skill are resolved from this directory.",
    ...(list.length + more.length === 0 ? [] : ["<skill_files>", ...list, ...more, "</skill_files>"]),
    "</skill_context>",
  ].join("\n");
  return {
    text,
    name: skill.name,
    skillId: skill.id,
    path: skill.path,
    realPath,
    dir: skill.dir,
    mtimeMs,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    frontmatter,
    files: paths,
    filesTruncated: truncated,
  };
}

function attribute(text: string): string {
  return escapeText(visibleText(text.replace(/[\n\t]/g, " "))).replaceAll('"', "&quot;");
}

function nameOf(dir: string): string {
  return dir.slice(dirname(dir).length).replace(/^\/+/, "");
}

function unloadable(message: string): SkillLoad {
  return { ok: false, failure: { code: "unloadable", message, candidates: [] } };
}
