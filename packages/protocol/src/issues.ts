// What a schema has against a value, in one line.
import type { z } from "zod";

const shownIssues = 5;

export function describeIssues({ issues }: z.ZodError): string {
  const shown = issues
    .slice(0, shownIssues)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  return [...shown, ...(issues.length > shownIssues ? [`and ${issues.length - shownIssues} more`] : [])].join(
    "; ",
  );
}
