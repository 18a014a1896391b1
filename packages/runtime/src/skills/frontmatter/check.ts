// The rules for what a frontmatter says.
import { skillNamePattern, visibleName } from "@codelia/shared-types";
import type { Field } from "./fields.ts";
import type { Problem } from "./split.ts";

export const maxNameLength = 64;
export const maxDescriptionLength = 1024;
const maxCompatibilityLength = 500;

const known = new Set([
  "name",
  "description",
  "version",
  "license",
  "compatibility",
  "allowed-tools",
  "metadata",
]);

/** What a skill says of itself besides its text. */
export interface SkillFrontmatter {
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly allowedTools?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface Checked {
  /** Undefined when there is an error. */
  readonly frontmatter: SkillFrontmatter | undefined;
  readonly problems: readonly Problem[];
}

/** @input dirNames the names that the skill's directory goes by: as discovered, and without links */
export function checkFields(fields: ReadonlyMap<string, Field>, dirNames: readonly string[]): Checked {
  const problems: Problem[] = [];
  const add = (severity: Problem["severity"], at: Field | undefined, message: string, fix: string) =>
    problems.push({ severity, message, ...(at?.place ?? { line: 1, column: 1 }), fix });
  const name = checkName(fields.get("name"), dirNames, add);
  const description = checkDescription(fields.get("description"), add);
  const extras = checkExtras(fields, add);
  for (const field of fields.values()) {
    if (known.has(field.key)) continue;
    const { key, keyPlace } = field;
    const message = `${visibleName(key)} is no key of a skill and is ignored`;
    problems.push({ severity: "warning", message, ...keyPlace, fix: "remove it, or put it below metadata:" });
  }
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  const isValid = problems.every(({ severity }) => severity === "warning");
  return {
    frontmatter:
      isValid && name !== undefined && description !== undefined
        ? { name, description, ...extras }
        : undefined,
    problems,
  };
}

type Add = (severity: Problem["severity"], at: Field | undefined, message: string, fix: string) => void;

function checkName(field: Field | undefined, dirNames: readonly string[], add: Add): string | undefined {
  const [dirName = ""] = dirNames;
  const wanted = suggestName(dirName);
  const example = `write: name: ${wanted === "" ? "my-skill" : wanted}`;
  if (field === undefined) {
    add("error", undefined, "name is missing", example);
    return undefined;
  }
  const name = field.value.kind === "text" ? field.value.text : undefined;
  if (name === undefined) {
    add("error", field, "name must be text", example);
    return undefined;
  }
  if (name.trim() === "") {
    add("error", field, "name is empty", example);
    return undefined;
  }
  const wrong = nameFault(name);
  const suggestion = suggestName(name);
  if (wrong !== undefined) {
    add(
      "error",
      field,
      `name ${visibleName(short(name))} ${wrong}`,
      suggestion === "" ? example : `write: name: ${suggestion}`,
    );
  } else if (!dirNames.includes(name)) {
    add(
      "error",
      field,
      `name is ${name} but its directory is ${visibleName(dirName)}`,
      `rename the directory to ${name}${wanted === "" || wanted === name ? "" : `, or write: name: ${wanted}`}`,
    );
  }
  return name;
}

function nameFault(name: string): string | undefined {
  const length = codePoints(name);
  if (length > maxNameLength) return `has ${length} characters; ${maxNameLength} are allowed`;
  if (skillNamePattern.test(name)) return undefined;
  if (/\p{Lu}/u.test(name)) return "must be lowercase";
  if (name.startsWith("-") || name.endsWith("-")) return "cannot start or end with a hyphen";
  if (name.includes("--")) return "cannot have two hyphens in a row";
  return "has invalid characters; a-z, 0-9 and single hyphens are allowed";
}

/** A valid name that is near; empty when nothing of the name can stay. */
export function suggestName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxNameLength)
    .replace(/^-+|-+$/g, "");
}

function checkDescription(field: Field | undefined, add: Add): string | undefined {
  const fix = "write: description: what it does, and when to use it";
  if (field === undefined) {
    add("error", undefined, "description is missing", fix);
    return undefined;
  }
  const description = field.value.kind === "text" ? field.value.text.trim() : undefined;
  if (description === undefined) {
    add("error", field, "description must be text", fix);
    return undefined;
  }
  if (description === "") add("error", field, "description is empty", fix);
  const length = codePoints(description);
  if (length > maxDescriptionLength) {
    const message = `description has ${length} characters; ${maxDescriptionLength} are allowed`;
    add("error", field, message, "shorten it, and move the rest into the skill's body");
  }
  return description;
}

function checkExtras(
  fields: ReadonlyMap<string, Field>,
  add: Add,
): Omit<SkillFrontmatter, "name" | "description"> {
  const text = (key: string): string | undefined => {
    const field = fields.get(key);
    if (field === undefined) return undefined;
    if (field.value.kind === "text") return field.value.text.trim();
    add("warning", field, `${key} should be text and is ignored`, `write: ${key}: text`);
    return undefined;
  };
  const version = text("version");
  const license = text("license");
  const compatibility = text("compatibility");
  const field = fields.get("compatibility");
  if (compatibility !== undefined && codePoints(compatibility) > maxCompatibilityLength) {
    const message = `compatibility has ${codePoints(compatibility)} characters; ${maxCompatibilityLength} are allowed`;
    add("error", field, message, "shorten it");
  }
  const tools = fields.get("allowed-tools");
  const allowedTools =
    tools?.value.kind === "list" && tools.value.items !== undefined
      ? tools.value.items.join(" ")
      : text("allowed-tools");
  const metadata = metadataOf(fields.get("metadata"), add);
  return {
    ...(version === undefined ? {} : { version }),
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    ...(allowedTools === undefined ? {} : { allowedTools }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function metadataOf(field: Field | undefined, add: Add): Record<string, string> | undefined {
  if (field === undefined) return undefined;
  if (field.value.kind === "map" && field.value.entries !== undefined)
    return Object.fromEntries(field.value.entries);
  add(
    "warning",
    field,
    "metadata should be keys with texts and is ignored",
    "write `key: text` lines below metadata:",
  );
  return undefined;
}

/** At least as many where there are few: no text has more code points than UTF-16 units. */
function codePoints(text: string): number {
  return text.length <= maxNameLength ? text.length : Array.from(text).length;
}

function short(name: string): string {
  return name.length <= 80 ? name : `${name.slice(0, 77)}…`;
}
