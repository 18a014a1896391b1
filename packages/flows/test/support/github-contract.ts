// GitHub's published descriptions: what a request must look like, and what an answer has.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, type GraphQLSchema, getVariableValues, Kind, parse, validate } from "graphql";
import { z } from "zod";
import extract from "./github-api.json";

const { operations } = z
  .object({
    operations: z.array(
      z.object({
        operationId: z.string(),
        method: z.string(),
        path: z.string(),
        parameters: z.array(
          z.object({
            name: z.string(),
            in: z.string(),
            required: z.boolean(),
            schema: z.record(z.string(), z.unknown()),
          }),
        ),
        body: z.record(z.string(), z.unknown()).optional(),
        answer: z.object({ status: z.number(), schema: z.record(z.string(), z.unknown()) }),
      }),
    ),
  })
  .parse(extract);

type Operation = (typeof operations)[number];

export interface Matched {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
}

export function matchOperation(method: string, path: string): Matched | undefined {
  for (const operation of operations) {
    if (operation.method !== method) continue;
    const pattern = operation.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    const groups = new RegExp(`^${pattern}$`).exec(path)?.groups;
    if (groups !== undefined) {
      const entries = Object.entries(groups).map(
        ([name, value]) => [name, decodeURIComponent(value)] as const,
      );
      return { operation, path: Object.fromEntries<string>(entries) };
    }
  }
  return undefined;
}

/** @output everything in which a request differs from the description */
export function requestProblems(
  { operation, path }: Matched,
  query: URLSearchParams,
  body: unknown,
): string[] {
  const { parameters, operationId } = operation;
  const problems: string[] = [];
  const check = (name: string, text: string, schema: Record<string, unknown>) => {
    const value = schema.type === "integer" ? Number(text) : text;
    if (!schemaOf(schema).safeParse(value).success) problems.push(`${operationId}: ${name} is ${text}`);
  };
  for (const { name, in: place, required, schema } of parameters) {
    const text = place === "path" ? path[name] : (query.get(name) ?? undefined);
    if (text !== undefined) check(name, text, schema);
    else if (required) problems.push(`${operationId}: ${name} is missing`);
  }
  const known = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  for (const name of query.keys())
    if (!known.includes(name)) problems.push(`${operationId}: unknown ${name}`);
  if (operation.body === undefined) {
    if (body !== undefined) problems.push(`${operationId}: takes no body`);
    return problems;
  }
  const parsed = schemaOf(operation.body).safeParse(body);
  if (!parsed.success) problems.push(`${operationId}: ${z.prettifyError(parsed.error)}`);
  const fields = JSON.stringify(operation.body);
  for (const name of Object.keys(z.record(z.string(), z.unknown()).parse(body ?? {}))) {
    if (!fields.includes(`${JSON.stringify(name)}:`)) problems.push(`${operationId}: unknown field ${name}`);
  }
  return problems;
}

/** The stand-in's own answers are held to the description as well. */
export function answerProblems({ operation }: Matched, answer: unknown): string[] {
  const parsed = schemaOf(operation.answer.schema).safeParse(answer);
  return parsed.success ? [] : [`answer of ${operation.operationId}: ${z.prettifyError(parsed.error)}`];
}

const compiled = new Map<string, z.ZodType>();

function schemaOf(schema: Record<string, unknown>): z.ZodType {
  const key = JSON.stringify(schema);
  const known = compiled.get(key) ?? z.fromJSONSchema(schema, { defaultTarget: "openapi-3.0" });
  compiled.set(key, known);
  return known;
}

let graph: GraphQLSchema | undefined;

/** @output everything in which a query differs from GitHub's schema */
export function queryProblems(query: string, variables: Record<string, unknown>): string[] {
  const file = join(import.meta.dir, "../../../../node_modules/@octokit/graphql-schema/schema.graphql");
  graph ??= buildSchema(readFileSync(file, "utf8"), { assumeValid: true });
  const document = parse(query);
  const problems = validate(graph, document).map(({ message }) => message);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const values = getVariableValues(graph, definition.variableDefinitions ?? [], variables);
    problems.push(...(values.errors ?? []).map(({ message }) => message));
  }
  return problems;
}
