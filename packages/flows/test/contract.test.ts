// Promises of the contract that no other test is about: what goes in, what stays as it is, what is assumed.
import { describe, expect, test } from "bun:test";
import {
  AgentError,
  build,
  OutputExtractor,
  OutputValidator,
  type QueryOptions,
  StepContext,
  systemClock,
  validate,
} from "@codelia/flows";
import {
  CompletionTypeSchema,
  type InputVariable,
  type OutputSchema,
  type QueryResult,
} from "@codelia/shared-types";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { agentFiles, loaded, validated } from "./support/definitions.ts";
import { runFlow } from "./support/flow.ts";
import { MemoryJournal } from "./support/memory-journal.ts";
import { json } from "./support/scripted-bridge.ts";

const string = { type: "string" } as const;
const usage = { inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };

/** Remembers what it was asked with. */
function recordingBridge(text = "ok") {
  const queries: { prompt: string; options: QueryOptions }[] = [];
  const query = async (prompt: string, options: QueryOptions): Promise<QueryResult> => {
    queries.push({ prompt, options });
    return { text, session: options.session ?? "s1", usage };
  };
  return { queries, query };
}

describe("build", () => {
  test("takes what validate found valid, and there is nothing to take otherwise", async () => {
    const right = validate(await loaded(agentFiles({ a: {} })));
    const wrong = validate(await loaded(agentFiles({ a: { onPass: { next: "nowhere" } } })));
    expect([right.definition !== undefined, wrong.definition !== undefined]).toEqual([true, false]);
    // @ts-expect-error nothing but the result of validate passes for a definition
    const forged: Parameters<typeof build>[0] = { flow: wrong };
    expect(forged).not.toBeInstanceOf(right.definition?.constructor ?? Object);
  });

  test("makes the objects of a run and begins nothing", async () => {
    using tree = new TemporaryTree(agentFiles({ a: {} }));
    const bridge = recordingBridge();
    const journal = new MemoryJournal();
    const definition = await validated(tree.path);
    const execution = build(definition, { bridge, journal, clock: systemClock, random: Math.random });
    expect([execution.state, execution.id, journal.records, bridge.queries]).toEqual([
      "Created",
      undefined,
      [],
      [],
    ]);
  });
});

describe("query", () => {
  test("is given a prompt that is not empty, and the step's tools, approval and model", async () => {
    const bridge = recordingBridge();
    using flow = await runFlow({
      steps: {
        a: { tools: ["read"], approval: "auto-edit", model: "p/m", onPass: { next: "b" } },
        b: { onPass: { next: "c" } },
        c: {},
      },
      agent: { parameters: { text: { required: false } } },
      prompts: { "prompts/c.md": "{param-text}" },
      dependencies: { bridge },
    });
    const given = bridge.queries.map(({ prompt, options: { step, tools, approval, model, session } }) => ({
      prompt,
      step,
      tools,
      approval,
      model,
      session,
    }));
    expect(given).toEqual([
      {
        prompt: "Do a.\n",
        step: "a",
        tools: ["read"],
        approval: "auto-edit",
        model: "p/m",
        session: undefined,
      },
      {
        prompt: "Do b.\n",
        step: "b",
        tools: undefined,
        approval: undefined,
        model: undefined,
        session: undefined,
      },
    ]);
    expect([flow.result.success, flow.result.failure?.code, flow.result.failure?.step]).toEqual([
      false,
      "NotFound",
      "c",
    ]);
  });
});

describe("an output schema", () => {
  test("has the step's id as $namespace, filled in where it is left out", async () => {
    const flow = async (output: OutputSchema) => {
      using tree = new TemporaryTree(agentFiles({ measure: { output } }));
      return (await validated(tree.path)).flow.steps.measure?.output;
    };
    expect(await flow({ height: string })).toEqual({ $namespace: "measure", height: string });
    expect(await flow({ $namespace: "measure", height: string })).toEqual({
      $namespace: "measure",
      height: string,
    });
  });

  test("requires a field unless it says otherwise", () => {
    const schema = { a: string, b: { ...string, required: true }, c: { ...string, required: false } };
    const { errors } = new OutputValidator().validate({}, schema);
    expect(errors?.map(({ code, key }) => `${code} ${key}`)).toEqual(["Missing a", "Missing b"]);
  });
});

describe("an input", () => {
  test("measure.height is what the step measure has put out as height", async () => {
    using flow = await runFlow({
      steps: {
        measure: { output: { height: { type: "number" } }, onPass: { next: "say" } },
        say: { inputs: { from_step: "measure", variables: { "measure.height": true } } },
      },
      prompts: { "prompts/say.md": "It is {uv-measure_height} high." },
      answer: ({ step }) => (step === "measure" ? json({ height: 180 }) : "ok"),
    });
    expect(flow.bridge.asked.at(-1)?.prompt).toBe("It is 180 high.");
  });

  test("true is short for required, and what is required and missing is an error unless it says otherwise", () => {
    const missing = (variable: InputVariable) => {
      try {
        return new StepContext().toUvVariables({ variables: { "a.b": variable } });
      } catch (error) {
        return error instanceof AgentError ? error.code : error;
      }
    };
    const specs: InputVariable[] = [
      true,
      {},
      { required: true },
      { onMissing: "error" },
      { required: true, onMissing: "skip" },
      false,
    ];
    expect(specs.map(missing)).toEqual([
      "MissingRequiredInput",
      "MissingRequiredInput",
      "MissingRequiredInput",
      "MissingRequiredInput",
      {},
      {},
    ]);
  });
});

test("extract, validate, get and toUvVariables leave everything as it was and say the same again", () => {
  const schema: OutputSchema = { a: string, b: { type: "object", required: false, default: { c: 1 } } };
  const data = { a: "x", more: true };
  const context = new StepContext();
  context.set("s", data);
  const look = () => ({
    extracted: new OutputExtractor().extract('```json\n{"a": "x"}\n```', schema),
    validated: new OutputValidator().validate(data, schema),
    value: context.get("s", "a"),
    variables: context.toUvVariables({ variables: { "s.a": true } }),
  });
  const first = look();
  expect(first).toEqual({
    extracted: { ok: true, data: { a: "x" } },
    validated: { valid: true, coerced: { a: "x", b: { c: 1 } } },
    value: "x",
    variables: { "uv-s_a": "x" },
  });
  expect(look()).toEqual(first);
  expect([schema, data, context.outputs]).toEqual([
    { a: string, b: { type: "object", required: false, default: { c: 1 } } },
    { a: "x", more: true },
    { s: { a: "x", more: true } },
  ]);
});

test("the completion types are those of the contract", () => {
  expect(CompletionTypeSchema.options).toEqual(["iterationBudget", "keywordSignal", "composite"]);
});
