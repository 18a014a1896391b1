import { expect, test } from "bun:test";
import { RunStartParamsSchema, SessionChoiceSchema } from "@codelia/protocol";
import type { z } from "zod";
import { describeIssues } from "../src/issues.ts";

function problem(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value);
  return error === undefined ? "none" : describeIssues(error);
}

test("of several alternatives what is said is about the one that was most likely meant", () => {
  const run = { cwd: "/", prompt: "", images: [], approval: "ask", compact: true };
  const servers = [
    { name: "a", command: "x", args: [], env: { TOKEN: 5 } },
    { name: "b", url: "https://example.org" },
  ];
  expect(problem(RunStartParamsSchema, { ...run, mcp_servers: servers })).toBe(
    "mcp_servers.0.env.TOKEN: Invalid input: expected string, received number; mcp_servers.1.headers: Invalid input: expected record, received undefined",
  );
});

test("where none of them says more, they are named as one", () => {
  expect([problem(SessionChoiceSchema, { how: "guess" }), problem(SessionChoiceSchema, 5)]).toEqual([
    "how: Invalid discriminator value. Expected 'resume' | 'fork' | 'prepared' | 'continue'",
    "Invalid input: expected object, received number",
  ]);
});
