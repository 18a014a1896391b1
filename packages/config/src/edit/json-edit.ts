// Changes one value in a JSON text and keeps every other byte: order, white space and line ends are the writer's.
// Own, because jsonc-parser's `modify` lays out the whole line anew and breaks a list when it removes its last member.
import { isDeepStrictEqual } from "node:util";
import { type Node, parseTree } from "jsonc-parser";
import type { ConfigEdit } from "./config-edit.ts";

/**
 * @input  text: strict JSON with an object at its top, and a list or nothing where a list is changed
 * @output the text with the change; the very same text where there is nothing to change
 */
export function editJson(text: string, edit: ConfigEdit): string {
  const tree = parseTree(text);
  if (tree === undefined) return text;
  const page = new Page(text, tree);
  const found = nodeAt(tree, edit.key);
  switch (edit.action) {
    case "set":
      return found === undefined ? page.create(edit.key, edit.value) : page.replace(found, edit.value);
    case "unset": {
      const container = nodeAt(tree, edit.key.slice(0, -1));
      const property = container?.children?.find((each) => each.children?.[0]?.value === edit.key.at(-1));
      return container === undefined || property === undefined ? text : page.remove(container, property);
    }
    case "add": {
      if (found === undefined) return page.create(edit.key, [edit.value]);
      const isThere = (found.children ?? []).some((member) => page.holds(member, edit.value));
      return isThere ? text : page.insert(found, oneLine(edit.value));
    }
    case "remove": {
      const member = found?.children?.findLast((each) => page.holds(each, edit.value));
      // One at a time: a value may be given twice.
      return found === undefined || member === undefined ? text : editJson(page.remove(found, member), edit);
    }
  }
}

/** As JSON has it: a member that is undefined is none. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function nodeAt(tree: Node, key: readonly string[]): Node | undefined {
  let node: Node | undefined = tree;
  for (const name of key) {
    node = node?.children?.find((property) => property.children?.[0]?.value === name)?.children?.[1];
  }
  return node;
}

class Page {
  readonly #text: string;
  readonly #tree: Node;
  readonly #eol: string;

  constructor(text: string, tree: Node) {
    this.#text = text;
    this.#tree = tree;
    this.#eol = text.includes("\r\n") ? "\r\n" : "\n";
  }

  /** The parser's own values are objects without a prototype, which equal no other. */
  holds({ offset, length }: Node, value: unknown): boolean {
    const written: unknown = JSON.parse(this.#text.slice(offset, offset + length));
    return isDeepStrictEqual(written, asJson(value));
  }

  /** Puts a value where there is none yet, with the objects around it that are missing. */
  create(key: readonly string[], value: unknown): string {
    let parent = this.#tree;
    const missing = [...key];
    for (const name of key.slice(0, -1)) {
      const next = nodeAt(parent, [name]);
      if (next === undefined) break;
      parent = next;
      missing.shift();
    }
    const [name = "", ...inner] = missing;
    const whole = inner.reduceRight<unknown>((child, each) => ({ [each]: child }), value);
    return this.insert(parent, `${JSON.stringify(name)}: ${oneLine(whole)}`);
  }

  replace(node: Node, value: unknown): string {
    if (this.holds(node, value)) return this.#text;
    return this.#splice(node.offset, node.offset + node.length, oneLine(value));
  }

  /** Adds a member at the end, on a line of its own where the one before it is. */
  insert(container: Node, member: string): string {
    const last = container.children?.at(-1);
    if (last === undefined) return this.#fill(container, member);
    const end = last.offset + last.length;
    const indent = /(?:^|\n)([ \t]*)$/.exec(this.#text.slice(0, last.offset))?.[1];
    const gap = indent === undefined ? " " : `${this.#eol}${indent}`;
    return this.#splice(end, end, `,${gap}${member}`);
  }

  remove({ offset, length, children = [] }: Node, member: Node): string {
    const at = children.indexOf(member);
    const before = children[at - 1];
    const after = children[at + 1];
    if (after !== undefined) return this.#splice(member.offset, after.offset, "");
    if (before !== undefined) {
      return this.#splice(before.offset + before.length, member.offset + member.length, "");
    }
    return this.#splice(offset + 1, offset + length - 1, "");
  }

  /** Only the outermost object is spread over lines; what is empty inside stays on its line. */
  #fill(container: Node, member: string): string {
    const start = container.offset + 1;
    const end = container.offset + container.length - 1;
    if (container === this.#tree) return this.#splice(start, end, `${this.#eol}  ${member}${this.#eol}`);
    return this.#splice(start, end, container.type === "object" ? ` ${member} ` : member);
  }

  #splice(start: number, end: number, replacement: string): string {
    return this.#text.slice(0, start) + replacement + this.#text.slice(end);
  }
}

/** As a person would write a short value: `{ "tool": "bash", "list": ["a", "b"] }`. */
function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  if (members.length === 0) return "{}";
  return `{ ${members.map(([name, each]) => `${JSON.stringify(name)}: ${oneLine(each)}`).join(", ")} }`;
}
