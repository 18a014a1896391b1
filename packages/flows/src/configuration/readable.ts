// What can be looked at of an object that a schema refused: every member that fits by itself.
import type { z } from "zod";

/** @typeParam T the object as it should be @typeParam P the same with every member optional */
export interface Readable<T, P> {
  /** Undefined when the schema refused it. */
  readonly whole: T | undefined;
  /** The members that fit. Keys that are not known are left out. */
  readonly parts: P;
  /** The member is there, or must be, and does not fit: what was meant is not known. */
  readonly isUnclear: (member: keyof P) => boolean;
}

/** @input partial: the schema with every member optional, which takes an empty object */
export function readable<T extends P, P>(
  schema: z.ZodType<T>,
  partial: z.ZodType<P>,
  value: unknown,
): Readable<T, P> {
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    return { whole: parsed.data, parts: parsed.data, isUnclear: () => false };
  }
  const { issues } = parsed.error;
  // A key that is not known is an error by itself, and no reason not to look at what is around it.
  const known = issues.reduce<unknown>(
    (rest, issue) => (issue.code === "unrecognized_keys" ? without(rest, issue.path, issue.keys) : rest),
    value,
  );
  const left = schema.safeParse(known);
  const unclear = new Set((left.error?.issues ?? []).map(({ path }) => path[0]));
  // An issue without a path is about the whole, of which nothing can be said then.
  const isNothingClear = unclear.has(undefined);
  const members = without(known, [], [...unclear].map(String));
  const parts = partial.safeParse(isNothingClear ? {} : members);
  return {
    whole: undefined,
    parts: parts.success ? parts.data : partial.parse({}),
    isUnclear: (member) => isNothingClear || !parts.success || unclear.has(member),
  };
}

function without(value: unknown, path: readonly PropertyKey[], keys: readonly string[]): unknown {
  const [first, ...rest] = path;
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) => (index === first ? without(each, rest, keys) : each));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    first === undefined
      ? entries.filter(([key]) => !keys.includes(key))
      : entries.map(([key, child]) => [key, key === first ? without(child, rest, keys) : child]),
  );
}
