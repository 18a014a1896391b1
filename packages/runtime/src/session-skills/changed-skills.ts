// The note about skills that came or went since the model was last told.
import { basename, dirname } from "node:path";
import { renderReminder } from "@codelia/core";
import type { SessionRecordOf } from "@codelia/shared-types";
import { visibleName, visibleText } from "@codelia/shared-types";
import type { Skills } from "../skills/index.ts";

// The rest is found by a search; a note must stay short.
const maxNamed = 20;
const maxDescription = 200;

/**
 * @input  known: paths that the model was told of; hasTools: whether the session can load skills by a tool
 * @output the record of the note; `undefined` when nothing came or went
 */
export function changedSkills(
  skills: Skills,
  known: readonly string[],
  hasTools: boolean,
): SessionRecordOf<"reminder"> | undefined {
  const before = new Set(known);
  const paths = skills.catalog.skills.map(({ path }) => path);
  const now = new Set(paths);
  const added = paths.filter((path) => !before.has(path));
  const removed = known.filter((path) => !now.has(path));
  if (added.length + removed.length === 0) return undefined;
  const use = hasTools ? "load one with skill_load" : "read the SKILL.md of one to use it";
  const lines = [
    ...section(`New skills; ${use}:`, added, (path) => newLine(skills, path), hasTools),
    ...section("No longer there:", removed, (path) => `- ${nameOf(path)} (${visibleName(path)})`, false),
  ];
  const text = renderReminder("skills.changed", lines.join("\n"));
  return { type: "reminder", kind: "skills.changed", text, agents: [], skillsNow: paths };
}

function section(
  title: string,
  paths: readonly string[],
  line: (path: string) => string,
  canSearch: boolean,
): string[] {
  if (paths.length === 0) return [];
  const rest = paths.length - maxNamed;
  const more = rest > 0 ? [`and ${rest} more${canSearch ? ": find them with skill_search" : ""}`] : [];
  return [title, ...paths.slice(0, maxNamed).map(line), ...more];
}

function newLine(skills: Skills, path: string): string {
  const { name = nameOf(path), description = "" } =
    skills.catalog.skills.find((each) => each.path === path) ?? {};
  const short = Array.from(description).slice(0, maxDescription).join("");
  const shown = visibleText(short.replace(/\s+/g, " "));
  return `- ${name} (${visibleName(path)}): ${shown}${short === description ? "" : "…"}`;
}

/** A skill's directory has its name. */
function nameOf(path: string): string {
  return visibleName(basename(dirname(path)));
}
