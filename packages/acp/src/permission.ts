// A question about a call, as an editor asks it, and its answer.
import type { PermissionOption, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { type ConfirmParams, type ConfirmResult, ConfirmResultSchema } from "@codelia/protocol";
import { visibleJson } from "@codelia/shared-types";

/** What would be remembered is shown as it would be stored, before anybody says yes to it. */
export function permissionOptions({ remember = [] }: ConfirmParams): PermissionOption[] {
  const rules = remember.map((rule) => visibleJson(rule, "one-line")).join(", ");
  return [
    { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
    { optionId: "allow_session", name: "Allow the same again in this session", kind: "allow_always" },
    ...(remember.length === 0
      ? []
      : [
          {
            optionId: "allow_always",
            name: `Always allow, remembering ${rules}`,
            kind: "allow_always" as const,
          },
        ]),
    { optionId: "deny", name: "Reject", kind: "reject_once" },
  ];
}

/** An answer that was not offered counts as no. */
export function confirmResult({ outcome }: RequestPermissionResponse): ConfirmResult {
  if (outcome.outcome === "cancelled") return { decision: "deny", reason: "The user cancelled." };
  const parsed = ConfirmResultSchema.safeParse({ decision: outcome.optionId });
  return parsed.success ? parsed.data : { decision: "deny", reason: "The editor gave no answer." };
}
