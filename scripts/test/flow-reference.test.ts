import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AgentFileSchema, StepsFileSchema } from "@codelia/shared-types";
import { flowPicture } from "../flow-picture.ts";
import { flowReference, type SchemaNode, schemaNode, withFlowReference } from "../flow-reference.ts";

const docs = join(import.meta.dir, "../../docs");

/** Every field of every object in a schema, with what is said of it. */
function fieldsIn(node: SchemaNode): [name: string, description: string][] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], $defs = {} } = node;
  const children = [
    ...Object.values(properties),
    ...Object.values($defs),
    ...anyOf,
    ...oneOf,
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  return [
    ...Object.entries(properties).map(([name, { description = "" }]): [string, string] => [
      name,
      description,
    ]),
    ...children.flatMap(fieldsIn),
  ];
}

test("docs/flows.md has the fields that the schemas have: run npm run generate", () => {
  const page = readFileSync(join(docs, "flows.md"), "utf8");
  expect(page).toBe(withFlowReference(page));
});

test("every field of agent.json and steps.json is in the reference, and says what it is for", () => {
  const fields = [...fieldsIn(schemaNode(AgentFileSchema)), ...fieldsIn(schemaNode(StepsFileSchema))];
  const reference = flowReference();
  const isThere = ([name, description]: [string, string]) =>
    description !== "" && reference.includes(`| \`${name}\` | `) && reference.includes(description);
  // `$namespace` is said in a sentence, since every other key there is a field of the user's.
  const missing = fields.filter((field) => field[0] !== "$namespace" && !isThere(field));
  expect([missing, fields.length > 60]).toEqual([[], true]);
});

test("the picture in docs/flows.md is the example's: run npm run generate", async () => {
  expect(readFileSync(join(docs, "issue-fixer.svg"), "utf8")).toBe(await flowPicture());
});

test("a page without a place for the fields is an error", () => {
  expect(() => withFlowReference("# Flows\n")).toThrow("the page needs the lines");
});
