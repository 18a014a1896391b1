// Reads the frontmatter that nearly every skill has, `key: text` lines, without a YAML parser: at a cold start with
// thousands of skills that parser would be most of the work. What it gives equals what the parser gives; anything
// that is not plainly so is left to the parser.
import type { Field } from "./fields.ts";

const line = /^([A-Za-z][A-Za-z0-9_-]*):( +)(\S.*?) *$/;
// What every YAML reader takes as it is: no tab, no control, no blank but the plain one, nothing invisible.
const harmless = /^[ -~\p{L}\p{M}\p{N}\p{P}\p{S}]*$/u;
const bareStart = /^[A-Za-z0-9\p{L}]/u;

/** @output the fields by key; undefined where a YAML parser has to read them */
export function readPlainFields(yaml: string): ReadonlyMap<string, Field> | undefined {
  const fields = new Map<string, Field>();
  let number = 1;
  for (let from = 0; from < yaml.length; ) {
    number += 1;
    let end = yaml.indexOf("\n", from);
    if (end === -1) end = yaml.length;
    const stop = end < yaml.length && end > from && yaml[end - 1] === "\r" ? end - 1 : end;
    const match = line.exec(yaml.slice(from, stop));
    if (match === null) return undefined;
    const [, key = "", blanks = "", written = ""] = match;
    const text = plainText(written);
    if (text === undefined || fields.has(key)) return undefined;
    fields.set(key, {
      key,
      value: { kind: "text", text },
      keyPlace: { line: number, column: 1 },
      place: { line: number, column: key.length + 1 + blanks.length + 1 },
    });
    from = end + 1;
  }
  return fields.size === 0 ? undefined : fields;
}

function plainText(written: string): string | undefined {
  if (!harmless.test(written)) return undefined;
  const [quote] = written;
  if (quote === '"' || quote === "'") {
    const inner = written.slice(1, -1);
    const isClosed = written.length > 1 && written.endsWith(quote);
    return isClosed && !inner.includes(quote) && !inner.includes("\\") ? inner : undefined;
  }
  if (!bareStart.test(written)) return undefined;
  const isMore = written.includes(": ") || written.includes(" #") || written.endsWith(":");
  return isMore ? undefined : written;
}
