// JSON with positions: every problem and every value knows its line and column.
import { type Node, type ParseError, parseTree } from "jsonc-parser";

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface JsonProblem extends Position {
  readonly message: string;
}

export interface JsonDocument {
  readonly value: unknown;
  /** The place of the value at this path, or of the nearest enclosing one. */
  locate(path: readonly PropertyKey[]): Position;
  /** The place of the last name in the path, where it is an object's key. */
  locateKey(path: readonly PropertyKey[]): Position;
}

export type JsonParse =
  | { readonly ok: true; readonly document: JsonDocument }
  | { readonly ok: false; readonly problems: readonly JsonProblem[] };

// jsonc-parser's error codes, by number, in words.
const explanations: Record<number, string> = {
  1: "this is not a JSON value",
  2: "this is not a valid number",
  3: "expected a property name in double quotes",
  4: "expected a value",
  5: "expected a colon",
  6: "expected a comma",
  7: "expected a closing brace `}`",
  8: "expected a closing bracket `]`",
  9: "expected nothing more after the value",
  10: "comments are not allowed in JSON",
  11: "a comment is not closed",
  12: "a string is not closed",
  13: "a number is not finished",
  14: "this is not a valid Unicode escape",
  15: "this is not a valid escape",
  16: "this character is not allowed; write it as an escape",
};

/** Nobody mends more of them at once. */
const maxDuplicates = 100;

/** Strict JSON: no comments, no trailing commas, no duplicate keys. */
export function parseJson(text: string): JsonParse {
  const errors: ParseError[] = [];
  try {
    const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
    const [first] = errors;
    const positionOf = positions(text);
    if (first !== undefined) return { ok: false, problems: [syntaxProblem(text, first, positionOf)] };
    if (tree === undefined)
      return { ok: false, problems: [{ ...positionOf(0), message: "the file is empty" }] };
    const duplicates = [...duplicateKeys(tree)].slice(0, maxDuplicates).map(({ value, offset }) => ({
      ...positionOf(offset),
      message: `the key ${JSON.stringify(value)} is given twice`,
    }));
    if (duplicates.length > 0) return { ok: false, problems: duplicates };
    return { ok: true, document: document(tree, positionOf) };
  } catch (error) {
    // The parser is recursive: brackets nested by the ten thousand exhaust its stack.
    if (error instanceof RangeError) {
      return {
        ok: false,
        problems: [{ line: 1, column: 1, message: "the values are nested too deeply" }],
      };
    }
    throw error;
  }
}

// One mistake makes the parser report several; the first is the one to mend.
function syntaxProblem(text: string, { error, offset }: ParseError, positionOf: PositionOf): JsonProblem {
  const message = explanations[error] ?? "this is not valid JSON";
  const before = text.slice(0, offset).trimEnd();
  const isTrailingComma = before.endsWith(",") && /^[}\]]/.test(text.slice(offset));
  const position = positionOf(isTrailingComma ? before.length - 1 : offset);
  return { ...position, message: isTrailingComma ? "remove this comma: nothing follows it" : message };
}

function document(tree: Node, positionOf: PositionOf): JsonDocument {
  const at = (node: Node): Position => positionOf(node.offset);
  // Made for objects that are asked about: many questions about a large one must not each go through it.
  const known = new Map<Node, Map<unknown, Node>>();
  const propertyOf = (node: Node, name: PropertyKey | undefined): Node | undefined => {
    const properties =
      known.get(node) ?? new Map((node.children ?? []).map((each) => [each.children?.[0]?.value, each]));
    known.set(node, properties);
    return properties.get(name);
  };
  const nodeAt = (path: readonly PropertyKey[]): Node => {
    let node = tree;
    for (const name of path) {
      const next =
        node.type === "array" ? node.children?.[Number(name)] : propertyOf(node, name)?.children?.[1];
      if (next === undefined) return node;
      node = next;
    }
    return node;
  };
  return {
    value: toValue(tree),
    locate: (path) => at(nodeAt(path)),
    locateKey: (path) => {
      const parent = nodeAt(path.slice(0, -1));
      return at(propertyOf(parent, path.at(-1)) ?? parent);
    },
  };
}

function toValue(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(toValue);
  if (node.type !== "object") return node.value;
  // fromEntries defines own properties, so that a key such as `__proto__` stays a plain key.
  return Object.fromEntries(
    (node.children ?? []).map((property) => {
      const [key, value] = property.children ?? [];
      return [String(key?.value), value === undefined ? null : toValue(value)];
    }),
  );
}

function* duplicateKeys(node: Node): Generator<Node, void> {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const key = child.type === "property" ? child.children?.[0] : undefined;
    if (key !== undefined && seen.has(key.value)) yield key;
    if (key !== undefined) seen.add(key.value);
    yield* duplicateKeys(child);
  }
}

type PositionOf = (offset: number) => Position;

/** Looks for the line ends once, when the first place is asked for. */
function positions(text: string): PositionOf {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    let line = 0;
    for (let after = starts.length; after - line > 1; ) {
      const middle = (line + after) >> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else after = middle;
    }
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}
