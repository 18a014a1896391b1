// Everything that is wrong with the skills in a folder, for their authors and for CI.
import { basename, dirname, resolve } from "node:path";
import { explainSystemError } from "@codelia/core";
import { nodeSkillDisk, type SkillDisk } from "./disk.ts";
import { yamlReader } from "./frontmatter/index.ts";
import { maxSkillBytes } from "./load.ts";
import { readSkill } from "./read-skill.ts";
import { skillFolder } from "./roots.ts";
import type { SkillProblem, SkillValidation, ValidatedSkill } from "./types.ts";
import { type Found, skillFileName, walkRoot } from "./walk.ts";

/**
 * @input  a SKILL.md, a skill's directory, or any folder above skills; links may lead anywhere
 * @output every error and warning, by path and place
 * @error  none: what is wrong is in the result
 */
export async function validateSkills(
  path: string,
  disk: SkillDisk = nodeSkillDisk,
): Promise<SkillValidation> {
  const target = resolve(path);
  try {
    const isDirectory = disk.stat(target).isDirectory();
    if (!isDirectory && basename(target) !== skillFileName) {
      return summary(
        [],
        [wrong(target, "is no skill: it is not called SKILL.md", "give a SKILL.md, or a folder")],
      );
    }
    const dir = isDirectory ? target : dirname(target);
    const own = kindIn(disk, dir);
    if (own !== undefined) return summary([await validate(foundIn(disk, dir, own), disk)], []);
    return await validateFolder(dir, disk);
  } catch (error) {
    return summary([], [wrong(target, explainSystemError(error), "give a folder or file that can be read")]);
  }
}

async function validateFolder(dir: string, disk: SkillDisk): Promise<SkillValidation> {
  const skills: ValidatedSkill[] = [];
  const problems: SkillProblem[] = [];
  // A project's own skills lie below a hidden directory, which is searched only when it is asked for.
  const own = skillFolder(dir);
  for (const path of disk.lstatIfAny(own) === undefined ? [dir] : [dir, own]) {
    const root = { path, scope: "user", boundary: undefined } as const;
    const walk = walkRoot({ disk, root, known: new Map(), now: 0 });
    problems.push(...walk.errors.map((error): SkillProblem => ({ ...error, severity: "error" })));
    for (const below of walk.directories.keys())
      problems.push(...misspelled(disk, below === "" ? path : `${path}/${below}`));
    for (const found of walk.found) skills.push(await validate(found, disk));
  }
  if (skills.length === 0 && problems.length === 0) {
    problems.push(wrong(dir, "has no skill in it", "codelia skills new NAME makes one"));
  }
  return summary(skills, problems);
}

function misspelled(disk: SkillDisk, dir: string): SkillProblem[] {
  return disk
    .readdir(dir)
    .filter(({ name }) => name !== skillFileName && name.toUpperCase() === skillFileName.toUpperCase())
    .map(({ name }) =>
      wrong(`${dir}/${name}`, "is not found under this name", `rename it to ${skillFileName}`),
    );
}

async function validate(
  found: Pick<Found, "dir" | "realDir" | "dirName" | "kind">,
  disk: SkillDisk,
): Promise<ValidatedSkill> {
  const path = `${found.dir}/${skillFileName}`;
  const read = readSkill(found, { disk, boundary: undefined, reader: await yamlReader(), now: 0 });
  const problems = (read?.problems ?? []).map((problem): SkillProblem => ({ path, ...problem }));
  const size = read?.frontmatter === undefined ? 0 : disk.stat(read.realPath).size;
  if (size > maxSkillBytes) {
    const message = `has ${size.toLocaleString("en")} bytes; ${maxSkillBytes.toLocaleString("en")} can be loaded`;
    problems.push({ ...wrong(path, message, "move long parts into files beside it"), line: 1, column: 1 });
  }
  return { path, name: read?.frontmatter?.name, frontmatter: read?.frontmatter, problems };
}

function foundIn(
  disk: SkillDisk,
  dir: string,
  kind: Found["kind"],
): Pick<Found, "dir" | "realDir" | "dirName" | "kind"> {
  return { dir, realDir: disk.realPath(dir), dirName: basename(dir), kind };
}

function kindIn(disk: SkillDisk, dir: string): Found["kind"] | undefined {
  return disk.readdir(dir).find(({ name }) => name === skillFileName)?.kind;
}

function wrong(path: string, message: string, fix: string): SkillProblem {
  return { path, severity: "error", message, fix };
}

function summary(skills: readonly ValidatedSkill[], problems: readonly SkillProblem[]): SkillValidation {
  const all = [...problems, ...skills.flatMap((skill) => skill.problems)];
  const sorted = skills.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const errorCount = all.filter(({ severity }) => severity === "error").length;
  return {
    skills: sorted,
    problems: problems.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    errorCount,
    warningCount: all.length - errorCount,
  };
}
