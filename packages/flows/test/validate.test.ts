// What validate finds beyond the shape: ways, inputs, names, prompts, versions. Before any model is asked.
import { describe, expect, test } from "bun:test";
import { basename } from "node:path";
import { validate } from "@codelia/flows";
import type { TreeDescription } from "../../../test/support/tree.ts";
import { agentFiles, loaded } from "./support/definitions.ts";

const string = { type: "string" } as const;

/** `code pointer: message` */
async function problems(files: TreeDescription): Promise<string[]> {
  const { errors } = validate(await loaded(files));
  return errors.map(({ code, pointer, message }) => `${code} ${pointer}: ${message}`);
}

describe("a value that is wrong", () => {
  test("hides nothing of what is wrong around it: in its step, in the others, in the prompts", async () => {
    const good = { output: { k: string }, onPass: { complete: true } };
    const wrong = {
      prompt: "prompts/none.md",
      retries: 1.5,
      tools: ["reed"],
      inputs: { variables: { t: true, "good.z": true } },
      onPass: { next: "nix" },
    };
    const variables = { prompt: "prompts/variables.md", limits: { visits: 0 } };
    const files = {
      "agent.json": JSON.stringify({
        limits: { iterations: 0 },
        parameters: { a: { default: 5 } },
        entry: "nowhere",
        steps: { good: { prompt: "prompts/good.md", ...good }, wrong, variables: { ...good, ...variables } },
      }),
      "prompts/good.md": "Good {param-a}",
      "prompts/variables.md": "Use {uv-good_k} and {param-b}",
    };
    const { errors } = validate(await loaded(files), { tools: { all: ["read"], looking: ["read"] } });
    const told = errors.map(({ code, pointer, message }) => `${code} ${pointer}: ${message}`);
    expect(told.map((problem) => problem.split(": looked")[0])).toEqual([
      "WrongValue /limits/iterations: expected a number of at least 1, found 0",
      "WrongValue /parameters/a/default: expected a string, found 5",
      'UnknownStep /entry: there is no step "nowhere"',
      "PromptMissing /steps/wrong/prompt: There is no prompt prompts/none.md",
      "WrongValue /steps/wrong/retries: expected a whole number, found 1.5",
      'UnknownTool /steps/wrong/tools/0: there is no tool "reed"',
      'BadInputName /steps/wrong/inputs/variables/t: "t" names no output',
      'UnknownOutput /steps/wrong/inputs/variables/good.z: the step "good" puts out no "z"',
      'UnknownStep /steps/wrong/onPass/next: there is no step "nix"',
      "WrongValue /steps/variables/limits/visits: expected a number of at least 1, found 0",
      'UndeclaredVariable : the step "variables" declares no {uv-good_k}',
      'UndeclaredVariable : the step "variables" declares no {param-b}',
    ]);
  });

  test("is not guessed at: what hangs on it is told when it is right", async () => {
    const files = {
      "agent.json": JSON.stringify({
        parameters: 5,
        completion: { type: "never" },
        steps: {
          a: { prompt: "prompts/a.md", output: { k: { type: "text" } }, onPass: { next: "b" } },
          b: { prompt: "prompts/b.md", inputs: { variables: { "a.k": true } }, onPass: { next: "c" } },
          c: { prompt: "prompts/c.md", inputs: 5, onPass: { next: "a" } },
        },
      }),
      "prompts/a.md": "A {param-x}",
      "prompts/b.md": "B {uv-a_k}",
      "prompts/c.md": "C {uv-a_k} {run-nothing}",
    };
    const told = await problems(files);
    expect(told.map((problem) => problem.split(": ")[0])).toEqual([
      "WrongValue /parameters",
      "WrongValue /completion/type",
      "WrongValue /steps/a/output/k/type",
      "WrongValue /steps/c/inputs",
      "UndeclaredVariable ",
    ]);
    expect(told.at(-1)).toBe('UndeclaredVariable : the step "c" declares no {run-nothing}');
  });

  test("does not hide a step that no way leads to, and a way that is wrong does not invent one", async () => {
    const unreachable = { a: { retries: -1 }, b: {} };
    expect((await problems(agentFiles(unreachable))).map((problem) => problem.split(": ")[0])).toEqual([
      "WrongValue /steps/a/retries",
      "UnreachableStep /steps/b",
    ]);
    const steps = { a: { prompt: "prompts/a.md", onPass: {} }, b: 5 };
    const files = { "agent.json": JSON.stringify({ steps }), "prompts/a.md": "A" };
    expect((await problems(files)).map((problem) => problem.split(": ")[0])).toEqual([
      "WrongValue /steps/a/onPass",
      "WrongValue /steps/b",
    ]);
  });
});

describe("the ways of a flow", () => {
  test("unknown steps are told wherever they are named", async () => {
    expect(
      await problems(
        agentFiles(
          {
            a: {
              output: { k: string },
              onPass: { branch: { on: "k", cases: { x: "nix" }, default: "complete" } },
              onFail: { fallback: "nix" },
              onExhausted: { fallback: "nix" },
              inputs: { from_step: "nix", variables: { "nix.k": true } },
            },
          },
          { entry: "nix" },
        ),
      ),
    ).toEqual([
      'UnknownStep /entry: there is no step "nix"',
      'UnknownStep /steps/a/onPass/branch/cases/x: there is no step "nix"',
      'UnknownStep /steps/a/onFail/fallback: there is no step "nix"',
      'UnknownStep /steps/a/onExhausted/fallback: there is no step "nix"',
      'UnknownStep /steps/a/inputs/from_step: there is no step "nix"',
      'UnknownStep /steps/a/inputs/variables/nix.k: there is no step "nix"',
    ]);
  });

  test("a step that no way leads to is an error", async () => {
    expect(await problems(agentFiles({ a: {}, b: { onPass: { next: "a" } } }))).toEqual([
      'UnreachableStep /steps/b: no way leads from "a" to "b"',
    ]);
  });

  test("a cycle without an exit is an error, unless a completion condition can end the run", async () => {
    const steps = {
      a: { onPass: { next: "b" } },
      b: { onPass: { next: "c" } },
      c: { onPass: { next: "b" } },
    };
    expect(await problems(agentFiles(steps))).toEqual([
      'CycleWithoutExit /steps/a: from "a" the flow never ends: it only leads to "a", "b", "c"',
      'CycleWithoutExit /steps/b: from "b" the flow never ends: it only leads to "b", "c"',
      'CycleWithoutExit /steps/c: from "c" the flow never ends: it only leads to "c", "b"',
    ]);
    expect(
      await problems(agentFiles(steps, { completion: { type: "iterationBudget", iterations: 3 } })),
    ).toEqual([]);
  });

  test("an exhausted step is never the end of a flow", async () => {
    expect(await problems(agentFiles({ a: { onExhausted: "skip" } }))).toEqual([
      "NothingToSkipTo /steps/a/onExhausted: a step that never passed cannot complete the flow, and its onPass names no step to go on with",
    ]);
    expect(await problems(agentFiles({ a: { onPass: { next: "b" }, onExhausted: "skip" }, b: {} }))).toEqual(
      [],
    );
  });

  test("a branch needs a field of the output that has cases", async () => {
    const branch = (on: string) => ({ branch: { on, cases: {}, default: "complete" as const } });
    const output = { list: { type: "array" as const } };
    expect(
      await problems(agentFiles({ a: { output, onPass: branch("list"), onFail: branch("x") } })),
    ).toEqual([
      'WrongBranch /steps/a/onPass/branch/on: "list" is of type array, which has no cases',
      'WrongBranch /steps/a/onFail/branch/on: the step\'s output has no field "x"',
    ]);
  });
});

describe("what steps hand on", () => {
  test("an input that no earlier step can supply is an error", async () => {
    const output = { k: string };
    const take = (name: string, required = true) => ({ variables: { [name]: required } });
    expect(
      await problems(
        agentFiles({
          a: { output, onPass: { next: "b" }, inputs: take("c.k") },
          b: { output, onPass: { next: "c" }, inputs: take("b.k", false) },
          c: {
            output,
            onPass: { branch: { on: "k", cases: { again: "a" }, default: "d" } },
            inputs: take("a.k"),
          },
          d: { inputs: take("c.other") },
        }),
      ),
    ).toEqual([
      'InputNeverSupplied /steps/a/inputs/variables/c.k: no way that leads here passes "c" before',
      'UnknownOutput /steps/d/inputs/variables/c.other: the step "c" puts out no "other"',
    ]);
  });

  test("an optional input may come from a later step of a cycle, but not from one that never leads here", async () => {
    const output = { k: string };
    const optional = (name: string) => ({ variables: { [name]: false } });
    const steps = {
      a: { output, onPass: { next: "b" }, inputs: optional("b.k") },
      b: {
        output,
        onPass: { branch: { on: "k", cases: { again: "a" }, default: "c" } },
        inputs: optional("c.k"),
      },
      c: { output },
    };
    expect(await problems(agentFiles(steps))).toEqual([
      'InputNeverSupplied /steps/b/inputs/variables/c.k: no way that leads here passes "c" before',
    ]);
  });

  test("a required input cannot come from a step that is first passed after this one, though a cycle leads back", async () => {
    const output = { k: string };
    const steps = (required: boolean) => ({
      a: { onPass: { next: "b" } },
      b: { onPass: { next: "c" }, inputs: { variables: { "c.k": required } } },
      c: { output, onPass: { branch: { on: "k", cases: { again: "b" }, default: "complete" as const } } },
    });
    expect(await problems(agentFiles(steps(true)))).toEqual([
      'InputNeverSupplied /steps/b/inputs/variables/c.k: no way that leads here passes "c" before',
    ]);
    expect(await problems(agentFiles(steps(false)))).toEqual([]);
  });

  test("variables whose names collide are an error", async () => {
    const steps = { a_b: { output: { c: string }, onPass: { next: "a" } }, a: { output: { b_c: string } } };
    expect(await problems(agentFiles(steps))).toEqual([
      'CollidingVariables /steps/a/output/b_c: "a_b.c" and "a.b_c" would both be {uv-a_b_c}',
    ]);
  });

  test("contradictions in inputs and outputs are errors: defaults that are missing, unused or of a wrong type", async () => {
    expect(
      await problems(
        agentFiles({
          a: {
            check: { type: "schema" },
            onPass: { next: "b" },
          },
          b: {
            output: {
              $namespace: "x",
              "a.b": string,
              c: { type: "string", default: "d" },
              d: { type: "number", required: false, default: "1" },
            },
            onPass: { next: "c" },
          },
          c: {
            inputs: {
              from_step: "a",
              from_steps: ["a"],
              variables: {
                "b.c": { onMissing: "default" },
                "b.d": { required: false, onMissing: "error" },
                "b.e": true,
                plain: true,
              },
            },
          },
        }),
      ),
    ).toEqual([
      "NothingToCheck /steps/a/check: a schema check needs an output to hold the answer against",
      'WrongNamespace /steps/b/output/$namespace: expected the step\'s id "b", found "x"',
      'WrongName /steps/b/output/a.b: "a.b" cannot be part of a variable\'s name',
      "UnusedDefault /steps/b/output/c/default: a field that is required never takes its default",
      "WrongDefault /steps/b/output/d/default: expected a value of type number, found string",
      "TwoSources /steps/c/inputs/from_step: from_step and from_steps are given both",
      'WrongSource /steps/c/inputs/variables/b.c: the inputs come from a, not from "b"',
      "NoDefault /steps/c/inputs/variables/b.c/onMissing: there is no default to use",
      'WrongSource /steps/c/inputs/variables/b.d: the inputs come from a, not from "b"',
      "Contradiction /steps/c/inputs/variables/b.d/onMissing: what is not required cannot be an error when it is missing",
      'WrongSource /steps/c/inputs/variables/b.e: the inputs come from a, not from "b"',
      'UnknownOutput /steps/c/inputs/variables/b.e: the step "b" puts out no "e"',
      'BadInputName /steps/c/inputs/variables/plain: "plain" names no output',
    ]);
  });
});

test("tools that there are not, and tools of a judge that do more than look, are errors where they stand", async () => {
  const files = agentFiles(
    {
      a: {
        tools: ["read", "shel"],
        check: { type: "prompt", prompt: "judge.md", tools: ["read", "edit", "nix"] },
      },
    },
    {},
    { "judge.md": "Judge it." },
  );
  const tools = { all: ["read", "grep", "edit"], looking: ["read", "grep"] };
  const { errors } = validate(await loaded(files), { tools });
  expect(errors.map(({ code, pointer, message, fix }) => `${code} ${pointer}: ${message}. ${fix}`)).toEqual([
    'UnknownTool /steps/a/tools/1: there is no tool "shel". There are: read, grep, edit.',
    "JudgeOnlyLooks /steps/a/check/tools/1: a judge only looks, and edit does more. Use read, grep, or a command check.",
    'UnknownTool /steps/a/check/tools/2: there is no tool "nix". There are: read, grep.',
  ]);
  expect(validate(await loaded(files)).errors).toEqual([]);
});

test("a command needs a program, and words that a program can be given", async () => {
  const check = (command: string[]) => ({ check: { type: "command" as const, command } });
  const files = agentFiles({ a: { ...check([""]), onPass: { next: "b" } }, b: check(["x", "a\0b"]) });
  const expected = "expected a program and its arguments, none of them with a NUL, found a list";
  expect(await problems(files)).toEqual([
    `WrongValue /steps/a/check/command: ${expected}`,
    `WrongValue /steps/b/check/command: ${expected}`,
  ]);
});

describe("prompts", () => {
  test("a variable that nobody declares is an error at its place in the prompt", async () => {
    const files = agentFiles(
      { a: { output: { k: string }, onPass: { next: "b" } }, b: { inputs: { variables: { "a.k": true } } } },
      { parameters: { issue: {} } },
      {
        "prompts/a.md": "Issue {param-issue} in\nstep {run-step}: {uv-a_k} and {param-x}",
        "prompts/b.md": "{uv-a_k} {run-response}",
      },
    );
    const { errors } = validate(await loaded(files));
    expect(
      errors.map((each) => [basename(each.file), each.line, each.column, each.code, each.message]),
    ).toEqual([
      ["a.md", 2, 18, "UndeclaredVariable", 'the step "a" declares no {uv-a_k}'],
      ["a.md", 2, 31, "UndeclaredVariable", 'the step "a" declares no {param-x}'],
      ["b.md", 1, 10, "UndeclaredVariable", 'the step "b" declares no {run-response}'],
    ]);
  });

  test("a prompt that is missing, blank, or outside the agent's directory is an error at its reference", async () => {
    const files = agentFiles(
      {
        a: { prompt: "none.md", onPass: { next: "b" } },
        b: { prompt: "blank.md", onPass: { next: "c" } },
        c: {
          prompt: "../outside.md",
          retryPrompt: "link.md",
          check: { type: "prompt", prompt: { c3l: "x/y/z" } },
        },
      },
      {},
      { "blank.md": " \n\t\n" },
    );
    const { errors } = validate(
      await loaded({ ...files, "link.md": { link: "../../../../../../etc/passwd" } }),
    );
    expect(errors.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      "PromptMissing /steps/a/prompt",
      "PromptMissing /steps/b/prompt",
      "PromptMissing /steps/c/prompt",
      "PromptMissing /steps/c/retryPrompt",
      "PromptMissing /steps/c/check/prompt",
    ]);
  });

  test("one wrong step does not hide what is wrong with the others", async () => {
    const files = agentFiles({ a: { onPass: { next: "b" }, retries: -1 }, b: { prompt: "none.md" } });
    expect((await problems(files)).map((each) => each.split(":")[0])).toEqual([
      "WrongValue /steps/a/retries",
      "PromptMissing /steps/b/prompt",
    ]);
  });
});
