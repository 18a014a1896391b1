// The skills of a project: those of its chain once it is trusted, and the user's own.
import { directoriesBetween } from "@codelia/core";
import type { RuntimeEnvironment } from "../environment.ts";
import { type OpenSkillsOptions, skillIndexDirectory, skillRoots } from "../skills/index.ts";
import type { Project } from "./project.ts";

/** How skills are opened that the project may speak of. */
export function skillOptions(
  { disk, now, userHome }: RuntimeEnvironment,
  { cwd, root, trust, settings, codeliaHome }: Project,
): OpenSkillsOptions {
  const chain = trust.state === "untrusted" ? [] : directoriesBetween(root.path, cwd);
  return {
    roots: skillRoots({ chain, root: root.path, userHome }),
    settings: settings.values.skills,
    indexDirectory: skillIndexDirectory(codeliaHome),
    disk,
    now,
    cwd,
  };
}
