// Reads a frontmatter with a YAML 1.2 parser whose scalars are all strings. Anchors, aliases and tags are refused:
// a skill needs none, and they are how a small file becomes a large one.
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit, type YAMLMap } from "yaml";
import type { Field, FieldValue, Place, ReadFields } from "./fields.ts";
import type { Problem } from "./split.ts";

/** The frontmatter starts on the file's second line. */
const lineOffset = 1;

/** More than any skill needs; the parser takes seconds for a frontmatter that is made of nothing else. */
const maxLines = 1000;
const maxBrackets = 256;
const nestedInOneLine = /(?:[-?:] ){16}/;
/** Nobody mends more at once. */
const maxProblems = 20;

export function readYamlFields(yaml: string): ReadFields {
  const flood = floodOf(yaml);
  if (flood !== undefined) return { ok: false, problems: [flood] };
  const read = parse(yaml);
  return read.ok ? read : { ok: false, problems: read.problems.slice(0, maxProblems) };
}

function floodOf(yaml: string): Problem | undefined {
  const place = { severity: "error", line: 1 + lineOffset, column: 1 } as const;
  const fix = "write plain `key: text` lines, and move the rest into the skill's body";
  if (countOf(yaml, /\n/g) > maxLines) return { ...place, message: `has more than ${maxLines} lines`, fix };
  const isNested = countOf(yaml, /[[{]/g) > maxBrackets || nestedInOneLine.test(yaml);
  return isNested ? { ...place, message: "is nested too deeply", fix } : undefined;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function parse(yaml: string): ReadFields {
  const lines = new LineCounter();
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    const start = lines.lineStarts[line - 1] ?? 0;
    return {
      line: line + lineOffset,
      column: col === 0 ? 1 : Array.from(yaml.slice(start, offset)).length + 1,
    };
  };
  const wrong = (offset: number, message: string, fix: string): Problem => ({
    severity: "error",
    message,
    ...place(offset),
    fix,
  });
  try {
    const document = parseDocument(yaml, {
      schema: "failsafe",
      version: "1.2",
      strict: true,
      uniqueKeys: true,
      prettyErrors: false,
      lineCounter: lines,
      logLevel: "silent",
    });
    const syntax = document.errors
      .slice(0, maxProblems)
      .map(({ code, message, pos }) => wrong(pos[0], ...explain(code, message)));
    if (syntax.length > 0) return { ok: false, problems: syntax };
    const refused: Problem[] = [];
    visit(document, {
      Alias: (_, node) => {
        refused.push(wrong(node.range?.[0] ?? 0, "aliases (*name) are not allowed", "write the value out"));
      },
      Node: (_, node) => {
        const offset = node.range?.[0] ?? 0;
        if ("anchor" in node && node.anchor !== undefined) {
          refused.push(wrong(offset, "anchors (&name) are not allowed", "remove the anchor"));
        }
        if (node.tag !== undefined && hasTag(yaml, offset)) {
          refused.push(wrong(offset, "tags (!name) are not allowed", "remove the tag; every value is text"));
        }
      },
    });
    for (const { code, message, pos } of document.warnings) {
      refused.push(
        code === "TAG_RESOLVE_FAILED"
          ? wrong(pos[0], "tags (!name) are not allowed", "remove the tag; every value is text")
          : wrong(pos[0], message, "write plain `key: text` lines"),
      );
    }
    if (refused.length > 0) return { ok: false, problems: oncePerLine(refused) };
    if (document.directives?.docStart === true) {
      return {
        ok: false,
        problems: [wrong(0, "begins a second document", "keep one between the two --- lines")],
      };
    }
    if (!isMap(document.contents)) {
      const fix = "write `name: …` and `description: …`, one a line";
      return { ok: false, problems: [wrong(0, "the frontmatter must be keys with values", fix)] };
    }
    return readMap(document.contents, place, wrong);
  } catch (error) {
    // Nested too deeply for the parser's stack.
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, problems: [wrong(0, "is nested too deeply", "write plain `key: text` lines")] };
  }
}

/** The parser tells some things twice: where a value begins, and where what is before it does. */
function oncePerLine(problems: readonly Problem[]): Problem[] {
  const sorted = problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
  return sorted.filter(
    ({ line, message }, index) => line !== sorted[index - 1]?.line || message !== sorted[index - 1]?.message,
  );
}

function readMap(
  map: YAMLMap,
  place: (offset: number) => Place,
  wrong: (offset: number, message: string, fix: string) => Problem,
): ReadFields {
  const fields = new Map<string, Field>();
  for (const { key, value } of map.items) {
    const keyOffset = offsetOf(key) ?? 0;
    if (!isScalar(key) || typeof key.value !== "string") {
      return { ok: false, problems: [wrong(keyOffset, "a key must be a word", "write `key: text`")] };
    }
    const at = offsetOf(value) ?? keyOffset;
    fields.set(key.value, {
      key: key.value,
      value: readValue(value),
      keyPlace: place(keyOffset),
      place: place(at),
    });
  }
  return { ok: true, fields };
}

function readValue(node: unknown): FieldValue {
  if (isMap(node)) {
    const pairs = node.items.map(
      ({ key, value }) => [textOf(key), value === null ? "" : textOf(value)] as const,
    );
    const entries = pairs.flatMap(([key, value]) =>
      key === undefined || value === undefined ? [] : [[key, value] as const],
    );
    return { kind: "map", entries: entries.length === pairs.length ? new Map(entries) : undefined };
  }
  if (isSeq(node)) {
    const items = node.items.map(textOf).filter((item) => item !== undefined);
    return { kind: "list", items: items.length === node.items.length ? items : undefined };
  }
  return { kind: "text", text: textOf(node) ?? "" };
}

function textOf(node: unknown): string | undefined {
  if (!isScalar(node)) return undefined;
  // With string scalars there is nothing else, but for what is empty.
  return typeof node.value === "string" ? node.value : "";
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isMap(value) || isSeq(value);
}

/** The parser also sets tags of its own; one that was written stands before the value. */
function hasTag(yaml: string, offset: number): boolean {
  return /!\S*\s*$/.test(yaml.slice(Math.max(0, offset - 200), offset));
}

const colonFix = 'put the text in quotes: description: "Use when: …"';

/** What the parser says, in words that tell what to write. */
function explain(code: string, message: string): [message: string, fix: string] {
  if (message.includes("directives-end")) {
    return ["has directives in the lines above", "remove the lines that begin with %"];
  }
  // `[Beta] Draws maps`, `"Maps" are drawn`, `*bold* text`.
  if (message.includes("at node end")) {
    return [
      "the text goes on behind what YAML takes for all of it: it begins with a quote, a bracket, * or &",
      'put the whole text in quotes: "…"',
    ];
  }
  if (/^Flow (sequence|map) in block collection/.test(message)) {
    return ["a bracket is not closed on its line", 'close it, or put the whole text in quotes: "…"'];
  }
  switch (code) {
    case "DUPLICATE_KEY":
      return ["the key is there twice", "keep one of the two"];
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY":
      return ["the text has a colon and a blank in it, which starts another key", colonFix];
    case "BAD_SCALAR_START":
      return ["the text begins with a character that YAML keeps for itself", 'put it in quotes: "…"'];
    case "TAB_AS_INDENT":
      return ["the line is indented with a tab", "indent with spaces"];
    case "MISSING_CHAR":
      return [message.charAt(0).toLowerCase() + message.slice(1), "close the quote or bracket on its line"];
    case "MULTIPLE_DOCS":
      return ["has more than one document", "keep one between the two --- lines"];
    default:
      return [message.charAt(0).toLowerCase() + message.slice(1), "write plain `key: text` lines"];
  }
}
