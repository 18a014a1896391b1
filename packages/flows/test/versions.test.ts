// Which forms of a definition are read, and what becomes of fields that are on their way out.
import { describe, expect, test } from "bun:test";
import {
  type Deprecation,
  deprecationPhase,
  migrate,
  migrateText,
  parseVersion,
  validate,
} from "@codelia/flows";
import type { TreeDescription } from "../../../test/support/tree.ts";
import { agentFiles, loaded } from "./support/definitions.ts";

/** `code pointer: message` */
async function problems(files: TreeDescription): Promise<string[]> {
  const { errors } = validate(await loaded(files));
  return errors.map(({ code, pointer, message }) => `${code} ${pointer}: ${message}`);
}

describe("versions", () => {
  const withVersion = (version: string | undefined) =>
    agentFiles({ a: {} }, version === undefined ? {} : { version });

  test('a definition without version counts as "1.0"', async () => {
    expect(validate(await loaded(withVersion(undefined))).definition?.flow.version).toBe("1.0");
  });

  test("another minor version is compatible, two numbers or three", async () => {
    expect(await Promise.all(["1.0", "1.7", "1.0.3"].map((each) => problems(withVersion(each))))).toEqual([
      [],
      [],
      [],
    ]);
  });

  test("another major version is an error, and nothing else is said about the file", async () => {
    const files = { ...withVersion("2.0"), "steps.json": '{"steps": {"a": {"new": true}}}' };
    expect(await problems(files)).toEqual([
      "UnknownVersion /version: version 2.0 is not known to this program, which reads 1.x",
    ]);
    expect(await problems(withVersion("one"))).toEqual([
      'WrongValue /version: expected a version such as "1.0", found "one"',
    ]);
  });
});

describe("deprecation", () => {
  const table: Deprecation[] = [
    {
      file: "steps",
      path: ["steps", "*", "attempts"],
      since: "1.2",
      renamedTo: "retries",
      reason: "it has a new name",
    },
  ];
  const files = {
    ...agentFiles({ a: {} }),
    "steps.json": '{"steps": {"a": {"prompt": "prompts/a.md", "onPass": {"complete": true}, "attempts": 2}}}',
  };
  const at = async (major: number, minor: number) => {
    const { errors, warnings, definition } = validate(await loaded(files), {
      table,
      current: { major, minor },
    });
    const shown = (each: (typeof errors)[number]) => `${each.code} ${each.pointer} ${each.fix}`;
    return {
      errors: errors.map(shown),
      warnings: warnings.map(shown),
      retries: definition?.flow.steps.a?.retries,
    };
  };

  test("warns first, is an error in the next major version, and is gone in the one after", async () => {
    const told = ['Deprecated /steps/a/attempts Write "retries" instead.'];
    const unknown = ["UnknownKey /steps/a/attempts Remove it, or spell it as one of the known keys."];
    expect(await at(1, 1)).toEqual({ errors: unknown, warnings: [], retries: undefined });
    expect(await at(1, 2)).toEqual({ errors: [], warnings: told, retries: 2 });
    expect(await at(1, 9)).toEqual({ errors: [], warnings: told, retries: 2 });
    expect(await at(2, 0)).toEqual({ errors: told, warnings: [], retries: undefined });
    expect(await at(3, 0)).toEqual({ errors: unknown, warnings: [], retries: undefined });
  });

  test("migrate rewrites what is deprecated and leaves the rest", () => {
    const options = { table, current: { major: 1, minor: 2 } };
    const old = { steps: { a: { attempts: 2, prompt: "x" }, b: { attempts: 1, retries: 3 } } };
    expect(migrate("steps", old, options)).toEqual({
      steps: { a: { retries: 2, prompt: "x" }, b: { retries: 3 } },
    });
    // Steps may stand in agent.json; what is deprecated elsewhere in it is another entry.
    expect(migrate("agent", { ...old, attempts: 1 }, options)).toEqual({
      steps: { a: { retries: 2, prompt: "x" }, b: { retries: 3 } },
      attempts: 1,
    });
  });

  test("a migrated file keeps its indentation and line ends, and one without anything deprecated every byte", () => {
    const options = { table, current: { major: 1, minor: 2 } };
    const old = '{\r\n\t"steps": {\r\n\t\t"a": {"attempts": 2, "prompt": "x"}\r\n\t}\r\n}';
    const { text, changes } = migrateText("steps", "/steps.json", old, options);
    expect(text.split("\r\n")).toEqual([
      "{",
      '\t"steps": {',
      '\t\t"a": {',
      '\t\t\t"retries": 2,',
      '\t\t\t"prompt": "x"',
      "\t\t}",
      "\t}",
      "}",
      "",
    ]);
    expect(changes.map(({ line, column, pointer, fix }) => `${line}:${column} ${pointer} ${fix}`)).toEqual([
      '3:9 /steps/a/attempts Write "retries" instead.',
    ]);
    expect(migrateText("steps", "/steps.json", text, options)).toEqual({ text, changes: [] });
    expect(() => migrateText("steps", "/steps.json", "{,}", options)).toThrow("/steps.json:1:2: ");
  });

  test("phases follow the version that deprecated", () => {
    const since = parseVersion("1.2") ?? { major: 0, minor: 0 };
    const phases = ["1.1", "1.2", "1.3", "2.5", "3.0"].map((text) =>
      deprecationPhase(since, parseVersion(text)),
    );
    expect(phases).toEqual(["not_yet", "warning", "warning", "error", "removed"]);
  });
});
