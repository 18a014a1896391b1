// All layers together: the effective settings, and where each value came from.
import type { Settings } from "@codelia/shared-types";
import { SettingsSchema } from "@codelia/shared-types";
import { defaultSettings } from "./defaults.ts";
import { type Layer, leaves, nested, type SettingEntry } from "./layers/index.ts";

export interface EffectiveSettings {
  readonly values: Settings;
  /** Sorted by key. */
  readonly entries: readonly SettingEntry[];
  /** Values that were written and are not used, because a project may not decide them. */
  readonly refused: readonly SettingEntry[];
}

// A repository must not choose where instructions are looked for, switch the user's own off, or say where a
// conversation and a key are sent.
const userOnly = ["agents.enabled", "agents.root", "agents.home", "models"];

/**
 * @input  layers: lowest first; the defaults lie below all of them
 * @output a later layer's value wins key by key; a key that a layer does not mention is left as it was
 */
export function mergeLayers(layers: readonly Layer[]): EffectiveSettings {
  const entries = new Map<string, SettingEntry>();
  for (const { path, value } of leaves(defaultSettings)) {
    const key = path.join(".");
    entries.set(key, { key, value, source: { layer: "default" } });
  }
  const refused: SettingEntry[] = [];
  for (const layer of layers) {
    for (const entry of layer.entries) {
      if (layer.name === "project" && isUserOnly(entry.key)) refused.push(entry);
      else entries.set(entry.key, entry);
    }
  }
  const sorted = [...entries.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return { values: SettingsSchema.parse(nested(sorted)), entries: sorted, refused };
}

function isUserOnly(key: string): boolean {
  return userOnly.some((prefix) => key === prefix || key.startsWith(`${prefix}.`));
}
