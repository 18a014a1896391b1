// The catalog as the model is given it, within its limits: first descriptions get shorter, all alike, then they go,
// then skills are left out, and the text says how many.
import { type SkillMetadata, visibleText } from "@codelia/shared-types";
import type { CatalogLimits, CatalogText } from "./types.ts";

const opening = `<skills_context>
<skills_usage>
  <rule>A skill is a folder with instructions for one kind of task. Only names and descriptions are listed here.</rule>
  <rule>When a task fits a description, or the user names a skill, call skill_load before you start; follow what it says.</rule>
  <rule>When nothing listed fits, look with skill_search. Relative paths in a skill start at its folder.</rule>
</skills_usage>`;
const closing = "</skills_catalog>\n</skills_context>";
/** A description that had to get shorter than this says too little to be kept. */
const leastKept = 16;

interface Entry {
  readonly skill: SkillMetadata;
  readonly description: string;
  /** Bytes of the whole description, escaped. */
  readonly bytes: number;
  /** Bytes of the entry without a description. */
  readonly bare: number;
}

/**
 * @input  the skills in their order; `total` when there are more than these
 * @output never more than `maxBytes` bytes and `maxEntries` skills; the same text for the same skills
 */
export function renderCatalog(
  skills: readonly SkillMetadata[],
  { maxEntries, maxBytes }: CatalogLimits,
  total: number = skills.length,
): CatalogText {
  const none = { text: undefined, truncated: total > 0, shown: [], total };
  if (total === 0 || maxBytes === 0) return none;
  const listed = skills.slice(0, maxEntries).map(entryOf);
  const room = maxBytes - frameBytes(listed.length, total);
  const whole = sum(listed, ({ bare, bytes }) => bare + descriptionBytes(bytes));
  if (room >= whole) return assemble(listed, undefined, total);
  const kept = longestKept(listed, room);
  if (kept !== undefined) return assemble(listed, kept, total);
  const fitting = withoutDescriptions(listed, maxBytes, total);
  const last = assemble(fitting, 0, total);
  return byteLength(last.text ?? "") <= maxBytes ? last : none;
}

function entryOf(skill: SkillMetadata): Entry {
  const description = onOneLine(skill.description);
  const escaped = escapeText(description);
  return {
    skill,
    description,
    bytes: byteLength(escaped),
    bare: byteLength(renderEntry(skill, undefined)) + 1,
  };
}

/** Bytes that a description of so many bytes adds: its tags and its line. */
function descriptionBytes(bytes: number): number {
  return bytes + "    <description></description>\n".length;
}

/** The most bytes that each description may have so that all entries fit; undefined when too few would be left. */
function longestKept(entries: readonly Entry[], room: number): number | undefined {
  const needed = (most: number) =>
    sum(entries, ({ bare, bytes }) => bare + descriptionBytes(Math.min(bytes, most)));
  if (needed(leastKept) > room) return undefined;
  let low = leastKept;
  let high = Math.max(leastKept, ...entries.map(({ bytes }) => bytes));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (needed(middle) <= room) low = middle;
    else high = middle - 1;
  }
  return low;
}

function withoutDescriptions(entries: readonly Entry[], maxBytes: number, total: number): Entry[] {
  let used = 0;
  let count = 0;
  for (const { bare } of entries) {
    if (used + bare + frameBytes(count + 1, total) > maxBytes) break;
    used += bare;
    count += 1;
  }
  return entries.slice(0, count);
}

/** @input kept the most bytes of a description; undefined: all of them; 0: none */
function assemble(entries: readonly Entry[], kept: number | undefined, total: number): CatalogText {
  const isCut = kept !== undefined && entries.some(({ bytes }) => bytes > kept);
  const isTruncated = isCut || entries.length < total;
  const lines = entries.map(({ skill, description, bytes }) => {
    if (kept === 0) return renderEntry(skill, undefined);
    return renderEntry(
      skill,
      kept === undefined || bytes <= kept ? escapeText(description) : cut(description, kept),
    );
  });
  const shown = entries.map(({ skill }) => skill);
  const text = [...frameStart(isTruncated), ...lines, ...missingLine(entries.length, total), closing].join(
    "\n",
  );
  return { text, truncated: isTruncated, shown, total };
}

function frameStart(isTruncated: boolean): string[] {
  return [opening, `<skills_catalog scope="initial" truncated="${isTruncated}">`];
}

function missingLine(shown: number, total: number): string[] {
  if (shown === total) return [];
  const missing = total - shown;
  return [
    `  ${missing} more ${missing === 1 ? "skill is" : "skills are"} not listed: use skill_search to find them.`,
  ];
}

/** Bytes around the entries, for the longer word of `truncated`. */
function frameBytes(shown: number, total: number): number {
  return byteLength([...frameStart(false), ...missingLine(shown, total), closing].join("\n"));
}

function renderEntry({ name, path, scope }: SkillMetadata, escaped: string | undefined): string {
  const description = escaped === undefined ? "" : `    <description>${escaped}</description>\n`;
  return `  <skill>\n    <name>${escapeText(name)}</name>\n${description}    <path>${escapeText(onOneLine(path))}</path>\n    <scope>${scope}</scope>\n  </skill>`;
}

/** The longest beginning that is at most `most` bytes when escaped, with the mark that says that it was cut. */
function cut(description: string, most: number): string {
  const mark = "…";
  let kept = "";
  let bytes = byteLength(mark);
  for (const character of description) {
    const escaped = escapeText(character);
    bytes += byteLength(escaped);
    if (bytes > most) break;
    kept += escaped;
  }
  return `${kept.trimEnd()}${mark}`;
}

/** Nothing in it can act on a terminal or look like another line. */
function onOneLine(text: string): string {
  return visibleText(text.replace(/\s+/gu, " ").trim());
}

/** Nothing in it can open or close a tag. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

function sum(entries: readonly Entry[], of: (entry: Entry) => number): number {
  return entries.reduce((total, entry) => total + of(entry), 0);
}
