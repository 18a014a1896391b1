// Definitions that nobody would write on purpose: huge, deep, binary, with names that mean something to JavaScript.
import { describe, expect, test } from "bun:test";
import { load, validate } from "@codelia/flows";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";
import { agentFiles, loaded, type StepDraft } from "./support/definitions.ts";
import { runFlow } from "./support/flow.ts";

const count = 10_000;

/** Many steps that share one prompt. */
function many(step: (index: number) => StepDraft, prompt = "Do it.\n"): TreeDescription {
  const steps = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`s${index}`, { prompt: "p.md", ...step(index) }]),
  );
  return { "agent.json": "{}", "steps.json": JSON.stringify({ steps }), "p.md": prompt };
}

const next = (index: number): StepDraft => ({
  onPass: index === count - 1 ? { complete: true } : { next: `s${index + 1}` },
});

/** How many problems there are, the first in words, and the last. */
async function summary(files: TreeDescription): Promise<unknown[]> {
  const { errors } = validate(await loaded(files));
  const shown = [errors[0], errors.at(-1)].map((each) => each && `${each.code}: ${each.message}`);
  return [errors.length, ...shown];
}

describe("ten thousand steps", () => {
  test("in a row are valid", async () => {
    expect(await summary(many(next))).toEqual([0, undefined, undefined]);
  });

  test("in a circle are told of one by one, up to a thousand, and then how many more there are", async () => {
    const around = many((index) => ({ onPass: { next: `s${(index + 1) % count}` } }));
    expect(await summary(around)).toEqual([
      1000,
      'CycleWithoutExit: from "s0" the flow never ends: it only leads to "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7" and others',
      "TooManyProblems: there are 9001 more problems from here on",
    ]);
  });

  test("that lead nowhere do not each list all others", async () => {
    const { errors } = validate(
      await loaded(many((index) => ({ onPass: { next: index === 0 ? "s1" : "nowhere" } }))),
    );
    expect([errors.length, errors[0]?.fix]).toEqual([
      1000,
      `There are: ${Array.from({ length: 20 }, (_, index) => `s${index}`).join(", ")} and 9980 more.`,
    ]);
  });

  test("that share a prompt with thousands of unknown variables end with a bounded list", async () => {
    const prompt = Array.from({ length: 50_000 }, (_, index) => `{uv-a_${index}}`).join("\n");
    expect(await summary(many(next, prompt))).toEqual([
      1000,
      'UndeclaredVariable: the step "s0" declares no {uv-a_0}',
      'UndeclaredVariable: the step "s0" declares no {uv-a_999}',
    ]);
  });
});

test("files that are too large, too deep or no text are errors that say so", async () => {
  const failure = async (files: TreeDescription) => {
    using tree = new TemporaryTree({ ...agentFiles({ a: {} }), ...files });
    try {
      const { errors } = validate(await load(tree.path));
      return errors.map(({ line, column, message }) => `${line}:${column}: ${message}`);
    } catch (error) {
      return String(error).replaceAll(tree.path, "");
    }
  };
  expect(await failure({ "steps.json": " ".repeat(1024 * 1024 + 1) })).toBe(
    "ConfigurationError: /steps.json: expected at most 1048576 bytes.",
  );
  expect(await failure({ "agent.json": "[".repeat(500_000) })).toBe(
    "DefinitionError: /agent.json:1:1: the values are nested too deeply. Mend the file: it must be strict JSON.",
  );
  const composite = '{"type":"composite","mode":"any","conditions":[';
  const deep = `{"completion":${composite.repeat(4000)}${"]}".repeat(4000)}}`;
  expect(await failure({ "agent.json": deep })).toEqual([
    "1:2364: the values are nested deeper than 100 levels",
  ]);
  expect(await failure({ "agent.json": new Uint8Array([0x7b, 0x00, 0xff, 0x7d]) })).toMatch(
    /^DefinitionError: \/agent.json:1:2: /,
  );
  const binary = await failure({ "prompts/a.md": new Uint8Array([1, 0, 2, 255]) });
  expect([binary].flat().map((each) => each.replace(/\/\S*codelia-test-[^/]*/, ""))).toEqual([
    "4:17: /prompts/a.md: cannot read this prompt: it is no text, it holds a NUL",
  ]);
  expect(await failure({ "prompts/a.md": "x".repeat(1024 * 1024 + 1) })).toEqual([
    expect.stringContaining("cannot read this prompt: it has more than 1048576 bytes"),
  ]);
});

test("prompts are read until they have 32 MiB together; those behind are not opened, and told", async () => {
  // Of a length that does not go into 32 MiB: the prompt that goes beyond is the last that is read.
  const whole = "x".repeat(1024 * 1024 - 1);
  const names = Array.from({ length: 35 }, (_, index) => `s${index}`);
  const steps = Object.fromEntries(
    names.map((name, index) => [
      name,
      {
        prompt: `${name}.md`,
        onPass: names[index + 1] === undefined ? { complete: true } : { next: names[index + 1] },
      },
    ]),
  );
  const prompts = Object.fromEntries(names.slice(0, 33).map((name) => [`${name}.md`, whole]));
  // Not there: to open them would give another error.
  using tree = new TemporaryTree({
    "agent.json": "{}",
    "steps.json": JSON.stringify({ steps }),
    ...prompts,
  });
  const { errors } = validate(await load(tree.path));
  expect(errors.map(({ pointer, message }) => [pointer, message])).toEqual([
    ["/steps/s33/prompt", "the prompts before this one have more than 32 MiB together"],
    ["/steps/s34/prompt", "the prompts before this one have more than 32 MiB together"],
  ]);
});

test("hundreds of duplicate keys are told at once, without going through the file for each", async () => {
  const duplicates = `{${Array.from({ length: 100_000 }, () => '"a":1').join(",\n")}}`;
  using tree = new TemporaryTree({ "agent.json": duplicates });
  const error = await load(tree.path).catch((thrown: unknown) => thrown);
  const lines = String(error).replaceAll(tree.path, "").split("\n");
  expect([lines.length, lines.at(-1)]).toEqual([
    100,
    '/agent.json:101:1: the key "a" is given twice. Mend the file: it must be strict JSON.',
  ]);
});

test("`__proto__` is no name for anything, and is never left out silently", async () => {
  const { errors } = validate(
    await loaded({
      "p.md": "Do it.",
      "agent.json": '{"parameters": {"__proto__": {}}, "__proto__": {}}',
      "steps.json": `{"steps": {
        "__proto__": {"prompt": "p.md", "onPass": {"next": "a"}},
        "a": {
          "prompt": "p.md",
          "output": {"k": {"type": "string"}, "__proto__": {"type": "string"}},
          "inputs": {"variables": {"__proto__": true}},
          "onPass": {"branch": {"on": "k", "cases": {"__proto__": "nowhere"}, "default": "complete"}}
        }
      }}`,
    }),
  );
  expect(errors.map(({ code, pointer, line }) => `${line} ${code} ${pointer}`)).toEqual([
    "1 ReservedKey /parameters/__proto__",
    "1 UnknownKey /__proto__",
    "2 ReservedKey /steps/__proto__",
    "5 ReservedKey /steps/a/output/__proto__",
    "6 ReservedKey /steps/a/inputs/variables/__proto__",
    "7 ReservedKey /steps/a/onPass/branch/cases/__proto__",
  ]);
});

test("names that every object has are names like others", async () => {
  using flow = await runFlow({
    steps: { constructor: { onPass: { next: "toString" } }, toString: {} },
    agent: { parameters: { valueOf: { required: false } } },
    prompts: { "prompts/toString.md": "[{param-valueOf}]" },
  });
  expect([flow.result.success, flow.bridge.asked.map(({ prompt }) => prompt)]).toEqual([
    true,
    ["Do constructor.\n", "[]"],
  ]);
});
