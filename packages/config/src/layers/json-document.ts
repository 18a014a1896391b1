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

/** Strict JSON: no comments, no trailing commas, no duplicate keys. */
export function parseJson(text: string): JsonParse {
  const errors: ParseError[] = [];
  try {
    const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
    const [first] = errors;
    if (first !== undefined) return { ok: false, problems: [syntaxProblem(text, first)] };
    if (tree === undefined)
      return { ok: false, problems: [{ ...positionAt(text, 0), message: "the file is empty" }] };
    const duplicates = duplicateKeys(text, tree);
    if (duplicates.length > 0) return { ok: false, problems: duplicates };
    return { ok: true, document: document(text, tree) };
  } catch (error) {
    // The parser is recursive: brackets nested by the ten thousand exhaust its stack.
    if (error instanceof RangeError) {
      return {
        ok: false,
        problems: [{ ...positionAt(text, 0), message: "the values are nested too deeply" }],
      };
    }
    throw error;
  }
}

// One mistake makes the parser report several; the first is the one to mend.
function syntaxProblem(text: string, { error, offset }: ParseError): JsonProblem {
  const message = explanations[error] ?? "this is not valid JSON";
  const before = text.slice(0, offset).trimEnd();
  const isTrailingComma = before.endsWith(",") && /^[}\]]/.test(text.slice(offset));
  const position = positionAt(text, isTrailingComma ? before.length - 1 : offset);
  return { ...position, message: isTrailingComma ? "remove this comma: nothing follows it" : message };
}

function document(text: string, tree: Node): JsonDocument {
  const at = (node: Node): Position => positionAt(text, node.offset);
  return {
    value: toValue(tree),
    locate: (path) => at(nodeAt(tree, path)),
    locateKey: (path) => {
      const parent = nodeAt(tree, path.slice(0, -1));
      const property = parent.children?.find((child) => child.children?.[0]?.value === path.at(-1));
      return at(property ?? parent);
    },
  };
}

function nodeAt(tree: Node, path: readonly PropertyKey[]): Node {
  let node = tree;
  for (const name of path) {
    const next =
      node.type === "array"
        ? node.children?.[Number(name)]
        : node.children?.find((property) => property.children?.[0]?.value === name)?.children?.[1];
    if (next === undefined) return node;
    node = next;
  }
  return node;
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

function duplicateKeys(text: string, node: Node): JsonProblem[] {
  const seen = new Set<unknown>();
  const problems: JsonProblem[] = [];
  for (const child of node.children ?? []) {
    const key = child.type === "property" ? child.children?.[0] : undefined;
    if (key !== undefined && seen.has(key.value)) {
      problems.push({
        ...positionAt(text, key.offset),
        message: `the key ${JSON.stringify(key.value)} is given twice`,
      });
    }
    if (key !== undefined) seen.add(key.value);
    problems.push(...duplicateKeys(text, child));
  }
  return problems;
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
