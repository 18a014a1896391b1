// A question about a call, as an editor asks it, and its answer.
import type { PermissionOption, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { type ConfirmParams, type ConfirmResult, ConfirmResultSchema } from "@codelia/protocol";
import { visibleJson, visibleText } from "@codelia/shared-types";

/** What would be remembered is shown as it would be stored, before anybody says yes to it. */
export function permissionOptions({ remember = [], keeps }: ConfirmParams): PermissionOption[] {
  const kept = [
    ...remember.map((rule) => visibleJson(rule, "one-line")),
    ...(keeps === undefined ? [] : [visibleText(keeps)]),
  ];
  const always: PermissionOption = {
    optionId: "allow_always",
    name: `Always allow, remembering ${kept.join(", ")}`,
    kind: "allow_always",
  };
  return [
    { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
    { optionId: "allow_session", name: "Allow the same again in this session", kind: "allow_always" },
    ...(kept.length === 0 ? [] : [always]),
    { optionId: "deny", name: "Reject", kind: "reject_once" },
  ];
}

/** An answer that was not offered counts as no. @output undefined: there was none, because the prompt was cancelled */
export function confirmResult({ outcome }: RequestPermissionResponse): ConfirmResult | undefined {
  if (outcome.outcome === "cancelled") return undefined;
  const parsed = ConfirmResultSchema.safeParse({ decision: outcome.optionId });
  return parsed.success ? parsed.data : { decision: "deny", reason: "The editor gave no answer." };
}
