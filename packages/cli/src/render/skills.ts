// `codelia skills` for people.
import type { Result, WireSkill, WireSkillError, WireSkillProblem } from "@codelia/protocol";
import { visibleName, visibleText } from "@codelia/shared-types";
import { cellsOf, columns, cutToCells, indented, oneLine, plural, shortPath } from "./table.ts";

// Where there is no terminal to fit into.
const defaultDescriptionCells = 100;
const minDescriptionCells = 20;

export function renderSkills(
  { skills, disabled, enabled, root }: Result<"skills.list">,
  options: { readonly all: boolean; readonly columns: number | undefined },
): string {
  if (!enabled) return "Skills are switched off: the setting skills.enabled is false.\n";
  const marked = options.all ? disabled : [];
  const rows = [
    ...skills.map((skill) => [...skillRow(skill, root), ""]),
    ...marked.map((skill) => [...skillRow(skill, root), "disabled"]),
  ];
  const hidden = disabled.length - marked.length;
  const lines = rows.length === 0 ? ["There are no skills here. Make one with: codelia skills new NAME"] : [];
  if (rows.length > 0) {
    lines.push(...fitted([["name", "scope", "description", "path", ""], ...rows], 2, options.columns));
  }
  if (hidden > 0) lines.push("", `${plural(hidden, "more is", "more are")} disabled: --all shows them.`);
  return `${lines.join("\n")}\n`;
}

export function renderSkillSearch(
  { results, count, enabled, root }: Result<"skills.search">,
  width: number | undefined,
): string {
  if (!enabled) return "Skills are switched off: the setting skills.enabled is false.\n";
  if (results.length === 0) return "No skill matches.\n";
  const rows = results.map(({ skill, reason }) => {
    const [name = "", scope = "", description = "", path = ""] = skillRow(skill, root);
    return [name, scope, reasons[reason], description, path];
  });
  const lines = fitted([["name", "scope", "found by", "description", "path"], ...rows], 3, width);
  if (count > results.length) lines.push("", `${count - results.length} more: --limit N shows them.`);
  return `${lines.join("\n")}\n`;
}

const reasons: Record<Result<"skills.search">["results"][number]["reason"], string> = {
  exact_path: "path",
  exact_name: "name",
  prefix: "start of name",
  token_overlap: "words",
};

function skillRow({ name, scope, description, path }: WireSkill, root: string): string[] {
  return [visibleName(name), scope, oneLine(description, defaultDescriptionCells), shortPath(path, root)];
}

/** Rows whose column `index` takes what the others leave of the width. */
function fitted(rows: readonly string[][], index: number, width: number | undefined): string[] {
  if (width === undefined) return columns(rows);
  const others = rows.map((row) => row.filter((_, each) => each !== index));
  const [widest = 0] = columns(others)
    .map(cellsOf)
    .toSorted((a, b) => b - a);
  const left = Math.max(minDescriptionCells, width - widest - 2);
  return columns(
    rows.map((row) => row.map((cell, each) => (each === index ? cutToCells(cell, left) : cell))),
  );
}

/** For standard error: what is wrong with skills, and what else the user should know. */
export function renderSkillErrors({
  errors,
  notices,
}: {
  readonly errors: readonly WireSkillError[];
  readonly notices: readonly string[];
}): string {
  const lines = [...errors.flatMap((error) => problemLines(error)), ...notices.map(visibleText)];
  return lines.map((line) => `${line}\n`).join("");
}

/** `file:line:column: what is wrong`, and below it what to write instead. */
export function problemLines(
  { path, line, column, message, fix, severity }: WireSkillError & Partial<WireSkillProblem>,
  base = "",
): string[] {
  const file = base === "" ? visibleName(path) : shortPath(path, base);
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  const said = visibleText(severity === undefined ? message : `${severity}: ${message}`);
  return [
    `${place}: ${said.replaceAll("\n", " ")}`,
    ...(fix === undefined ? [] : indented([`fix: ${visibleText(fix).replaceAll("\n", " ")}`])),
  ];
}

export function renderSkill(result: Result<"skills.show">): string {
  const { skill, disabled, files, files_truncated, text } = result;
  const names = files.map((file) => shortPath(file, skill.dir));
  const rows = [
    ["name", visibleName(skill.name)],
    ["scope", skill.scope],
    ["path", visibleName(skill.path)],
    ["files", names.length === 0 ? "none besides SKILL.md" : names.join(", ")],
    ...(files_truncated ? [["", "not all of its files are listed"]] : []),
    ...(disabled
      ? [["disabled", `switch it on with: codelia skills enable ${visibleName(skill.name)}`]]
      : []),
  ];
  return `${[...columns(rows), "", "What a model is given that loads it:", "", visibleText(text)].join("\n")}\n`;
}

export function renderValidation(
  { skills, problems, error_count, warning_count }: Result<"skills.validate">,
  cwd: string,
): string {
  const all = [...problems, ...skills.flatMap((skill) => skill.problems)];
  const lines = all.flatMap((problem) => problemLines(problem, cwd));
  const found = `${plural(error_count, "error")}, ${plural(warning_count, "warning")}`;
  return `${[...lines, `${plural(skills.length, "skill")}: ${found}`].join("\n")}\n`;
}

export function renderEnabled(
  { enabled, changed, file, skills }: Result<"skills.set_enabled">,
  given: string,
): string {
  const name = visibleName(given);
  const state = enabled ? "enabled" : "disabled";
  if (!changed) return `${name} is ${state} already; nothing was changed.\n`;
  const lines = [`${enabled ? "Enabled" : "Disabled"} ${name} in ${visibleName(file)}`];
  if (skills.length === 0) lines.push("There is no such skill here any more.");
  if (skills.length > 1) {
    lines.push(
      `${skills.length} skills have this name:`,
      ...indented(skills.map(({ path }) => visibleName(path))),
    );
  }
  if (!enabled) lines.push(`Take it back with: codelia skills enable ${name}`);
  return `${lines.join("\n")}\n`;
}

export function renderNewSkill({ path, files }: Result<"skills.new">): string {
  return [
    ...files.map((file) => `Made ${visibleName(file)}`),
    `Next: write into it what the skill does, then check it with: codelia skills validate ${visibleName(path)}`,
    "",
  ].join("\n");
}
