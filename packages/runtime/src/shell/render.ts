// The analysis in words, for `codelia permissions check`.
import { visibleText } from "@codelia/shared-types";
import type { CommandAnalysis, ProgramUse } from "./analysis.ts";

/** @output lines for a terminal; text of the command is made visible */
export function renderAnalysis({ programs, obstacles, redirections }: CommandAnalysis): readonly string[] {
  const certain = programs.filter(({ certainty }) => certainty === "certain");
  const possible = programs.filter(({ certainty }) => certainty === "possible");
  return [
    ...certain.map((use) => `runs      ${wordsOf(use)}${viaOf(use)}`),
    ...(possible.length === 0
      ? []
      : [`could run ${[...new Set(possible.map(({ name }) => name))].join(" ")}`]),
    ...redirections.map(({ access, text }) => `${access.replace("_", "s and ").padEnd(9)} ${text}`),
    ...obstacles.map(
      ({ kind, text, anyProgram }) =>
        `${anyProgram ? "any       " : "asks      "}${text} (${kind.replaceAll("_", " ")})`,
    ),
    ...(obstacles.length === 0 ? ["plain     only words, joined by && || ; |"] : []),
  ].map(visibleText);
}

function wordsOf({ words }: ProgramUse): string {
  return words.map(({ text }) => text).join(" ");
}

function viaOf({ via }: ProgramUse): string {
  return via.length === 0 ? "" : `  (through ${via.join(", ")})`;
}
