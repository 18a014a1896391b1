// The fields of flow definitions as Markdown, from the one definition of each shape.
import {
  AgentFileSchema,
  BranchSchema,
  CompletionSchema,
  FlowStepSchema,
  InputSpecSchema,
  InputVariableSchema,
  OnExhaustedSchema,
  OutputFieldSchema,
  ParameterSchema,
  PromptReferenceSchema,
  RecoverySchema,
  RunLimitsSchema,
  StepCheckSpecSchema,
  StepLimitsSchema,
  StepsFileSchema,
  TransitionSchema,
} from "@codelia/shared-types";
import { z } from "zod";

/** What a node of a JSON Schema can hold, as far as it is used here. */
const NodeSchema = z.looseObject({
  type: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  description: z.string().optional(),
  required: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  $ref: z.string().optional(),
  get items() {
    return NodeSchema.optional();
  },
  get properties() {
    return z.record(z.string(), NodeSchema).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), NodeSchema]).optional();
  },
  get anyOf() {
    return z.array(NodeSchema).optional();
  },
  get oneOf() {
    return z.array(NodeSchema).optional();
  },
  get $defs() {
    return z.record(z.string(), NodeSchema).optional();
  },
});

export type SchemaNode = z.infer<typeof NodeSchema>;

const sections: readonly (readonly [title: string, schema: z.ZodType, intro: string])[] = [
  ["agent.json", AgentFileSchema, ""],
  ["parameters.NAME", ParameterSchema, ""],
  ["completion", CompletionSchema, "A condition counts only in an iteration whose check passed."],
  ["limits", RunLimitsSchema, "Of the run; reaching one is a failure."],
  ["recovery", RecoverySchema, ""],
  ["steps.json", StepsFileSchema, ""],
  ["steps.ID", FlowStepSchema, ""],
  ["prompt, retryPrompt, check.prompt", PromptReferenceSchema, "The path alone as a text, or an object:"],
  ["inputs", InputSpecSchema, ""],
  ["inputs.variables.STEP.KEY", InputVariableSchema, "`true` for required, `false` for not, or an object:"],
  ["output.KEY", OutputFieldSchema, "Beside the keys, `$namespace` may repeat the step's id."],
  ["check", StepCheckSpecSchema, ""],
  ["onPass, onFail", TransitionSchema, "Exactly one of:"],
  ["branch", BranchSchema, ""],
  ["onExhausted", OnExhaustedSchema, '`"error"`, `"skip"` (go where `onPass` would go), or an object:'],
  ["steps.ID.limits", StepLimitsSchema, ""],
];

export function schemaNode(schema: z.ZodType): SchemaNode {
  return NodeSchema.parse(z.toJSONSchema(schema, { io: "input" }));
}

/** One part for each shape, one line for each field. */
export function flowReference(): string {
  return sections
    .map(([title, schema, intro]) => {
      const node = schemaNode(schema);
      const tables = objectsIn(node).map((object) => table(object));
      return [`### \`${title.replaceAll(", ", "`, `")}\``, ...(intro === "" ? [] : [intro]), ...tables].join(
        "\n\n",
      );
    })
    .join("\n\n");
}

const begin = "<!-- fields: written by npm run generate -->";
const end = "<!-- end of fields -->";

/** @error when the page has no place for them */
export function withFlowReference(page: string): string {
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`the page needs the lines ${begin} and ${end}`);
  return `${page.slice(0, start + begin.length)}\n\n${flowReference()}\n\n${page.slice(stop)}`;
}

function objectsIn(node: SchemaNode): SchemaNode[] {
  const options = node.anyOf ?? node.oneOf;
  if (options !== undefined) return options.flatMap((option) => objectsIn(resolved(option, node)));
  return node.properties === undefined ? [] : [node];
}

/** A recursive shape stands in `$defs` of the whole. */
function resolved(option: SchemaNode, whole: SchemaNode): SchemaNode {
  const name = option.$ref?.split("/").at(-1);
  return (name !== undefined && whole.$defs?.[name]) || option;
}

function table({ properties = {}, required = [] }: SchemaNode): string {
  const rows = Object.entries(properties).map(([name, node]) => {
    const needed = required.includes(name) ? "yes" : "";
    return `| \`${name}\` | ${typeOf(node).replaceAll("|", "\\|")} | ${needed} | ${(node.description ?? "").replaceAll("|", "\\|")} |`;
  });
  return ["| field | value | required | |", "|---|---|---|---|", ...rows].join("\n");
}

function typeOf(node: SchemaNode): string {
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum !== undefined) return node.enum.map((each) => `\`${JSON.stringify(each)}\``).join(", ");
  const options = node.anyOf ?? node.oneOf;
  if (options !== undefined) return [...new Set(options.map(typeOf))].join(" or ");
  switch (node.type ?? "") {
    case "array":
      return node.items === undefined ? "list" : `list of ${typeOf(node.items)}`;
    case "integer":
      return range("whole number", node);
    case "number":
      return "number";
    case "string":
      return "text";
    case "boolean":
      return "`true` or `false`";
    case "object":
      return "object";
    default:
      return node.$ref === undefined ? "any JSON" : "object";
  }
}

function range(word: string, { minimum, maximum }: SchemaNode): string {
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (minimum === undefined || minimum === Number.MIN_SAFE_INTEGER) return word;
  return isBounded ? `${word}, ${minimum} to ${maximum}` : `${word} from ${minimum}`;
}
