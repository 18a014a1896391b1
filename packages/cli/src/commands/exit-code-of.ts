// How a run or a flow ended, as an exit code.
import type { FlowOutcome, Result } from "@codelia/protocol";
import { exitCode } from "../io.ts";

const codes: Readonly<Record<FlowOutcome["status"] | Result<"run.start">["status"], number>> = {
  done: exitCode.done,
  failed: exitCode.failed,
  needs_permission: exitCode.needsPermission,
  // Somebody has to say what became of it.
  indeterminate: exitCode.needsPermission,
  limit: exitCode.limit,
  interrupted: exitCode.interrupted,
};

export function exitCodeOf({ status }: { readonly status: keyof typeof codes }): number {
  return codes[status];
}
