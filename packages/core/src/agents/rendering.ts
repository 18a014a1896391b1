// The exact texts that reach the model. Everything here is pure.
import type { AgentsFile, AgentsRemoval, AgentsResolution, SystemReminderType } from "@codelia/shared-types";
import { visibleName } from "@codelia/shared-types";
import { neutraliseTags } from "../text/index.ts";

export interface Instructions {
  readonly file: AgentsFile;
  readonly text: string;
}

const projectSeparator = "--- project-doc ---";

/** The texts alone: home, a separator, then the project's files, each kept part verbatim. */
export function joinInstructions(instructions: readonly Instructions[]): string {
  const included = instructions.filter(({ file }) => file.keptBytes > 0);
  const home = included.filter(({ file }) => file.kind === "home").map(({ text }) => text);
  const project = included.filter(({ file }) => file.kind !== "home").map(({ text }) => text);
  const parts =
    home.length > 0 && project.length > 0 ? [...home, projectSeparator, ...project] : [...home, ...project];
  return parts.join("\n\n");
}

/** The bundle as a system message. */
export function renderSystemBundle(instructions: readonly Instructions[]): string {
  const sections = instructions
    .filter(({ file }) => file.keptBytes > 0)
    .map(({ file, text }) => `Instructions from: ${visibleName(file.path)}${cutMark(file)}\n${ended(text)}`);
  sections.push(...incompleteNotice(instructions));
  return `<agents_context scope="initial">\n${sections.join("\n")}</agents_context>`;
}

/** The bundle as a user message. */
export function renderUserBundle(instructions: readonly Instructions[], cwd: string): string {
  const sections = [ended(joinInstructions(instructions)), ...incompleteNotice(instructions)];
  return `# AGENTS.md instructions for ${visibleName(cwd)}\n\n<INSTRUCTIONS>\n${sections.join("\n")}</INSTRUCTIONS>`;
}

function ended(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

function cutMark(file: AgentsFile): string {
  return file.status === "cut" ? ` (the first ${file.keptBytes} of ${file.totalBytes} bytes)` : "";
}

function incompleteNotice(instructions: readonly Instructions[]): string[] {
  const incomplete = instructions.filter(({ file }) => file.status !== "whole");
  if (incomplete.length === 0) return [];
  const lines = incomplete.map(
    ({ file }) => `- ${visibleName(file.path)} (${file.keptBytes} of ${file.totalBytes} bytes included)`,
  );
  return [
    `These instructions apply but did not fit. Read the rest before you work in their directories:\n${lines.join("\n")}\n`,
  ];
}

export interface InlineBody {
  readonly path: string;
  readonly text: string;
  readonly keptBytes: number;
  readonly totalBytes: number;
}

/** The reminder for one tool call; `undefined` when there is nothing to say. */
export function renderResolution(
  resolution: AgentsResolution,
  bodies: readonly InlineBody[] = [],
): string | undefined {
  const { files, changed, removed, pending, skipped } = resolution;
  const unreadable = skipped.filter(({ reason }) => reason === "unreadable");
  if (files.length === 0 && removed.length === 0 && unreadable.length === 0) return undefined;
  const lines: string[] = [];
  const added = files.filter(({ path }) => !changed.includes(path));
  const updated = files.filter(({ path }) => changed.includes(path));
  if (added.length > 0)
    lines.push("Additional AGENTS.md may apply for this path:", ...added.map(versionLine));
  if (updated.length > 0) lines.push("Changed since you saw them:", ...updated.map(versionLine));
  if (files.length > 0) lines.push("Read and apply these files before editing files in this scope.");
  if (pending > 0) {
    const more = pending === 1 ? "1 more file applies" : `${pending} more files apply`;
    lines.push(`${more} to this path and will be named at the next tool call in this scope.`);
  }
  if (removed.length > 0) lines.push("No longer in force:", ...removed.map(removalLine));
  for (const { path, detail } of unreadable) {
    lines.push(`Could not check ${visibleName(path)}: ${detail ?? "unknown error"}.`);
  }
  for (const body of bodies) lines.push(renderBody(body));
  return renderReminder("agents.resolve.paths", lines.join("\n"));
}

export interface ResumeChange {
  readonly cwd: readonly [before: string, after: string];
  readonly root: readonly [before: string, after: string];
  readonly markers: readonly [before: readonly string[], after: readonly string[]];
  readonly resolution: AgentsResolution;
}

/** The note that a resumed session starts with when its surroundings changed. */
export function renderResumeDiff({ cwd, root, markers, resolution }: ResumeChange): string {
  const { files, removed, pending } = resolution;
  const lines = [
    "Session resumed with context changes:",
    `- cwd: ${visibleName(cwd[0])} -> ${visibleName(cwd[1])}`,
    `- root: ${visibleName(root[0])} -> ${visibleName(root[1])}`,
    `- markers: ${JSON.stringify(markers[0])} -> ${JSON.stringify(markers[1])}`,
  ];
  if (files.length > 0) lines.push("Re-check AGENTS.md for current scope:", ...files.map(versionLine));
  if (pending > 0)
    lines.push(`${pending} more changed and will be named when you work in their directories.`);
  if (removed.length > 0) lines.push("No longer in force:", ...removed.map(removalLine));
  return renderReminder("session.resume.diff", lines.join("\n"));
}

/** One reminder of the catalogue. The content cannot close the tag. */
export function renderReminder(type: SystemReminderType, content: string): string {
  return `<system-reminder type="${type}">\n${neutraliseTags(content).text}\n</system-reminder>`;
}

function versionLine({ path, mtimeMs }: { path: string; mtimeMs: number }): string {
  return `- ${visibleName(path)} (mtime: ${Math.trunc(mtimeMs)})`;
}

function removalLine({ path, reason, by }: AgentsRemoval): string {
  const because = by === undefined ? reason : `${reason} by ${visibleName(by)}`;
  return `- ${visibleName(path)} (${because})`;
}

function renderBody({ path, text, keptBytes, totalBytes }: InlineBody): string {
  const cut = keptBytes < totalBytes ? ` (the first ${keptBytes} of ${totalBytes} bytes)` : "";
  return `\nInstructions from: ${visibleName(path)}${cut}\n${text.trimEnd()}`;
}
