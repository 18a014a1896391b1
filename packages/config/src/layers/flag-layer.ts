// Settings from the command line.
import type { SettingFlag } from "@codelia/shared-types";
import { type Layer, type Locate, parseLayer } from "./layer.ts";

/** @error ConfigError with every flag that does not fit */
export function flagLayer(given: readonly SettingFlag[]): Layer {
  const flags = given.flatMap(ruleFlags);
  const byKey = new Map(flags.map((flag) => [flag.key, flag]));
  const rules = ruleLists(flags);
  for (const { key, value, written } of rules) byKey.set(key, { key, value, written });
  const locate: Locate = (path) => {
    const writer = rules.find(({ key }) => key === path.slice(0, 2).join("."))?.writers[Number(path[2])];
    if (writer !== undefined) return { name: writer };
    const key = path.map(String).join(".");
    const flag =
      byKey.get(key) ??
      flags.find(
        (candidate) => `${key}.`.startsWith(`${candidate.key}.`) || candidate.key.startsWith(`${key}.`),
      );
    return { name: flag?.written ?? "command line" };
  };
  return parseLayer("flag", nested([...byKey.values()]), locate);
}

/** `-c permissions={"deny": […]}` as a flag a list, so that it adds up like them. */
function ruleFlags(flag: SettingFlag): SettingFlag[] {
  if (flag.key !== "permissions" || !isRecord(flag.value)) return [flag];
  return Object.entries(flag.value).map(([name, value]) => ({ ...flag, key: `permissions.${name}`, value }));
}

interface RuleList extends SettingFlag {
  /** The flag that each rule came with. */
  readonly writers: readonly string[];
}

/** Lists of rules add up: a second flag must not silently take a rule of the first away. */
function ruleLists(flags: readonly SettingFlag[]): RuleList[] {
  return ["permissions.allow", "permissions.deny"].flatMap((key): RuleList[] => {
    const given = flags.filter((flag) => flag.key === key);
    const [first] = given;
    if (first === undefined) return [];
    const wrong = given.find(({ value }) => !Array.isArray(value));
    // The schema says what is wrong with it.
    if (wrong !== undefined) return [{ ...wrong, writers: [] }];
    const rules = given.flatMap(({ value, written }) => listOf(value).map((rule) => ({ rule, written })));
    return [
      {
        key,
        written: first.written,
        value: rules.map(({ rule }) => rule),
        writers: rules.map(({ written }) => written),
      },
    ];
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An object from dotted keys. */
export function nested(
  entries: readonly { readonly key: string; readonly value: unknown }[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { key, value } of entries) {
    const names = key.split(".");
    const last = names.pop() ?? key;
    let place = result;
    for (const name of names) {
      const next = Object.hasOwn(place, name) ? place[name] : undefined;
      const child: Record<string, unknown> = isRecord(next) ? next : {};
      define(place, name, child);
      place = child;
    }
    define(place, last, value);
  }
  return result;
}

// Never through a setter: `__proto__` is a key like any other, and the schema refuses it.
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
