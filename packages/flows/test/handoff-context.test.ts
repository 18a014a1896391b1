// What steps put out, and how it becomes variables: missing values, collisions, and one pass of substitution.
import { describe, expect, test } from "bun:test";
import { AgentError, StepContext, substitute, templateVariables } from "@codelia/flows";
import type { InputSpec } from "@codelia/shared-types";

function context(outputs: Record<string, Record<string, unknown>>): StepContext {
  const made = new StepContext();
  for (const [step, data] of Object.entries(outputs)) made.set(step, data);
  return made;
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return error instanceof AgentError ? `${error.name} ${error.code}: ${error.message}` : String(error);
  }
  return "no error";
}

describe("a step context", () => {
  test("get returns undefined for what is not there and never fails", () => {
    const made = context({ a: { k: 1 } });
    expect([
      made.get("a", "k"),
      made.get("a", "toString"),
      made.get("b", "k"),
      made.get("__proto__", "x"),
    ]).toEqual([1, undefined, undefined, undefined]);
  });

  test("set overwrites what the step had put out, as a whole", () => {
    const made = context({ a: { k: 1, old: 2 } });
    made.set("a", { k: 3 });
    expect(made.outputs).toEqual({ a: { k: 3 } });
  });

  test("cannot be changed through what was put in or taken out", () => {
    const data = { list: [1] };
    const made = context({ a: data });
    data.list.push(2);
    made.outputs.a = {};
    expect(made.outputs).toEqual({ a: { list: [1] } });
  });

  test("toUvVariables names a value uv-step_key and writes objects and lists as JSON", () => {
    const made = context({
      measure: { height: 1.5, tall: false, name: "x", box: { w: 1 }, list: [1, "a"], nil: null },
    });
    const variables = Object.fromEntries(
      ["height", "tall", "name", "box", "list", "nil"].map((key) => [`measure.${key}`, true]),
    );
    expect(made.toUvVariables({ from_step: "measure", variables })).toEqual({
      "uv-measure_height": "1.5",
      "uv-measure_tall": "false",
      "uv-measure_name": "x",
      "uv-measure_box": '{"w":1}',
      "uv-measure_list": '[1,"a"]',
      "uv-measure_nil": "null",
    });
  });

  test("toUvVariables fails with MissingRequiredInput when a required input is missing, naming all", () => {
    const inputs: InputSpec = {
      variables: { "a.x": true, "a.y": {}, "b.z": { onMissing: "error" }, "a.k": true },
    };
    expect(codeOf(() => context({ a: { k: 1 } }).toUvVariables(inputs))).toBe(
      'ExecutionError MissingRequiredInput: No step has put out "a.x", "a.y", "b.z". Let the flow pass the step that does, or give the input required: false.',
    );
  });

  test("onMissing default uses the default, onMissing skip leaves the variable out", () => {
    const inputs: InputSpec = {
      variables: {
        "a.d": { onMissing: "default", default: { n: 1 } },
        "a.s": { onMissing: "skip" },
        "a.f": false,
        "a.o": { required: false, default: 0 },
        "a.n": { required: false },
      },
    };
    expect(context({}).toUvVariables(inputs)).toEqual({ "uv-a_d": '{"n":1}', "uv-a_o": "0" });
  });

  test("only undefined is missing: empty text, zero, false and null are values", () => {
    const inputs: InputSpec = { variables: { "a.t": true, "a.z": true, "a.f": true, "a.n": true } };
    expect(context({ a: { t: "", z: 0, f: false, n: null } }).toUvVariables(inputs)).toEqual({
      "uv-a_t": "",
      "uv-a_z": "0",
      "uv-a_f": "false",
      "uv-a_n": "null",
    });
  });

  test("two inputs that would have one name are an error", () => {
    const made = context({ a: { b_c: "1" }, a_b: { c: "2" } });
    expect(codeOf(() => made.toUvVariables({ variables: { "a.b_c": true, "a_b.c": true } }))).toBe(
      'ConfigurationError CollidingVariables: "a.b_c" and "a_b.c" would both be {uv-a_b_c}. Rename a step or a key.',
    );
    expect(codeOf(() => made.toUvVariables({ variables: { height: true } }))).toBe(
      'ConfigurationError BadInputName: "height" names no output. Write "step.key".',
    );
  });
});

describe("substitution", () => {
  test("is one pass: what a value brings in is not looked at again", () => {
    const variables = { "uv-a_b": "{uv-c_d} $& $1", "uv-c_d": "no", "param-x": "{param-x}" };
    expect(substitute("<{uv-a_b}> <{param-x}> {uv-none_x}.", variables)).toBe(
      "<{uv-c_d} $& $1> <{param-x}> .",
    );
  });

  test("leaves braces alone that are no variables", () => {
    const text = '{ "a": {} } {name} {uv} {uv- } {UV-a_b}';
    expect([substitute(text, {}), templateVariables(text)]).toEqual([text, []]);
  });

  test("knows no variable from the prototype", () => {
    expect(substitute("{uv-constructor}", {})).toBe("");
  });
});
