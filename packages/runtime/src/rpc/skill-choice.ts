// One skill by its name or path, as a user typed it; and in words what is wrong with what was typed.
import { basename, dirname, resolve } from "node:path";
import { isInside } from "@codelia/core";
import { ProtocolError } from "@codelia/protocol";
import { nearNames, type SkillLoadError, visibleName } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import { type Project, projectNotices } from "../project/index.ts";
import type { ResolvedSkill, SkillFailure, SkillSelector, Skills } from "../skills/index.ts";
import { looksAtProject, projectSkillFolders } from "./skill-access.ts";

/**
 * @input  skills: with none switched off
 * @error  ProtocolError; `untrusted` when the skill could only be in a project that is not looked at
 */
export async function chooseSkill(
  environment: RuntimeEnvironment,
  project: Project,
  skills: Skills,
  selector: SkillSelector,
): Promise<ResolvedSkill> {
  const resolution = skills.resolve(selector);
  if (resolution.ok) return resolution.resolved;
  const { failure } = resolution;
  if (await couldBeOfProject(environment, project, failure, selector)) throw untrusted(project);
  throw refusal(project, skills, failure, selector);
}

export function untrusted(project: Project): ProtocolError {
  return new ProtocolError(
    "untrusted",
    "the skills of this project are not looked at, because it is not trusted",
    projectNotices(project)[0],
  );
}

/** The room's own words are for a model; a user has other ways to go on. */
function refusal(
  project: Project,
  skills: Skills,
  { code, message, candidates }: SkillFailure,
  { name = "", path }: SkillSelector,
): ProtocolError {
  const names = skills.catalog.skills.map((skill) => skill.name);
  switch (code) {
    case "ambiguous":
      return new ProtocolError(
        "invalid_params",
        `${visibleName(name)}: ${candidates.length} skills have this name`,
        ["Give the path of one:", ...candidates.map((each) => `  ${visibleName(each)}`)].join("\n"),
      );
    case "faulty": {
      const whole = path === undefined ? undefined : resolve(project.cwd, path);
      const error = skills.catalog.errors.find((each) =>
        whole === undefined
          ? basename(dirname(each.path)) === name
          : [each.path, dirname(each.path)].includes(whole),
      );
      return error === undefined ? new ProtocolError("unreadable", message) : faulty(error);
    }
    case "unknown_name":
      return new ProtocolError(
        "not_found",
        `${visibleName(name)}: there is no skill with this name here`,
        meant(nearNames(name, names)),
      );
    case "unknown_path": {
      const whole = resolve(project.cwd, path ?? "");
      const near = nearNames(basename(whole.replace(/\/SKILL\.md$/, "")), names);
      return new ProtocolError("not_found", `${visibleName(whole)}: there is no skill here`, meant(near));
    }
    case "unloadable":
      return new ProtocolError("unreadable", message);
    case "disabled":
    case "mismatch":
    case "no_selector":
      return new ProtocolError("invalid_params", message);
  }
}

function faulty({ path, line, column, message, fix }: SkillLoadError): ProtocolError {
  const place = line === undefined ? visibleName(path) : `${visibleName(path)}:${line}:${column ?? 1}`;
  return new ProtocolError("unreadable", `${place}: ${message}`, fix && `Fix: ${fix}`);
}

function meant(near: readonly string[]): string {
  return near.length === 0
    ? "See what there is with: codelia skills list"
    : `Did you mean ${near.map(visibleName).join(", ")}? See also: codelia skills list`;
}

async function couldBeOfProject(
  { fs }: RuntimeEnvironment,
  project: Project,
  { code }: SkillFailure,
  { path }: SkillSelector,
): Promise<boolean> {
  if (looksAtProject(project) || (code !== "unknown_name" && code !== "unknown_path")) return false;
  if (path !== undefined && !isInside(resolve(project.cwd, path), project.root.path)) return false;
  const folders = await Promise.all(projectSkillFolders(project).map((folder) => fs.lstat(folder)));
  return folders.some((stat) => stat !== undefined);
}
