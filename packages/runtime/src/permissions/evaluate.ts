// Decides a call by rules and approval mode: deny > allow > confirm. Asks nobody.
import { isInside, type ToolAccess } from "@codelia/core";
import {
  type ApprovalMode,
  type DecidingRule,
  type FileSystem,
  type PermissionRule,
  visibleName,
} from "@codelia/shared-types";
import type { SandboxStanding } from "../sandbox/index.ts";
import { allowingRule } from "./allow.ts";
import { type CallFacts, callFacts } from "./call-facts.ts";
import { denies } from "./deny.ts";
import type { PathBases } from "./path-glob.ts";
import { describeRule, type PlacedRule } from "./placed-rule.ts";
import type { FilePath } from "./real-path.ts";
import { protectedNamesIn } from "./real-path.ts";
import { escapeGlob } from "./wildcard.ts";

export interface EvaluationOptions {
  readonly mode: ApprovalMode;
  readonly fs: FileSystem;
  /** Reads inside are free; writes inside are free in `auto-edit`. Real path. */
  readonly workspace: string;
  readonly bases: PathBases;
  /** Where tool outputs are kept: always readable. Real path. */
  readonly outputs: string;
}

export type Verdict =
  | { readonly decision: "deny"; readonly by: "rule"; readonly reason: string; readonly rule: DecidingRule }
  | {
      readonly decision: "allow";
      readonly by: "rule" | "mode";
      readonly reason: string;
      readonly rule?: DecidingRule;
    }
  | {
      readonly decision: "confirm";
      /** Why it is asked. */
      readonly reason: string;
      /** The narrowest rules that would allow it. Empty: no rule would. */
      readonly wouldAllow: readonly PermissionRule[];
    };

export interface CallToEvaluate {
  readonly tool: string;
  readonly prepared: { readonly access: ToolAccess };
}

/** @effects looks at the file system */
export async function evaluate(
  call: CallToEvaluate,
  rules: readonly PlacedRule[],
  standing: SandboxStanding,
  options: EvaluationOptions,
): Promise<Verdict> {
  const { access } = call.prepared;
  const denying = rules.filter(({ deciding }) => deciding.effect === "deny");
  const isUnheld = access.kind === "command" && standing === "missing";
  if (denying.length === 0 && options.mode === "full" && !isUnheld) return byMode("full approval");
  const asksForFiles = denying.some(({ pathGlob }) => pathGlob !== undefined);
  const facts = await callFacts(options.fs, call, { home: options.bases.home[0] ?? "/", asksForFiles });
  const denials = denying.flatMap((placed) => {
    const denial = denies(placed, facts);
    return denial === undefined ? [] : [{ placed, ...denial }];
  });
  // The one that says most.
  const denial = denials.find(({ isCertain }) => isCertain) ?? denials[0];
  if (denial !== undefined) return denied(denial.placed, denial.what);
  if (isUnheld) return confirm("there is no sandbox to hold it", []);
  if (options.mode === "full") return byMode("full approval");
  const allowing = rules.filter(({ deciding }) => deciding.effect === "allow");
  return facts.command === undefined
    ? decideCall(facts, allowing, options)
    : decideCommand(facts, allowing, standing, options);
}

function decideCall(facts: CallFacts, rules: readonly PlacedRule[], options: EvaluationOptions): Verdict {
  const freely = freeReason(facts, options);
  if (freely !== undefined) return byMode(freely);
  const rule = allowingRule(rules, facts, options.workspace);
  if (rule !== undefined) return allowed(rule);
  const { access, tool, paths } = facts;
  switch (access.kind) {
    case "read":
      return confirm("it reads outside the workspace", pathRules(tool, paths));
    case "write":
      return confirm(
        options.mode === "ask" ? "it writes files" : "it writes outside the workspace or to a protected name",
        pathRules(tool, paths),
      );
    case "network":
      return confirm("it reaches the network", [{ tool }]);
    case "mcp":
      return confirm(`it uses the MCP server ${access.server}`, [{ tool, server: access.server }]);
    case "none":
    case "skill":
    case "command":
      return confirm("no rule allows it", [{ tool }]);
  }
}

/** The reason why no question is needed; `undefined`: one is. */
function freeReason(
  { access, paths }: CallFacts,
  { mode, workspace, outputs }: EvaluationOptions,
): string | undefined {
  if (access.kind === "none") return "touches nothing";
  if (access.kind === "skill") return "skills of the user and of a trusted project are free to load";
  const isFree = ({ real }: FilePath): boolean => {
    if (real === undefined) return false;
    if (access.kind === "read") return isInside(real, workspace) || isInside(real, outputs);
    return isInside(real, workspace) && protectedNamesIn(real, workspace).length === 0;
  };
  if (access.kind === "read" && paths.every(isFree)) return "reads inside the workspace";
  if (access.kind === "write" && mode === "auto-edit" && paths.every(isFree))
    return "auto-edit: writes inside the workspace";
  return undefined;
}

async function decideCommand(
  { command }: CallFacts,
  rules: readonly PlacedRule[],
  standing: SandboxStanding,
  { mode, fs, workspace, outputs }: EvaluationOptions,
): Promise<Verdict> {
  const { coverageOf } = await import("./command-allow.ts");
  if (command === undefined) return confirm("no rule allows it", []);
  const coverage = await coverageOf(command, {
    fs,
    rules,
    workspace,
    outputs,
    trustSafeList: standing === "in_force",
    mayWrite: mode === "auto-edit",
  });
  if (!coverage.covered) return confirm(coverage.why, coverage.missing);
  if (coverage.rule !== undefined) return allowed(coverage.rule);
  return byMode(coverage.writes ? "auto-edit: writes inside the workspace" : "it only looks, in the sandbox");
}

/** Exactly these files. None where nobody can tell where one of them leads. */
function pathRules(tool: string, paths: readonly FilePath[]): PermissionRule[] {
  if (paths.some(({ real }) => real === undefined)) return [];
  return paths.flatMap(({ real }) => (real === undefined ? [] : [{ tool, path_glob: escapeGlob(real) }]));
}

function byMode(reason: string): Verdict {
  return { decision: "allow", by: "mode", reason };
}

function allowed({ deciding }: PlacedRule): Verdict {
  return { decision: "allow", by: "rule", reason: `${describeRule(deciding)} allows it`, rule: deciding };
}

function denied({ deciding }: PlacedRule, what: string): Verdict {
  const reason = `${what}: ${visibleName(describeRule(deciding))} forbids it, in every approval mode`;
  return { decision: "deny", by: "rule", reason, rule: deciding };
}

function confirm(reason: string, wouldAllow: readonly PermissionRule[]): Verdict {
  return { decision: "confirm", reason, wouldAllow };
}
