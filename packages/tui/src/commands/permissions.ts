// `/permissions`: the rules in force, and what is done without a question beyond them.
import type { Result } from "@codelia/protocol";
import { type ApprovalMode, ApprovalModeSchema, visibleJson } from "@codelia/shared-types";
import type { Desk } from "../desk.ts";
import { noticeBlock } from "../transcript/index.ts";
import { columns } from "./columns.ts";

const modes: Readonly<Record<ApprovalMode, string>> = {
  ask: "ask before writes, commands and network",
  "auto-edit": "edits inside the project are free",
  full: "everything is free",
};

export async function permissionsCommand(desk: Desk, argument: string): Promise<void> {
  const { conversation, style, width } = desk;
  const named = ApprovalModeSchema.safeParse(argument);
  if (argument !== "" && !named.success) {
    throw new Error(`/permissions ${argument}: expected one of ${ApprovalModeSchema.options.join(", ")}`);
  }
  if (!named.success) desk.print(await ruleLines(desk));
  const chosen = named.success ? named.data : await askMode(desk);
  if (chosen === conversation.approval) return;
  conversation.approval = chosen;
  desk.print(noticeBlock(`${chosen}: ${modes[chosen]}, from the next prompt on.`, width, style));
}

async function ruleLines({ client, cwd, style, width }: Desk): Promise<string[]> {
  const { rules, refused, safe_programs, notices } = await client.call("permissions.list", { cwd });
  const rows = [
    ...rules.map(ruleRow),
    ...refused.map((rule) => ["not counted", ruleRow(rule)[1] ?? ""]),
    ["programs that only look", safe_programs.join(" ")],
  ];
  return [
    "",
    style.bold("Permissions"),
    ...columns(rows, width, style),
    ...notices.flatMap((notice) => noticeBlock(notice, width, style)),
  ];
}

function ruleRow({ effect, rule, scope, source }: Result<"permissions.list">["rules"][number]): string[] {
  return [effect, `${visibleJson(rule, "one-line")} (${source ?? scope})`];
}

async function askMode(desk: Desk): Promise<ApprovalMode> {
  const { approval } = desk.conversation;
  const { value } = await desk.ask<ApprovalMode>({
    title: `What needs no question? Now: ${approval}`,
    answers: ApprovalModeSchema.options.map((mode) => ({ value: mode, label: `${mode}: ${modes[mode]}` })),
    otherwise: approval,
  });
  return value;
}
