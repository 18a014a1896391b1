// Skills on the wire: inner names (camelCase) become snake_case here.
import type { WireSkill, WireSkillError, WireSkillFrontmatter, WireSkillProblem } from "@codelia/protocol";
import type { SkillLoadError, SkillMetadata } from "@codelia/shared-types";
import type { SkillFrontmatter, SkillProblem } from "../skills/index.ts";

export function wireSkill({ mtimeMs, ...skill }: SkillMetadata): WireSkill {
  return { ...skill, mtime_ms: mtimeMs };
}

/** Under the names that the keys have in SKILL.md. */
export function wireFrontmatter({
  allowedTools,
  metadata,
  ...frontmatter
}: SkillFrontmatter): WireSkillFrontmatter {
  return {
    ...frontmatter,
    ...(allowedTools === undefined ? {} : { "allowed-tools": allowedTools }),
    ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
  };
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
