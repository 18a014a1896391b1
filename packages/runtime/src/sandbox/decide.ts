// Commands without a sandbox are never run silently: they ask, or do not run at all.
import type { DecidableCall } from "@codelia/core";
import type { PermissionDecision } from "@codelia/shared-types";
import type { Sandbox, SandboxState } from "./sandbox.ts";

type Decide = (call: DecidableCall) => Promise<PermissionDecision>;

/** Whether commands are held: `off` is the user's word, `missing` is not. */
export type SandboxStanding = "in_force" | "off" | "missing";

export interface SandboxedDecision {
  readonly sandbox: Sandbox;
  /** Without a sandbox nothing runs, whatever the user would say. */
  readonly isRequired: boolean;
  /** By rules and mode; without a sandbox by asking the user, in every mode. */
  readonly decide: (call: DecidableCall, standing: SandboxStanding) => Promise<PermissionDecision>;
  /** Told once a session. */
  readonly notify: (notice: string) => void;
}

/** @output a decision that knows whether the command would run in the sandbox; other calls are decided as usual */
export function decideWithSandbox({ sandbox, isRequired, decide, notify }: SandboxedDecision): Decide {
  let isTold = false;
  return async (call) => {
    if (call.prepared.access.kind !== "command") return decide(call, "in_force");
    const state = await sandbox.state();
    if (state.inForce) return decide(call, "in_force");
    if (!isTold) notify(sandboxNotice(state));
    isTold = true;
    if (state.why === "off") return decide(call, "off");
    if (isRequired) {
      return {
        decision: "deny",
        by: "rule",
        reason: `sandbox.enabled is require, and ${state.reason}. ${state.fix}`,
      };
    }
    const { preview } = call.prepared;
    const warning = `This command would run without a sandbox: ${state.reason}.`;
    const shown = preview === undefined ? warning : `${warning}\n${preview}`;
    return decide({ ...call, prepared: { ...call.prepared, preview: shown } }, "missing");
  };
}

function sandboxNotice({ why, reason, fix }: Extract<SandboxState, { inForce: false }>): string {
  return why === "off"
    ? `Commands run without a sandbox: ${reason}.`
    : `There is no sandbox, so every command asks: ${reason}. ${fix}`;
}
