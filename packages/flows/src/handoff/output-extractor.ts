// Finds a step's output in the model's last response. What tools said never comes here, so that it cannot be forged.
import type { ExtractError, OutputField, OutputSchema } from "@codelia/shared-types";
import { readFences } from "./fences.ts";
import { isPlainObject, outputFields } from "./output-fields.ts";

export interface ExtractResult {
  readonly ok: boolean;
  readonly data?: Record<string, unknown>;
  /** What was tried, in order. */
  readonly errors?: readonly ExtractError[];
}

export class OutputExtractor {
  /**
   * Looks into `json` blocks from the last to the first, then takes the whole response as JSON, then lines
   * `key: value` of declared keys outside every block. The first that gives a plain object is the output.
   *
   * @input  response: the text of the model's last response; schema: the declared fields
   * @output the object as it was written, unchecked
   * @effects none
   * @error  ExtractionFailed, as a value: `ok: false` and every attempt
   */
  extract(response: string, schema: OutputSchema): ExtractResult {
    const { blocks, outside } = readFences(response);
    const errors: ExtractError[] = [];
    const fail = (strategy: ExtractError["strategy"], message: string) =>
      errors.push({ code: "ExtractionFailed", strategy, message });

    const json = blocks.filter(({ language }) => language === "json");
    if (json.length === 0) fail("json_block", "there is no ```json block");
    for (const [index, { body }] of [...json.entries()].toReversed()) {
      const read = readObject(body);
      if ("data" in read) return { ok: true, data: read.data };
      fail("json_block", `block ${index + 1} of ${json.length} ${read.problem}`);
    }

    const whole = readObject(response);
    if ("data" in whole) return { ok: true, data: whole.data };
    fail("whole_response", `the whole response ${whole.problem}`);

    const lines = readKeyValues(outside, outputFields(schema));
    if ("data" in lines) return { ok: true, data: lines.data };
    fail("key_value", lines.problem);
    return { ok: false, errors };
  }
}

type Read = { readonly data: Record<string, unknown> } | { readonly problem: string };

function readObject(text: string): Read {
  const parsed = parse(text);
  if (parsed === undefined) return { problem: "is not valid JSON" };
  return isPlainObject(parsed.value) ? { data: parsed.value } : { problem: "is JSON, but no object" };
}

function readKeyValues(lines: readonly string[], fields: readonly (readonly [string, OutputField])[]): Read {
  const found: [string, unknown][] = [];
  for (const [key, { type }] of fields) {
    // The last one counts, as with blocks.
    const line = lines.findLast((each) => each.startsWith(`${key}:`));
    if (line === undefined) continue;
    const written = line.slice(key.length + 1).trim();
    const decoded = type === "string" ? { value: written } : parse(written);
    if (decoded === undefined) return { problem: `the line "${key}: …" holds no JSON value` };
    found.push([key, decoded.value]);
  }
  if (found.length > 0) return { data: Object.fromEntries(found) };
  return { problem: "no line begins with a declared key and a colon" };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
