// Remembers permission rules in the user's config.json. Several processes may do so at once; none loses a rule.
import { isDeepStrictEqual } from "node:util";
import type { ConfigSource, FileSystem, PermissionRule } from "@codelia/shared-types";
import type { Disk } from "@codelia/storage";
import { type ConfigEdit, editConfigFile } from "../edit/index.ts";
import { type RuleEntry, readFileLayer } from "../layers/index.ts";

export interface RuleStoreOptions {
  readonly fs: FileSystem;
  readonly disk: Disk;
  /** The user's config.json; created when it is not there. */
  readonly file: string;
}

const key = ["permissions", "allow"];

/**
 * @output the rules as the file has them now
 * @effects adds those that are missing to `permissions.allow`; the rest of the file's text stays. Only the user can
 *          read the file afterwards.
 * @error  ConfigError when the file is not valid, and nothing is written then; StorageError
 */
export async function addAllowRules(
  { fs, disk, file }: RuleStoreOptions,
  rules: readonly PermissionRule[],
): Promise<RuleEntry[]> {
  const edits = rules.map((value): ConfigEdit => ({ action: "add", key, value }));
  await editConfigFile({ fs, disk }, file, edits);
  const entries = (await readFileLayer(fs, file, "user"))?.rules ?? [];
  return rules.flatMap((rule) => entries.find((entry) => isAllowing(entry, rule)) ?? []);
}

function isAllowing(entry: RuleEntry, rule: PermissionRule): boolean {
  return entry.effect === "allow" && isDeepStrictEqual(entry.rule, rule);
}

/** A rule's place on one line: `/home/you/.codelia/config.json:3:7`. */
export function placeOfRule({ name, line, column }: ConfigSource): string | undefined {
  return line === undefined ? name : `${name}:${line}:${column ?? 1}`;
}
