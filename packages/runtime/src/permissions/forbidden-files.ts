// Files that deny rules keep from a tool. What a call names is decided before it runs; a tool that looks through
// directories leaves these out on its way.
import type { PlacedRule } from "./placed-rule.ts";

/** @input path: absolute. @output whether a deny rule is about it */
export type ForbiddenFiles = (path: string) => boolean;

/** @output undefined: no rule keeps any file from this tool */
export function forbiddenFiles(rules: readonly PlacedRule[], tool: string): ForbiddenFiles | undefined {
  const globs = rules.flatMap(({ deciding, rule, pathGlob }) => {
    // One about a skill or a server as well is about no tool that looks through directories.
    const isAboutTool =
      (rule.tool ?? tool) === tool && rule.skill_name === undefined && rule.server === undefined;
    return deciding.effect === "deny" && isAboutTool && pathGlob !== undefined ? [pathGlob] : [];
  });
  return globs.length === 0 ? undefined : (path) => globs.some((glob) => glob.matches(path));
}
