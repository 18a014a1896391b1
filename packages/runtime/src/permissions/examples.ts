// A rule's examples: calls that it must be about, and calls that it must not be about.
import { resolve } from "node:path";
import type { RuleEntry } from "@codelia/config";
import type { ToolAccess } from "@codelia/core";
import type { FileSystem } from "@codelia/shared-types";
import { allowingRule } from "./allow.ts";
import { type CallFacts, callFacts } from "./call-facts.ts";
import type { RuleFault } from "./check-rules.ts";
import { denies } from "./deny.ts";
import type { PathBases } from "./path-glob.ts";
import { type PlacedRule, placeRule } from "./placed-rule.ts";

type Kind = "command" | "path" | "skill";

export async function exampleFaults(entry: RuleEntry, bases: PathBases): Promise<RuleFault[]> {
  const { match = [], not_match: notMatch = [] } = entry.rule;
  if (match.length + notMatch.length === 0) return [];
  const kind = kindOf(entry);
  if (kind === undefined) {
    const path = [match.length > 0 ? "match" : "not_match"];
    return [
      { path, message: "examples are for rules about commands, paths or skills: this rule has none of them" },
    ];
  }
  const placed = placeRule(entry, bases);
  const faults: RuleFault[] = [];
  for (const [field, examples, wanted] of [
    ["match", match, true],
    ["not_match", notMatch, false],
  ] as const) {
    for (const [index, example] of examples.entries()) {
      if ((await isAbout(placed, kind, example, bases)) === wanted) continue;
      const words = wanted
        ? "the rule does not cover this example"
        : "the rule covers this example, and must not";
      faults.push({ path: [field, index], message: `${words}: ${JSON.stringify(example)}` });
    }
  }
  return faults;
}

function kindOf({ rule }: RuleEntry): Kind | undefined {
  if (rule.command !== undefined || rule.command_glob !== undefined || rule.tool === "bash") return "command";
  if (rule.path_glob !== undefined) return "path";
  return rule.skill_name === undefined ? undefined : "skill";
}

/** Examples are texts: nothing is looked up on the disk. */
async function isAbout(placed: PlacedRule, kind: Kind, example: string, bases: PathBases): Promise<boolean> {
  const facts = await exampleFacts(placed, kind, example, bases);
  if (placed.deciding.effect === "deny") return denies(placed, facts) !== undefined;
  if (facts.command === undefined) return allowingRule([placed], facts, "/") !== undefined;
  const { coverageOf } = await import("./command-allow.ts");
  const options = {
    fs: noFiles,
    rules: [placed],
    workspace: "/",
    outputs: "/",
    trustSafeList: false,
    mayWrite: true,
  };
  return (await coverageOf(facts.command, options)).covered;
}

function exampleFacts(
  { rule }: PlacedRule,
  kind: Kind,
  example: string,
  { root: [root = "/"], home: [home = "/"] }: PathBases,
): Promise<CallFacts> {
  const path = example.startsWith("~/") ? `${home}/${example.slice(2)}` : resolve(root, example);
  const accesses: Record<Kind, ToolAccess> = {
    command: { kind: "command", command: example, cwd: root },
    path: { kind: "write", paths: [path] },
    skill: { kind: "skill", name: example, path: `${root}/SKILL.md` },
  };
  const tools: Record<Kind, string> = { command: "bash", path: "write", skill: "skill_load" };
  const call = { tool: rule.tool ?? tools[kind], prepared: { access: accesses[kind] } };
  return callFacts(noFiles, call, { home, asksForFiles: true });
}

/** Everything is where its name says. */
const noFiles: FileSystem = {
  lstat: () => Promise.resolve(undefined),
  stat: () => Promise.resolve(undefined),
  realPath: (path) => Promise.resolve(path),
  list: () => Promise.resolve(undefined),
  open: () => Promise.resolve(undefined),
};
