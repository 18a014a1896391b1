// Checks rules when they are loaded: one that can never hold, or not what its examples say, is an error with its place.
import { ConfigError, type ConfigProblem, type RuleEntry } from "@codelia/config";
import type { PermissionRule } from "@codelia/shared-types";
import { exampleFaults } from "./examples.ts";
import { type PathBases, pathGlobFault } from "./path-glob.ts";
import { parseWildcards } from "./wildcard.ts";

export interface RuleFault {
  /** Of the field, from the rule on: `["match", 0]`. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * @effects loads the shell's grammar when examples are commands
 * @error  ConfigError with every fault of every rule
 */
export async function checkRules(rules: readonly RuleEntry[], bases: PathBases): Promise<void> {
  const problems: ConfigProblem[] = [];
  for (const entry of rules) {
    const faults = fieldFaults(entry.rule);
    const found = faults.length > 0 ? faults : await exampleFaults(entry, bases);
    problems.push(...found.map((fault) => problem(entry, fault)));
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

function problem(entry: RuleEntry, { path, message }: RuleFault): ConfigProblem {
  const { name = "settings", line, column } = entry.placeOf(path);
  return {
    name,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    key: [entry.key, ...path.map(String)].join("."),
    message,
  };
}

function fieldFaults(rule: PermissionRule): RuleFault[] {
  const faults: RuleFault[] = [];
  const add = (field: keyof PermissionRule, message: string | undefined) => {
    if (message !== undefined) faults.push({ path: [field], message });
  };
  const { command, command_glob: commandGlob, path_glob: pathGlob, skill_name: skillName } = rule;
  add("command", command === undefined ? undefined : commandFault(command));
  add("command_glob", commandGlob === undefined ? undefined : commandGlobFault(commandGlob));
  add("path_glob", pathGlob === undefined ? undefined : pathGlobFault(pathGlob));
  add("tool", togetherFault(rule));
  if (skillName !== undefined && !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(skillName))
    add("skill_name", "no skill has such a name: expected lower-case letters, digits and single hyphens");
  return faults;
}

/** A program and words. Whatever the shell would read as more can never be one. */
function commandFault(command: string): string | undefined {
  if (command.trim() === "") return 'expected a program, such as "rm"';
  if (command !== command.trim() || /\s\s|[^\S ]/u.test(command))
    return `expected words with one space between them: ${JSON.stringify(command.trim().split(/\s+/u).join(" "))}`;
  const syntax = /[|&;<>()$`"'\\*?[\]{}~#!]/.exec(command)?.[0];
  if (syntax !== undefined)
    return `${JSON.stringify(syntax)} has a meaning to the shell and is never part of such words: write the program and its first words as the program gets them, or use command_glob`;
  if (/^-|=/.test(command.split(" ")[0] ?? "")) return "expected a program before its flags and variables";
  return undefined;
}

function commandGlobFault(glob: string): string | undefined {
  if (glob.trim() === "") return 'expected the words of a command, such as "npm run *"';
  if (parseWildcards(glob, { questionMark: false }) === undefined)
    return "a backslash at the end escapes nothing";
  if (glob !== glob.trim())
    return `no command begins or ends with white space: ${JSON.stringify(glob.trim())}`;
  return undefined;
}

/** Fields that no call can have together. */
function togetherFault({
  tool,
  command,
  command_glob,
  path_glob,
  skill_name,
  server,
}: PermissionRule): string | undefined {
  const isCommand = command !== undefined || command_glob !== undefined;
  if (isCommand && tool !== undefined && tool !== "bash")
    return `${JSON.stringify(tool)} runs no commands: command and command_glob are for bash`;
  if (isCommand && (path_glob !== undefined || skill_name !== undefined || server !== undefined))
    return "command and command_glob stand without path_glob, skill_name and server: no call has both";
  if (path_glob !== undefined && tool === "bash")
    return "the files of a command cannot be told from its words: leave out tool, or use sandbox.hiddenPaths to hide files from commands";
  if (skill_name !== undefined && tool !== undefined && tool !== "skill_load")
    return `${JSON.stringify(tool)} loads no skills: skill_name is for skill_load`;
  if (skill_name !== undefined && server !== undefined)
    return "skill_name stands without server: no call has both";
  return undefined;
}
