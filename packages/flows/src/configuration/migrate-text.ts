// A file of a definition in the form of this version.
import { parseJson } from "@codelia/config/json-document";
import { applyDeprecations, type Deprecation, type DeprecationOptions, deprecations } from "./deprecation.ts";
import { DefinitionError, type DefinitionProblem, locateFinding } from "./problem.ts";
import { currentVersion } from "./version.ts";

export interface MigratedText {
  /** The very same text when nothing in it is deprecated. */
  readonly text: string;
  /** What was rewritten, at its place in the old text. */
  readonly changes: readonly DefinitionProblem[];
}

/**
 * @input  path: for messages; text: of agent.json or steps.json
 * @output the text without what is deprecated; with a change it is laid out anew, in the file's own indentation
 * @effects none
 * @error  DefinitionError ParseError
 */
export function migrateText(
  file: Deprecation["file"],
  path: string,
  text: string,
  options: DeprecationOptions = { table: deprecations, current: currentVersion },
): MigratedText {
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const fix = "Mend the file: it must be strict JSON.";
    const problems = parsed.problems.map((each) => ({
      file: path,
      pointer: "",
      code: "ParseError",
      fix,
      ...each,
    }));
    throw new DefinitionError("ParseError", problems);
  }
  const { document } = parsed;
  const { warnings, errors, value } = applyDeprecations(file, document.value, options);
  const changes = [...warnings, ...errors].map((finding) => locateFinding({ file: path, document }, finding));
  return changes.length === 0 ? { text, changes } : { text: written(value, text), changes };
}

/** Indented as the file was, with its line ends. */
function written(value: unknown, old: string): string {
  const indent = /\n([ \t]+)"/.exec(old)?.[1] ?? "  ";
  const text = `${JSON.stringify(value, undefined, indent)}\n`;
  return old.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}
