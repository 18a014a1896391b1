// Loading and validating: what is read, and that everything wrong is told at once with its place and its mending.
import { describe, expect, test } from "bun:test";
import { basename } from "node:path";
import {
  AgentError,
  DefinitionError,
  describeDefinitionProblem,
  load,
  type ValidationResult,
  validate,
} from "@codelia/flows";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";
import { agentFiles, loaded, validated } from "./support/definitions.ts";

async function failure(path: string): Promise<AgentError> {
  try {
    await load(path);
  } catch (error) {
    if (error instanceof AgentError) return error;
    throw error;
  }
  throw new Error("no error");
}

/** `file:line:column pointer code: message | fix` */
function told({ errors }: ValidationResult): string[] {
  return errors.map(
    ({ file, line, column, pointer, code, message, fix }) =>
      `${basename(file)}:${line}:${column} ${pointer} ${code}: ${message} | ${fix}`,
  );
}

async function problems(files: TreeDescription): Promise<string[]> {
  return told(validate(await loaded(files)));
}

describe("load", () => {
  test("returns the parsed definition of a directory, frozen to its leaves", async () => {
    const { agent, steps, prompts } = await loaded(agentFiles({ one: {} }, { description: "x" }));
    expect(agent.document.value).toEqual({ description: "x" });
    expect([
      Object.isFrozen(steps?.document.value),
      [...prompts.values()].map((each) => "text" in each && each.text),
    ]).toEqual([true, ["Do one.\n"]]);
  });

  test("fails with NotFound when agent.json does not exist", async () => {
    using tree = new TemporaryTree({ "other/": "" });
    const error = await failure(tree.at("other"));
    expect([error.name, error.code, error.recoverable]).toEqual(["ConfigurationError", "NotFound", false]);
    expect((await failure(tree.at("nowhere"))).code).toBe("NotFound");
  });

  test("fails with ParseError when JSON is invalid, with the place of each mistake in both files", async () => {
    using tree = new TemporaryTree({
      "agent.json": '{\n  "name": "a",\n}',
      "steps.json": '{"steps": {} "x"}',
    });
    const error = await failure(tree.path);
    expect(error.code).toBe("ParseError");
    expect(error instanceof DefinitionError && error.problems.map(describeDefinitionProblem)).toEqual([
      `${tree.at("agent.json")}:2:14: remove this comma: nothing follows it. Mend the file: it must be strict JSON.`,
      `${tree.at("steps.json")}:1:14: expected a comma. Mend the file: it must be strict JSON.`,
    ]);
  });

  test("does not wait for a FIFO and does not take a directory for a file", async () => {
    using tree = new TemporaryTree({ "a/agent.json": { fifo: true }, "b/agent.json/": "" });
    expect([(await failure(tree.at("a"))).code, (await failure(tree.at("b"))).code]).toEqual([
      "Unreadable",
      "Unreadable",
    ]);
  });

  test("changes nothing on disk", async () => {
    using tree = new TemporaryTree(agentFiles({ one: {} }));
    const before = Bun.spawnSync(["find", tree.path, "-printf", "%p %y %m %s %T@ %i\\n"]).stdout.toString();
    await load(tree.path);
    expect(Bun.spawnSync(["find", tree.path, "-printf", "%p %y %m %s %T@ %i\\n"]).stdout.toString()).toBe(
      before,
    );
  });
});

describe("validate", () => {
  test("is valid exactly when there are no errors", async () => {
    const good = validate(await loaded(agentFiles({ one: {} })));
    const bad = validate(await loaded(agentFiles({ one: { onPass: { next: "two" } } })));
    expect([good.valid, good.errors, bad.valid, bad.errors.length]).toEqual([true, [], false, 1]);
    expect(bad.definition).toBeUndefined();
  });

  test("has no effect: the definition stays as it was, and a second look says the same", async () => {
    const definition = await loaded(agentFiles({ one: { onPass: { next: "two" } } }));
    const before = JSON.stringify([definition.agent.document.value, definition.steps?.document.value]);
    expect(told(validate(definition))).toEqual(told(validate(definition)));
    expect(JSON.stringify([definition.agent.document.value, definition.steps?.document.value])).toBe(before);
  });

  test("gives a definition that is frozen to its leaves", async () => {
    using tree = new TemporaryTree(agentFiles({ one: { tools: ["read"] } }));
    const { flow } = await validated(tree.path);
    const isFrozen = (value: unknown): boolean =>
      typeof value !== "object" ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isFrozen));
    expect([isFrozen(flow), flow.steps.one?.tools]).toEqual([true, ["read"]]);
  });

  test("takes steps from agent.json too, the directory's name and the first step as defaults", async () => {
    using tree = new TemporaryTree({
      "fixer/agent.json": JSON.stringify({
        steps: { a: { prompt: "a.md", output: { x: { type: "string" } }, onPass: { complete: true } } },
      }),
      "fixer/a.md": "go",
    });
    const { flow } = await validated(tree.at("fixer"));
    expect(flow).toEqual({
      directory: tree.at("fixer"),
      name: "fixer",
      version: "1.0",
      entry: "a",
      steps: {
        a: { prompt: "a.md", output: { $namespace: "a", x: { type: "string" } }, onPass: { complete: true } },
      },
    });
  });

  test("tells unknown keys and wrong types in all files at once, with what is known and what was found", async () => {
    const found = await problems({
      "agent.json":
        '{\n  "nmae": "x",\n  "limits": {"iterations": "many"},\n  "completion": {"type": "budget"}\n}',
      "steps.json": `{"steps": {
  "one": {"prompt": 3, "onPass": {"complete": true, "next": "one"}, "check": {"type": "command", "command": []}},
  "complete": {"prompt": "a.md", "onPass": {"complete": true}},
  "two": {"prompt": {"path": "a.md", "edition": "x"}, "onPass": {"skip": true}}
}}`,
      "a.md": "Do it.",
    });
    expect(found).toEqual([
      "agent.json:2:3 /nmae UnknownKey: unknown key; known here: $schema, version, name, description, parameters, entry, completion, limits, recovery, fallbackDir, steps | Remove it, or spell it as one of the known keys.",
      'agent.json:3:28 /limits/iterations WrongValue: expected a number, found "many" | Write what is expected.',
      'agent.json:4:26 /completion/type WrongValue: expected one of "iterationBudget", "keywordSignal", "composite", found "budget" | Write what is expected.',
      "steps.json:2:21 /steps/one/prompt WrongValue: expected a string or an object, found 3 | Write what is expected.",
      "steps.json:2:34 /steps/one/onPass WrongValue: expected exactly one of next, retry, fallback, complete, branch, found an object | Write what is expected.",
      "steps.json:2:109 /steps/one/check/command WrongValue: expected a list that is not empty, found a list | Write what is expected.",
      "steps.json:3:3 /steps/complete WrongValue: `complete` is the end of a flow; give the step another name | Write what is expected.",
      "steps.json:4:38 /steps/two/prompt/edition UnknownKey: unknown key; known here: path, fallback, c3l, edition, adaptation | Remove it, or spell it as one of the known keys.",
      "steps.json:4:65 /steps/two/onPass WrongValue: expected exactly one of next, retry, fallback, complete, branch, found an object | Write what is expected.",
      "steps.json:4:66 /steps/two/onPass/skip UnknownKey: unknown key; known here: next, retry, fallback, complete, branch | Remove it, or spell it as one of the known keys.",
    ]);
  });
});
