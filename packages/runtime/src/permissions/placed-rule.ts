// A rule with its place, ready to be held against a call.
import { placeOfRule, type RuleEntry } from "@codelia/config";
import type { DecidingRule, PermissionRule } from "@codelia/shared-types";
import { type CommandGlob, compileCommandGlob } from "./command-glob.ts";
import { compilePathGlob, type PathBases, type PathGlob } from "./path-glob.ts";

export interface PlacedRule {
  readonly rule: PermissionRule;
  /** As it is journalled when it decides. */
  readonly deciding: DecidingRule;
  /** `command`, word by word. */
  readonly commandWords: readonly string[] | undefined;
  readonly commandGlob: CommandGlob | undefined;
  readonly pathGlob: PathGlob | undefined;
}

/** @input a rule without faults (check-rules.ts) */
export function placeRule({ effect, rule, source }: RuleEntry, bases: PathBases): PlacedRule {
  const { command, command_glob: commandGlob, path_glob: pathGlob } = rule;
  const place = placeOfRule(source);
  return {
    rule,
    deciding: {
      effect,
      // Defaults hold no rules.
      scope: source.layer === "default" ? "user" : source.layer,
      rule,
      ...(place === undefined ? {} : { source: place }),
    },
    commandWords: command?.trim().split(/ +/),
    commandGlob: commandGlob === undefined ? undefined : compileCommandGlob(commandGlob),
    pathGlob: pathGlob === undefined ? undefined : compilePathGlob(pathGlob, bases),
  };
}

/** Where a rule stands, for people. */
export function describeRule({ effect, scope, source }: DecidingRule): string {
  return source === undefined ? `a rule of scope ${scope} (${effect})` : `the ${effect} rule at ${source}`;
}
