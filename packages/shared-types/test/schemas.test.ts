import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  AgentsConfigSchema,
  ResolvedAgentsSchema,
  SystemReminderTypeSchema,
  visibleJson,
  visibleName,
  visibleText,
} from "@codelia/shared-types";
import { exampleFiles } from "../../../scripts/example-files.ts";
import { generateJsonSchemas } from "../../../scripts/json-schemas.ts";
import { repository } from "../../../test/support/codelia.ts";
import example from "../../runtime/src/demo/example.json";

test("the JSON Schemas in the repository are those of the sources", () => {
  const folder = join(repository, "schemas");
  const stored = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(generateJsonSchemas()));
});

test("the example in the executable is the one in the repository", () => {
  const stored: Record<string, string> = example;
  expect(stored).toEqual(exampleFiles());
});

test("the config of the specification is accepted, and a key it does not know is not", () => {
  const config = {
    enabled: true,
    root: { projectRootOverride: "/repo", markers: [".git"], stopAtFsRoot: true },
    initial: { maxFiles: 1, maxBytes: 1 },
    resolver: { enabled: true, maxFilesPerResolve: 1 },
  };
  expect(AgentsConfigSchema.parse(config)).toEqual(config);
  expect(AgentsConfigSchema.parse({})).toEqual({});
  expect(AgentsConfigSchema.safeParse({ unknown: 1 }).success).toBe(false);
  expect(AgentsConfigSchema.safeParse({ initial: { unknown: 1 } }).success).toBe(false);
});

test("a resolved file has a path, a time and a size, and nothing else", () => {
  const resolved = { files: [{ path: "/repo/AGENTS.md", mtimeMs: 1, sizeBytes: 2 }] };
  expect(ResolvedAgentsSchema.parse(resolved)).toEqual(resolved);
  expect(ResolvedAgentsSchema.safeParse({ files: [{ ...resolved.files[0], text: "x" }] }).success).toBe(
    false,
  );
});

test("the reminder catalogue has the types of the specification, two for skills and one for MCP", () => {
  expect(SystemReminderTypeSchema.options).toEqual([
    "agents.resolve.paths",
    "session.resume.diff",
    "tool.output.trimmed",
    "permission.decision",
    "skills.changed",
    "skill.mention",
    "mcp.changed",
  ]);
});

test("characters that act on a terminal or hide are shown as escapes", () => {
  expect(visibleName("plain ö 日本 name")).toBe("plain ö 日本 name");
  expect(visibleName('a\n"b"\u001b[0m\u202e')).toBe('"a\\n\\"b\\"\\u001b[0m\\u202e"');
  expect(visibleText("a\tb\n\u001b]0;x\u0007\u009b\u{e0041}")).toBe(
    "a\tb\n\\u001b]0;x\\u0007\\u009b\\u{e0041}",
  );
  expect(visibleName("rm\u3164x\u{e0101}\ufe01\u034f")).toBe('"rm\\u3164x\\u{e0101}\\ufe01\\u034f"');
  expect(visibleText("done \u2714\ufe0f")).toBe("done \u2714\ufe0f");
  const value = { "k\u0085": "v\u2028\u{e0041}\n" };
  expect(JSON.parse(visibleJson(value))).toEqual(value);
  expect(visibleJson(value)).toBe('{\n  "k\\u0085": "v\\u2028\\udb40\\udc41\\n"\n}');
});
