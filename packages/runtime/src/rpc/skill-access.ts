// The skills of a project as its settings and trust allow, for the methods that faces call.
import { directoriesBetween } from "@codelia/core";
import type { SkillsSettings } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import { type Project, skillOptions } from "../project/index.ts";
import { openSkills, type Skills, skillFolder } from "../skills/index.ts";

export interface SkillAccess {
  /** Relies on the index for what it read before; false: reads everything. */
  readonly isIndexed?: boolean;
  readonly settings?: SkillsSettings;
}

export function openProjectSkills(
  environment: RuntimeEnvironment,
  project: Project,
  { isIndexed = true, settings = project.settings.values.skills }: SkillAccess = {},
): Promise<Skills> {
  const options = skillOptions(environment, project);
  return openSkills({
    ...options,
    settings,
    indexDirectory: isIndexed ? options.indexDirectory : undefined,
  });
}

/** With those that are switched off, by themselves or all together, as if they were not. */
export function openAllSkills(environment: RuntimeEnvironment, project: Project): Promise<Skills> {
  const settings = { ...project.settings.values.skills, enabled: true, disabled: [] };
  return openProjectSkills(environment, project, { settings });
}

export function looksAtProject({ trust }: Project): boolean {
  return trust.state !== "untrusted";
}

/** The folders that may hold skills of the project. */
export function projectSkillFolders({ root, cwd }: Pick<Project, "root" | "cwd">): string[] {
  return directoriesBetween(root.path, cwd).map(skillFolder);
}
