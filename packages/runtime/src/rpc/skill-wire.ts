// Skills on the wire: inner names (camelCase) become snake_case here.
import type { WireSkill, WireSkillError, WireSkillProblem } from "@codelia/protocol";
import type { SkillLoadError, SkillMetadata } from "@codelia/shared-types";
import type { SkillProblem } from "../skills/index.ts";

export function wireSkill({ mtimeMs, ...skill }: SkillMetadata): WireSkill {
  return { ...skill, mtime_ms: mtimeMs };
}

export function wireSkillError({ path, message, line, column, fix }: SkillLoadError): WireSkillError {
  return {
    path,
    message,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(fix === undefined ? {} : { fix }),
  };
}

export function wireSkillProblem(problem: SkillProblem): WireSkillProblem {
  return { severity: problem.severity, ...wireSkillError(problem) };
}
