// Writes the part of GitHub's published OpenAPI description that Codelia uses, for the tests' stand-in of GitHub.
// The whole of it (`@octokit/openapi`) is 385 MB, too much for every checkout:
//   npm install --no-save @octokit/openapi@VERSION && node scripts/bun.mjs scripts/generate-github-api.ts
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";

const repository = resolve(import.meta.dir, "..");
const packageFolder = join(repository, "node_modules/@octokit/openapi");
const sourceFile = join(packageFolder, "generated/api.github.com.deref.json");
export const extractFile = join(repository, "packages/flows/test/support/github-api.json");

const issue = "/repos/{owner}/{repo}/issues/{issue_number}";
const issueFields = ["title", "body", "state", "html_url", "number", "labels"];
const pullFields = ["number", "html_url", "body", "state", "title"];

/** Operation → the fields of its answer that are read. */
const operations: readonly (readonly [method: string, path: string, fields: readonly string[]])[] = [
  ["get", issue, issueFields],
  ["get", `${issue}/comments`, ["html_url", "body"]],
  ["post", `${issue}/comments`, ["html_url", "body"]],
  ["post", `${issue}/labels`, ["name"]],
  ["delete", `${issue}/labels/{name}`, ["name"]],
  ["get", "/repos/{owner}/{repo}/pulls", pullFields],
  ["post", "/repos/{owner}/{repo}/pulls", pullFields],
];

const JsonObject = z.record(z.string(), z.unknown());
const Content = z.object({ content: z.object({ "application/json": z.object({ schema: JsonObject }) }) });
const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(JsonObject),
  requestBody: Content.optional(),
  responses: z.record(z.string(), z.unknown()),
});
const Description = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** @output the extract as it is committed; undefined when the package is not installed */
export function generateGitHubApi(): string | undefined {
  if (!existsSync(sourceFile)) return undefined;
  const text = readFileSync(sourceFile);
  const manifest = z
    .object({ version: z.string(), license: z.string() })
    .parse(JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")));
  const { paths } = Description.parse(JSON.parse(text.toString("utf8")));
  const extract = {
    from: {
      package: `@octokit/openapi@${manifest.version}`,
      license: manifest.license,
      file: "generated/api.github.com.deref.json",
      sha256: createHash("sha256").update(text).digest("hex"),
    },
    operations: operations.map(([method, path, fields]) => {
      const { operationId, parameters, requestBody, responses } = Operation.parse(paths[path]?.[method]);
      const success = Object.keys(responses).find((status) => status.startsWith("2")) ?? "200";
      const answer = Content.parse(responses[success]).content["application/json"].schema;
      return {
        operationId,
        method: method.toUpperCase(),
        path,
        parameters: parameters.map(({ name, in: place, required = false, schema }) => ({
          name,
          in: place,
          required,
          schema: withoutProse(schema),
        })),
        ...(requestBody === undefined
          ? {}
          : { body: withoutProse(requestBody.content["application/json"].schema) }),
        answer: { status: Number(success), schema: withoutProse(onlyFields(answer, fields)) },
      };
    }),
  };
  return `${JSON.stringify(extract, undefined, 1)}\n`;
}

/** Of a list: of its members. */
function onlyFields(schema: Record<string, unknown>, fields: readonly string[]): unknown {
  if (schema.type === "array")
    return { type: "array", items: onlyFields(JsonObject.parse(schema.items), fields) };
  const properties = JsonObject.parse(schema.properties);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field, properties[field]])),
    required: fields.filter((field) =>
      z
        .array(z.string())
        .parse(schema.required ?? [])
        .includes(field),
    ),
  };
}

function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, child]) => typeof child !== "string" || !["description", "example"].includes(key),
  );
  return Object.fromEntries(
    entries
      .filter(([key]) => !["examples", "x-github-breaking-changes"].includes(key))
      .map(([key, child]) => [key, withoutProse(child)]),
  );
}

if (import.meta.main) {
  const extract = generateGitHubApi();
  if (extract === undefined)
    throw new Error("@octokit/openapi is not installed: npm install --no-save @octokit/openapi");
  writeFileSync(extractFile, extract);
}
