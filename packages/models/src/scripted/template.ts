// Templates in a script's texts: values that are only known when the script runs.
// Single pass: what a template inserts is never read as a template.
import { visibleText } from "@codelia/shared-types";
import { quoted } from "./quoted.ts";

/** The script asks for something that the request does not have; the message says what. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

// `{{{{` stands for two braces. The length limit keeps the search linear on a long text.
const templates =
  /\{\{(?<literal>\{\{)|\{\{last_tool_output:\/(?<source>.{1,1000}?)\/(?<flags>[a-z]*)\}\}|\{\{/gsu;

/**
 * @output the text with every template replaced
 * @error  TemplateError: an unknown template, a wrong regex, or one that does not match
 */
export function fillTemplates(text: string, lastToolOutput: string | undefined): string {
  if (!text.includes("{{")) return text;
  let filled = "";
  let end = 0;
  for (const match of text.matchAll(templates)) {
    filled += text.slice(end, match.index) + inserted(match, text, lastToolOutput);
    end = match.index + match[0].length;
  }
  return filled + text.slice(end);
}

/** What is wrong with the templates of a text, as far as it can be told without a request. */
export function templateProblems(text: string): string[] {
  const problems: string[] = [];
  for (const match of text.matchAll(templates)) {
    try {
      if (match.groups?.literal === undefined) regexOf(match, text);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      problems.push(error.message);
    }
  }
  return problems;
}

function inserted(match: RegExpExecArray, text: string, lastToolOutput: string | undefined): string {
  if (match.groups?.literal !== undefined) return "{{";
  const regex = regexOf(match, text);
  if (lastToolOutput === undefined) {
    throw new TemplateError(`${shown(match[0])} needs a tool output, and the request has none`);
  }
  const value = regex.exec(lastToolOutput)?.[1];
  if (value !== undefined) return value;
  throw new TemplateError(
    `${shown(match[0])} does not match the last tool output, ${quoted(lastToolOutput)}`,
  );
}

function regexOf(match: RegExpExecArray, text: string): RegExp {
  const { source, flags = "" } = match.groups ?? {};
  if (source === undefined) {
    const start = shown(text.slice(match.index, match.index + 40));
    throw new TemplateError(
      `${start} starts no template: write {{last_tool_output:/regex/}}, or {{{{ for two braces`,
    );
  }
  const regex = compiled(match[0], source, flags);
  // With an empty alternative it matches anything, and the match tells how many groups there are.
  const groups = new RegExp(`${source}|`, flags).exec("")?.length ?? 0;
  if (groups > 1) return regex;
  throw new TemplateError(`${shown(match[0])} has no group: put the part to insert into parentheses`);
}

function compiled(template: string, source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TemplateError(`${shown(template)} has a wrong regex: ${visibleText(reason)}`, { cause: error });
  }
}

function shown(text: string): string {
  return visibleText(JSON.stringify(text).slice(1, -1));
}
