// All layers together: the effective settings, and where each value came from.
import type { PermissionsSettings, Settings } from "@codelia/shared-types";
import { SettingsSchema } from "@codelia/shared-types";
import { defaultSettings } from "./defaults.ts";
import { type Layer, leaves, nested, type RuleEntry, type SettingEntry } from "./layers/index.ts";
import { isNarrower } from "./narrowing.ts";

export interface EffectiveSettings {
  readonly values: Settings;
  /** Sorted by key; each permission rule is one, `permissions.deny.0`. */
  readonly entries: readonly SettingEntry[];
  /** The permission rules in force, lowest layer first. */
  readonly rules: readonly RuleEntry[];
  /** Values that were written and are not used, because a project may not decide them. */
  readonly refused: readonly SettingEntry[];
}

// A repository must not choose where instructions are looked for, switch the user's own off, say where a
// conversation and a key are sent, when the conversation is cut, which of the user's skills there are,
// what the keys under their fingers do, which hosts an editor's servers reach, or where a token for issues comes from and goes to.
const userOnly = [
  "agents.enabled",
  "agents.root",
  "agents.home",
  "models",
  "context",
  "mcp.deferAbove",
  "mcp.clientNetwork",
  "skills.enabled",
  "skills.disabled",
  "tui",
  "issues.github.apiUrl",
  "issues.github.tokenEnv",
  "issues.github.token",
];

/**
 * @input  layers: lowest first; the defaults lie below all of them
 * @output a later layer's value wins key by key; a key that a layer does not mention is left as it was. Permission
 *         rules add up instead, so that no layer can take a deny rule of another away.
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
      const isAllowed =
        layer.name !== "project" || mayProjectSet(entry.key, entries.get(entry.key)?.value, entry.value);
      if (isAllowed) entries.set(entry.key, entry);
      else refused.push(entry);
    }
    // A repository must not be able to allow anything.
    if (layer.name === "project") refused.push(...ruleEntries("allow", layer.rules));
  }
  const rules = layers.flatMap((layer) =>
    layer.rules.filter(({ effect }) => effect === "deny" || layer.name !== "project"),
  );
  for (const effect of ["allow", "deny"] as const) {
    if (rules.some((rule) => rule.effect === effect)) entries.delete(`permissions.${effect}`);
  }
  const values = { ...nested([...entries.values()]), permissions: ruleLists(rules) };
  return {
    values: SettingsSchema.parse(values),
    entries: sortedByKey([
      ...entries.values(),
      ...ruleEntries("allow", rules),
      ...ruleEntries("deny", rules),
    ]),
    rules,
    refused,
  };
}

/** Rules stay in their order: the tenth does not go before the second. */
function sortedByKey(entries: readonly SettingEntry[]): SettingEntry[] {
  const listOf = ({ key }: SettingEntry) => key.replace(/^(permissions\.\w+)\.\d+$/, "$1");
  return entries.toSorted((a, b) => (listOf(a) === listOf(b) ? 0 : listOf(a) < listOf(b) ? -1 : 1));
}

function ruleLists(rules: readonly RuleEntry[]): PermissionsSettings {
  const listOf = (wanted: RuleEntry["effect"]) =>
    rules.filter(({ effect }) => effect === wanted).map(({ rule }) => rule);
  return { allow: listOf("allow"), deny: listOf("deny") };
}

function ruleEntries(wanted: RuleEntry["effect"], rules: readonly RuleEntry[]): SettingEntry[] {
  return rules
    .filter(({ effect }) => effect === wanted)
    .map(({ rule, source }, index) => ({ key: `permissions.${wanted}.${index}`, value: rule, source }));
}

function mayProjectSet(key: string, before: unknown, value: unknown): boolean {
  if (isBelow(key, "sandbox")) return isNarrower(key, before, value);
  // What the user calls by a name, and has rules about, must not become something else.
  if (isBelow(key, "mcp.servers")) return before === undefined;
  return !userOnly.some((prefix) => isBelow(key, prefix));
}

function isBelow(key: string, prefix: string): boolean {
  return key === prefix || key.startsWith(`${prefix}.`);
}
