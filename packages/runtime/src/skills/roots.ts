// Where skills are looked for: `.agents/skills` of the chain, and the user's own.
import { join } from "node:path";
import type { SkillRoot } from "./types.ts";

export interface SkillRootOptions {
  /** Directories from the project's root to the working directory; empty in a project without trust. */
  readonly chain: readonly string[];
  /** The project's root: what links of its skills must stay inside. */
  readonly root: string;
  readonly userHome: string;
}

/** @output root → cwd, then the user's own, which stays the user's own where the home directory is in the chain */
export function skillRoots({ chain, root, userHome }: SkillRootOptions): SkillRoot[] {
  const own = skillFolder(userHome);
  const repo = [...new Set(chain.map(skillFolder))].filter((path) => path !== own);
  return [
    ...repo.map((path): SkillRoot => ({ path, scope: "repo", boundary: root })),
    { path: own, scope: "user", boundary: undefined },
  ];
}

/** The directory that holds the skills of `directory`. */
export function skillFolder(directory: string): string {
  return join(directory, ".agents", "skills");
}
