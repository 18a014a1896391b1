// What a schema allows at a place of a value: the keys it knows there, the values it names.
import { z } from "zod";

/** The keys that an object may have there. */
export function keysAt(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): string[] {
  const objects = placesAt(schema, value, path).filter((each) => each instanceof z.ZodObject);
  return [...new Set(objects.flatMap((each) => Object.keys(each.shape)))];
}

/** The values that are named one by one there. */
export function literalsAt(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): unknown[] {
  const last = path.at(-1);
  if (last === undefined) return [];
  // A wrong discriminator fits no alternative, so that all of them are asked.
  const parents = placesAt(schema, value, path.slice(0, -1), "all");
  return parents.flatMap((each) =>
    each instanceof z.ZodObject ? literals(Reflect.get(each.shape, last)) : [],
  );
}

function literals(schema: unknown): unknown[] {
  return schema instanceof z.ZodLiteral ? [...schema.values] : [];
}

function placesAt(
  schema: z.ZodType,
  value: unknown,
  path: readonly PropertyKey[],
  alternatives: "fitting" | "all" = "fitting",
): unknown[] {
  let places: unknown[] = resolved(schema, value, path.length === 0 ? alternatives : "fitting");
  let current = value;
  for (const [index, name] of path.entries()) {
    current = typeof current === "object" && current !== null ? Reflect.get(current, name) : undefined;
    const which = index === path.length - 1 ? alternatives : "fitting";
    places = places.flatMap((place) => resolved(below(place, name), current, which));
  }
  return places;
}

function below(schema: unknown, name: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) {
    return Object.hasOwn(schema.shape, name) ? Reflect.get(schema.shape, name) : schema.def.catchall;
  }
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
}

/** Without wrappers, and one entry for each alternative that can be meant. */
function resolved(schema: unknown, value: unknown, which: "fitting" | "all"): unknown[] {
  if (schema instanceof z.ZodOptional) return resolved(schema.unwrap(), value, which);
  if (!(schema instanceof z.ZodUnion)) return schema === undefined ? [] : [schema];
  const options = schema.options.flatMap((option) => resolved(option, value, which));
  const fitting = options.filter((option) => which === "all" || hasLiteralsOf(option, value));
  return fitting.length > 0 ? fitting : options;
}

function hasLiteralsOf(schema: unknown, value: unknown): boolean {
  if (!(schema instanceof z.ZodObject) || typeof value !== "object" || value === null) return true;
  return Object.entries(schema.shape).every(
    ([name, field]) =>
      !(field instanceof z.ZodLiteral) || [...field.values].some((each) => each === Reflect.get(value, name)),
  );
}
