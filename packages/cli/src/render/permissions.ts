// `codelia permissions` for people.
import type { Result } from "@codelia/protocol";
import { type DecidingRule, visibleJson, visibleName, visibleText } from "@codelia/shared-types";
import { noticeSection } from "./context.ts";
import { columns, indented, oneLine } from "./table.ts";

export function renderPermissionCheck(check: Result<"permissions.check">): string {
  const { decision, by, reason, rule, parse, would_allow: wouldAllow, notices } = check;
  const rows = [
    ["decision", decision],
    ...(by === undefined ? [] : [["by", by]]),
    ["because", oneLine(reason)],
    ...(rule === undefined ? [] : [["rule", `${visibleJson(rule.rule, "one-line")}  ${placeOf(rule)}`]]),
  ];
  const lines = [
    ...columns(rows),
    ...(parse.length === 0 ? [] : ["", "Parse", ...indented(parse.map(visibleText))]),
    ...(decision === "confirm" ? ["", ...wayOut(wouldAllow)] : []),
    ...noticeSection(notices),
  ];
  return `${lines.join("\n")}\n`;
}

function wayOut(rules: Result<"permissions.check">["would_allow"]): string[] {
  if (rules.length === 0) return ["No rule would allow it without a question."];
  return [
    "In permissions.allow of your config.json this would allow it:",
    ...rules.map((rule) => `  ${visibleJson(rule, "one-line")}`),
  ];
}

export function renderPermissionList({
  rules,
  refused,
  safe_programs: safe,
  notices,
}: Result<"permissions.list">): string {
  const lines = [
    ...(rules.length === 0 ? ["There are no rules."] : columns(rules.map(row))),
    ...(refused.length === 0
      ? []
      : ["", "Not used: a project may only deny", ...indented(columns(refused.map(row)))]),
    "",
    "Free in the sandbox, with flags that only look",
    ...indented(wrapped(safe)),
    ...noticeSection(notices),
  ];
  return `${lines.join("\n")}\n`;
}

function row(rule: DecidingRule): string[] {
  return [rule.effect, visibleJson(rule.rule, "one-line"), placeOf(rule)];
}

function placeOf({ scope, source }: DecidingRule): string {
  return source === undefined ? scope : `${scope}: ${visibleName(source)}`;
}

const lineWidth = 100;

function wrapped(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < lineWidth)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
