// What a run may do at most: which tools there are, and whether they may only look.
import type { DecidableCall, Tool } from "@codelia/core";
import type { PermissionDecision } from "@codelia/shared-types";

export interface ToolRestriction {
  /** Others are neither offered nor run; absent: all. */
  readonly tools?: readonly string[] | undefined;
  /** Calls that write, run a command or reach the network are denied, whatever the approval says. */
  readonly onlyLooks?: boolean;
}

type Tools = ReadonlyMap<string, Tool>;
type Decide = (call: DecidableCall) => Promise<PermissionDecision>;

/** The loop knows no other tools than these. */
export function restrictTools(tools: Tools, { tools: names }: ToolRestriction = {}): Tools {
  if (names === undefined) return tools;
  return new Map([...tools].filter(([name]) => names.includes(name)));
}

/** Without the tool nobody needs a list of skills, and none is loaded by being named. */
export function loadsSkills(tools: Tools): boolean {
  return tools.has("skill_load");
}

export function restrictDecision(decide: Decide, { onlyLooks = false }: ToolRestriction = {}): Decide {
  if (!onlyLooks) return decide;
  return async (call) => {
    const { kind } = call.prepared.access;
    if (!["write", "command", "network", "mcp"].includes(kind)) return await decide(call);
    return {
      decision: "deny",
      by: "mode",
      reason: "Whoever judges only looks: nothing may be changed here.",
    };
  };
}
