// A schema as text that people read: like a TypeScript type, with a comment where there is one.
import { z } from "zod";

const NodeSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  get properties() {
    return z.record(z.string(), NodeSchema).optional();
  },
  required: z.array(z.string()).optional(),
  get items() {
    return NodeSchema.optional();
  },
  get anyOf() {
    return z.array(NodeSchema).optional();
  },
  get oneOf() {
    return z.array(NodeSchema).optional();
  },
  additionalProperties: z.unknown().optional(),
});

type Node = z.infer<typeof NodeSchema>;

export type CommentAt = (path: string) => string | undefined;

/** @input path: what the comments of its members are found under */
export function schemaText(schema: z.ZodType, path: string, commentAt: CommentAt): string {
  const node = NodeSchema.parse(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  return typeText(node, path, commentAt, "");
}

function typeText(node: Node, path: string, commentAt: CommentAt, indent: string): string {
  const choices = node.anyOf ?? node.oneOf;
  if (choices !== undefined) {
    return choices.map((each, index) => typeText(each, `${path}|${index}`, commentAt, indent)).join(" | ");
  }
  if ("const" in node) return JSON.stringify(node.const);
  if (node.enum !== undefined) return node.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (node.properties !== undefined) return objectText(node, path, commentAt, indent);
  if (node.type === "array") {
    const each = node.items ?? {};
    const items = typeText(each, `${path}[]`, commentAt, indent);
    const isChoice = (each.anyOf ?? each.oneOf ?? each.enum ?? []).length > 1;
    return isChoice ? `(${items})[]` : `${items}[]`;
  }
  if (node.type === "object") {
    const values = NodeSchema.safeParse(node.additionalProperties);
    const text = values.success ? typeText(values.data, path, commentAt, indent) : "unknown";
    return `{ [name: string]: ${text} }`;
  }
  return typeof node.type === "string" ? node.type : "unknown";
}

function objectText(
  { properties = {}, required = [] }: Node,
  path: string,
  commentAt: CommentAt,
  indent: string,
): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, node]) => {
    const place = `${path}.${name}`;
    const comment = commentAt(place);
    const optional = required.includes(name) ? "" : "?";
    const text = `${inner}${name}${optional}: ${typeText(node, place, commentAt, inner)}`;
    return comment === undefined ? text : `${inner}// ${comment}\n${text}`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${indent}}`;
}
