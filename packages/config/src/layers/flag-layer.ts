// Settings from the command line.
import type { SettingFlag } from "@codelia/shared-types";
import { type Layer, type Locate, parseLayer } from "./layer.ts";

/** @error ConfigError with every flag that does not fit */
export function flagLayer(flags: readonly SettingFlag[]): Layer {
  const byKey = new Map(flags.map((flag) => [flag.key, flag]));
  const locate: Locate = (path) => {
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
