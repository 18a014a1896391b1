// Reads a class of characters, `[a-z&&[^x]]`, into the notation that RegExp has for it.
import { insideClass, type PatternReader } from "./pattern-reader.ts";
import { escaped } from "./syntax.ts";

const posix: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7F",
  blank: "\\t\\x20",
  cntrl: "\\x00-\\x1F\\x7F",
  digit: "0-9",
  graph: "\\x21-\\x7E",
  lower: "a-z",
  print: "\\x20-\\x7E",
  punct: "\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E",
  space: "\\t\\n\\v\\f\\r\\x20",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

const maxDepth = 50;

/** One end of a range, or a single character; `undefined` when the item was a class of its own. */
interface Item {
  readonly source: string;
  readonly codePoint: number | undefined;
}

/** The reader stands behind `[`. @output the class with its brackets */
export function readClass(reader: PatternReader, depth = 0): string {
  const start = reader.position - 1;
  if (depth > maxDepth) reader.fail("classes are nested too deeply", start);
  const negated = reader.take("^");
  // Operands of && and --: each becomes a class of its own, because RegExp takes no ranges there.
  const parts: string[] = [];
  let items = "";
  let onlyLineEnds = true;
  let count = 0;
  const leading = reader.position;
  for (;;) {
    if (reader.atEnd()) reader.fail("the class is not closed; write \\[ for a bracket", start);
    if (reader.position !== leading && reader.take("]")) break;
    const operator = reader.position === leading ? undefined : operatorAt(reader);
    if (operator !== undefined) {
      parts.push(operand(reader, items), operator);
      items = "";
      onlyLineEnds = false;
      continue;
    }
    const item = readItem(reader, depth);
    const range = item.codePoint === undefined ? undefined : readRange(reader, depth, item.codePoint);
    items += range ?? item.source;
    onlyLineEnds &&= range === undefined && (item.codePoint === 10 || item.codePoint === 13);
    count += 1;
  }
  if (count > 0 && onlyLineEnds && !negated) reader.fail("a line end never matches within a line", start);
  if (parts.length === 0) return `[${negated ? "^" : ""}${items}]`;
  return `[${negated ? "^" : ""}${nested([...parts, operand(reader, items)])}]`;
}

/** RegExp does not mix operators in one class: they are grouped from the left. */
function nested(parts: readonly string[]): string {
  let [result = ""] = parts;
  for (let index = 1; index < parts.length; index += 2) {
    const inner = `${result}${parts[index] ?? ""}${parts[index + 1] ?? ""}`;
    result = index + 2 < parts.length ? `[${inner}]` : inner;
  }
  return result;
}

function operand(reader: PatternReader, items: string): string {
  if (items === "") reader.fail("an operator of a class needs something on both sides");
  return `[${items}]`;
}

function operatorAt(reader: PatternReader): string | undefined {
  if (reader.take("&&")) return "&&";
  if (reader.peek() === "~" && reader.peek(1) === "~") reader.fail("~~ in a class is not supported");
  return reader.take("--") ? "--" : undefined;
}

function readItem(reader: PatternReader, depth: number): Item {
  if (reader.take("\\")) {
    const found = reader.escape();
    return {
      source: insideClass(found),
      codePoint: found.kind === "character" ? found.codePoint : undefined,
    };
  }
  if (reader.take("[")) {
    return { source: readPosix(reader) ?? readClass(reader, depth + 1), codePoint: undefined };
  }
  const codePoint = reader.next().codePointAt(0) ?? 0;
  return { source: escaped(codePoint), codePoint };
}

/** @output undefined when no range follows; a `-` before the closing bracket is a character */
function readRange(reader: PatternReader, depth: number, first: number): string | undefined {
  if (reader.peek() !== "-" || reader.peek(1) === "]" || reader.peek(1) === "-" || reader.peek(1) === "") {
    return undefined;
  }
  const start = reader.position - 1;
  reader.next();
  const last = readItem(reader, depth);
  if (last.codePoint === undefined) reader.fail("a range ends with a character, not with a class", start);
  if (last.codePoint < first) reader.fail("the range is in the wrong order", start);
  return `${escaped(first)}-${escaped(last.codePoint)}`;
}

function readPosix(reader: PatternReader): string | undefined {
  const found = /^:(\^?)([a-z]+):\]/.exec(reader.rest(12));
  const known = posix[found?.[2] ?? ""];
  if (!found || known === undefined) return undefined;
  reader.position += found[0].length;
  return `[${found[1] ?? ""}${known}]`;
}
