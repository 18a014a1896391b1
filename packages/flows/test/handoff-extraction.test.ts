// From a model's answer to a step's output: what is found, what is refused, and that nothing is converted.
import { describe, expect, test } from "bun:test";
import { OutputExtractor, OutputValidator } from "@codelia/flows";
import type { OutputSchema } from "@codelia/shared-types";

const schema: OutputSchema = {
  $namespace: "measure",
  name: { type: "string" },
  height: { type: "number" },
  tags: { type: "array", required: false },
};
const extract = (response: string) => new OutputExtractor().extract(response, schema);
const block = (body: string, fence = "```") => `${fence}json\n${body}\n${fence}\n`;

describe("extracting an output", () => {
  test("takes the last json block that holds an object", () => {
    const response = `First\n${block('{"name":"draft"}')} then\n\n${block('{"name":"final"}')}${block("[1]")}bye`;
    expect(extract(`\n${response}`)).toEqual({ ok: true, data: { name: "final" } });
  });

  test("prefers a json block to lines of key and value", () => {
    expect(extract(`name: line\n${block('{"name":"block"}')}`)).toEqual({
      ok: true,
      data: { name: "block" },
    });
  });

  test("takes the whole response when it is a JSON object", () => {
    expect(extract(' {"name":"whole"}\n')).toEqual({ ok: true, data: { name: "whole" } });
  });

  test("takes lines of key and value for declared keys only, decoding what is no string as JSON", () => {
    const response = 'name: "Ada" L.\nheight: 1.7\ntags: ["a"]\nsecret: x\n  name: indented\nheights: 9';
    expect(extract(response)).toEqual({ ok: true, data: { name: '"Ada" L.', height: 1.7, tags: ["a"] } });
  });

  test("takes the last line of a key, and none within a code block of any language", () => {
    expect(extract("name: a\n```text\nname: quoted\n```\nname: b\n~~~\nname: c\n~~~")).toEqual({
      ok: true,
      data: { name: "b" },
    });
  });

  test("does not see a json block that is quoted within a longer fence", () => {
    const quoted = `\`\`\`\`markdown\n${block('{"name":"quoted"}')}\`\`\`\`\nname: said`;
    expect(extract(quoted)).toEqual({ ok: true, data: { name: "said" } });
  });

  test("fails as a value with ExtractionFailed when no JSON block is found, and lists what was tried", () => {
    const failed = (strategy: "json_block" | "whole_response" | "key_value", message: string) => ({
      code: "ExtractionFailed" as const,
      strategy,
      message,
    });
    expect(extract(`${block("[1]")}${block("{oops}")}height: tall`)).toEqual({
      ok: false,
      errors: [
        failed("json_block", "block 2 of 2 is not valid JSON"),
        failed("json_block", "block 1 of 2 is JSON, but no object"),
        failed("whole_response", "the whole response is not valid JSON"),
        failed("key_value", 'the line "height: …" holds no JSON value'),
      ],
    });
    expect(extract("")).toEqual({
      ok: false,
      errors: [
        failed("json_block", "there is no ```json block"),
        failed("whole_response", "the whole response is not valid JSON"),
        failed("key_value", "no line begins with a declared key and a colon"),
      ],
    });
  });

  test("keeps __proto__ a plain key", () => {
    const { data } = extract('{"name":"x","__proto__":{"height":3}}');
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    expect(new OutputValidator().validate(data ?? {}, schema).errors?.map(({ key }) => key)).toEqual([
      "height",
    ]);
  });
});

describe("validating an output", () => {
  const validate = (data: Record<string, unknown>, strict = false) =>
    new OutputValidator({ strict }).validate(data, schema);

  test("reports every missing required field and every wrong type at once", () => {
    expect(validate({ height: "1.7", tags: {} })).toEqual({
      valid: false,
      errors: [
        { code: "Missing", key: "name", message: "name is missing: a string is required" },
        { code: "WrongType", key: "height", message: "height must be of type number, found string" },
        { code: "WrongType", key: "tags", message: "tags must be of type array, found object" },
      ],
    });
  });

  test("does not convert types: null, numbers beyond JSON and texts of numbers do not fit", () => {
    const found = [null, JSON.parse("1e999") as unknown, "1", true, [1]].map(
      (height) => validate({ name: "x", height }).errors?.[0]?.message,
    );
    expect(found).toEqual(
      ["null", "other", "string", "boolean", "array"].map(
        (type) => `height must be of type number, found ${type}`,
      ),
    );
  });

  test("uses the default of a field that is not required, and leaves it undefined without one", () => {
    const withDefault: OutputSchema = {
      a: { type: "array", required: false, default: ["d"] },
      b: { type: "string", required: false },
    };
    const first = new OutputValidator().validate({}, withDefault);
    expect(first).toEqual({ valid: true, coerced: { a: ["d"] } });
    expect(new OutputValidator().validate({ a: [], b: "" }, withDefault).coerced).toEqual({ a: [], b: "" });
    expect(first.coerced?.b).toBeUndefined();
  });

  test("ignores additional fields, and refuses them in strict mode", () => {
    const data = { name: "x", height: 1, extra: 1, toString: 2 };
    expect(validate(data)).toEqual({ valid: true, coerced: { name: "x", height: 1 } });
    expect(validate(data, true)).toEqual({
      valid: false,
      errors: [
        { code: "UnknownField", key: "extra", message: '"extra" is not declared' },
        { code: "UnknownField", key: "toString", message: '"toString" is not declared' },
      ],
    });
  });

  test("does not find fields on the prototype", () => {
    const inherited: OutputSchema = Object.fromEntries([["constructor", { type: "object" as const }]]);
    expect(new OutputValidator().validate({}, inherited).valid).toBe(false);
  });
});
