// The comments that stand before the members of zod schemas in source, by the member's path: `run.start.params.cwd`.
// A schema does not know them, and a reference without them would have to say everything twice.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Argument,
  type ArrayExpression,
  type CallExpression,
  type Expression,
  type ObjectExpression,
  parseSync,
} from "oxc-parser";

interface Source {
  /** Constants at the top of the file. */
  readonly constants: ReadonlyMap<string, Expression>;
  /** Name → file of the same package that it is imported from. */
  readonly imports: ReadonlyMap<string, string>;
  /** End of a comment's white space → its text. */
  readonly comments: ReadonlyMap<number, string>;
}

export class SchemaComments {
  readonly #sources = new Map<string, Source>();
  readonly #found = new Map<string, string>();

  /** @input file, name: where the constant is; path: what its members' paths begin with */
  add(file: string, name: string, path: string): void {
    const source = this.#source(file);
    const constant = source.constants.get(name);
    const imported = source.imports.get(name);
    if (constant !== undefined) this.#walk(file, constant, path);
    else if (imported !== undefined) this.add(imported, name, path);
  }

  at(path: string): string | undefined {
    return this.#found.get(path);
  }

  /** What is none of these forms has no comments to look for. */
  #walk(file: string, node: Expression | Argument, path: string): void {
    if (node.type === "Identifier") this.add(file, node.name, path);
    else if (node.type === "TSAsExpression") this.#walk(file, node.expression, path);
    else if (node.type === "ObjectExpression") this.#members(file, node, path);
    else if (node.type === "ArrayExpression") this.#choices(file, node, path);
    else if (node.type === "CallExpression") this.#call(file, node, path);
    // `Schema.shape`
    else if (node.type === "MemberExpression" && !node.computed) this.#walk(file, node.object, path);
  }

  #choices(file: string, { elements }: ArrayExpression, path: string): void {
    for (const [index, element] of elements.entries()) {
      if (element === null || element.type === "SpreadElement") continue;
      const comment = this.#source(file).comments.get(element.start);
      if (comment !== undefined) this.#found.set(`${path}|${index}`, comment);
      this.#walk(file, element, `${path}|${index}`);
    }
  }

  #call(file: string, { callee, arguments: args }: CallExpression, path: string): void {
    if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
    const isMade = callee.object.type === "Identifier" && callee.object.name === "z";
    const last = args.at(-1);
    // A refinement is about what stands before it: `z.string().optional()`.
    if (!isMade) this.#walk(file, callee.object, path);
    else if (last !== undefined)
      this.#walk(file, last, callee.property.name === "array" ? `${path}[]` : path);
  }

  #members(file: string, node: ObjectExpression, path: string): void {
    for (const member of node.properties) {
      if (member.type === "SpreadElement") {
        this.#walk(file, member.argument, path);
        continue;
      }
      const { key } = member;
      const name =
        key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : undefined;
      if (name === undefined) continue;
      const comment = this.#source(file).comments.get(member.start);
      if (comment !== undefined) this.#found.set(`${path}.${name}`, comment);
      this.#walk(file, member.value, `${path}.${name}`);
    }
  }

  #source(file: string): Source {
    const known = this.#sources.get(file);
    if (known !== undefined) return known;
    const read = readSource(file);
    this.#sources.set(file, read);
    return read;
  }
}

function readSource(file: string): Source {
  const text = readFileSync(file, "utf8");
  const { program, comments } = parseSync(file, text, { preserveParens: false });
  const constants = new Map<string, Expression>();
  const imports = new Map<string, string>();
  for (const statement of program.body) {
    if (statement.type === "ImportDeclaration" && statement.source.value.startsWith(".")) {
      for (const { local } of statement.specifiers) {
        imports.set(local.name, join(file, "..", statement.source.value));
      }
    }
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === "Identifier" && init !== null) constants.set(id.name, init);
    }
  }
  const before = new Map<number, string>();
  for (const { type, value, end } of comments) {
    if (type !== "Block" || !value.startsWith("*")) continue;
    const white = /^\s*/.exec(text.slice(end))?.[0].length ?? 0;
    before.set(
      end + white,
      value
        .slice(1)
        .replaceAll(/\s*\n\s*\*?\s*/g, " ")
        .trim(),
    );
  }
  return { constants, imports, comments: before };
}
