// Which rule allows a call that is no command. Here doubt counts for asking: every path has to be covered for certain.
import { isInside } from "@codelia/core";
import type { CallFacts } from "./call-facts.ts";
import { serverOf } from "./deny.ts";
import type { PlacedRule } from "./placed-rule.ts";
import type { FilePath } from "./real-path.ts";
import { protectedNamesIn } from "./real-path.ts";

/** Of several paths each may be covered by another rule. @output the first of them */
export function allowingRule(
  rules: readonly PlacedRule[],
  facts: CallFacts,
  workspace: string,
): PlacedRule | undefined {
  const speaking = rules.filter((placed) => speaksOf(placed, facts));
  const { paths, access } = facts;
  // A skill is loaded from wherever it is, and what a server calls a path need not be one of this machine: without a
  // glob the rule is about the name.
  if (paths.length === 0 || access.kind === "skill" || access.kind === "mcp") {
    const whole = speaking.find(({ pathGlob }) => pathGlob === undefined);
    if (whole !== undefined || paths.length === 0) return whole;
  }
  const covering = paths.map((path) => speaking.find((placed) => coversPath(placed, path, workspace)));
  return covering.includes(undefined) ? undefined : covering[0];
}

/** Everything but the path. */
function speaksOf({ rule, commandWords, commandGlob }: PlacedRule, facts: CallFacts): boolean {
  if (rule.tool !== undefined && rule.tool !== facts.tool) return false;
  if (commandWords !== undefined || commandGlob !== undefined) return false;
  if (rule.server !== undefined && rule.server !== serverOf(facts)) return false;
  // What a server does with a path nobody knows: a rule that names only paths was not given for it.
  if (facts.access.kind === "mcp" && rule.tool === undefined && rule.server === undefined) return false;
  if (rule.skill_name === undefined) return true;
  return facts.access.kind === "skill" && facts.access.name === rule.skill_name;
}

/** By real path alone. Without a glob a rule speaks of the project only, and never of protected names in it. */
export function coversPath({ pathGlob }: PlacedRule, { real }: FilePath, workspace: string): boolean {
  if (real === undefined) return false;
  const isCovered = pathGlob === undefined ? isInside(real, workspace) : pathGlob.matches(real);
  return isCovered && protectedNamesIn(real, workspace).every((name) => pathGlob?.names(name) ?? false);
}
