// What a schema has against a value, in one line.
import type { z } from "zod";

const shownIssues = 5;

export function describeIssues({ issues }: z.ZodError): string {
  const all = issues.flatMap((issue) => lines(issue, []));
  const shown = all.slice(0, shownIssues);
  return [...shown, ...(all.length > shownIssues ? [`and ${all.length - shownIssues} more`] : [])].join("; ");
}

function lines(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): string[] {
  const path = [...above, ...issue.path];
  const nearest = issue.code === "invalid_union" ? nearestChoice(issue.errors) : undefined;
  if (nearest !== undefined) return nearest.flatMap((each) => lines(each, path));
  return [path.length === 0 ? issue.message : `${path.join(".")}: ${issue.message}`];
}

/** @output what is wrong with the alternative that was most likely meant; undefined: none of them says more */
function nearestChoice(
  choices: readonly (readonly z.core.$ZodIssue[])[],
): readonly z.core.$ZodIssue[] | undefined {
  const [nearest] = choices.toSorted((a, b) => a.length - b.length);
  return nearest?.every(({ path }) => path.length > 0) ? nearest : undefined;
}
