// What is wrong with a definition: where it stands, what it is, what to write instead.
import type { JsonDocument, Position } from "@codelia/config/json-document";
import { nearNames, visibleName } from "@codelia/shared-types";
import { ConfigurationError } from "../error.ts";

export interface DefinitionProblem {
  /** Absolute. */
  readonly file: string;
  /** RFC 6901; empty for the whole file and for prompts. */
  readonly pointer: string;
  readonly line: number;
  readonly column: number;
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

export interface SourceDocument {
  readonly file: string;
  readonly document: JsonDocument;
}

/** Nobody reads more; and what is wrong by the hundred thousand must not take all memory to say so. */
export const maxProblems = 1_000;

export type JsonPath = readonly PropertyKey[];

/** What a check says; where it stands is looked up by whoever knows the files. */
export interface Finding {
  readonly path: JsonPath;
  /** The key itself is meant, not its value. */
  readonly isKey?: boolean;
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

export function locateFinding({ file, document }: SourceDocument, finding: Finding): DefinitionProblem {
  const { path, isKey = false, code, message, fix } = finding;
  const position: Position = isKey ? document.locateKey(path) : document.locate(path);
  const { line, column } = position;
  return { file, pointer: jsonPointer(path), line, column, code, message, fix };
}

const namesListed = 20;

/** Names for a fix: the first of them, and how many there are besides. */
export function listed(names: Iterable<string>, count: number): string {
  const first: string[] = [];
  for (const name of names) {
    if (first.length === namesListed) return `${first.join(", ")} and ${count - namesListed} more`;
    first.push(name);
  }
  return first.join(", ");
}

// To compare a name with thousands, once for each that is wrong, would take too long.
const namesCompared = 200;

/** A fix for a name that there is not: those that are like it, or all. */
export function meant(name: string, known: readonly string[]): string {
  const near = known.length > namesCompared ? [] : nearNames(name, known);
  return near.length > 0 ? `Did you mean ${near.join(", ")}?` : `There are: ${listed(known, known.length)}.`;
}

export function jsonPointer(path: JsonPath): string {
  return path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function describeDefinitionProblem({
  file,
  pointer,
  line,
  column,
  message,
  fix,
}: DefinitionProblem): string {
  const place = `${visibleName(file)}:${line}:${column}`;
  return `${place}: ${pointer === "" ? "" : `${visibleName(pointer)}: `}${visibleName(message)}. ${fix}`;
}

/** A definition that cannot be used, with all that is wrong. */
export class DefinitionError extends ConfigurationError {
  override readonly name = "DefinitionError";
  readonly problems: readonly DefinitionProblem[];

  constructor(code: "ParseError" | "Invalid", problems: readonly DefinitionProblem[]) {
    super(code, problems.map(describeDefinitionProblem).join("\n"));
    this.problems = problems;
  }
}

/** A file of a definition that is not there or cannot be read. */
export class DefinitionFileError extends ConfigurationError {
  readonly file: string;
  readonly reason: string;

  constructor(code: "NotFound" | "Unreadable", file: string, reason: string, options: ErrorOptions = {}) {
    super(code, `${visibleName(file)}: ${reason}`, options);
    this.file = file;
    this.reason = reason;
  }
}
