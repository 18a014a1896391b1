// What the user is shown and asked before a tool may do something.
import type { ConfirmParams, ConfirmResult } from "@codelia/protocol";
import { visibleJson, visibleName } from "@codelia/shared-types";
import type { Answer } from "../dialogs/index.ts";
import { type Style, shownLine, shownText, withMargin, wrapped } from "../screen/index.ts";
import { diffBlock } from "../transcript/index.ts";

const wholePreview = 400;

/** The whole command, never cut: what runs must be what was read. */
export function permissionLines(question: ConfirmParams, width: number, style: Style): string[] {
  const { tool, detail, preview, why } = question;
  return [
    "",
    `${style.warning("?")} ${style.bold(`${visibleName(tool)} wants to do this:`)}`,
    ...withMargin(shownText(detail), width, "    "),
    ...(preview === undefined ? [] : diffBlock(preview, width, style, wholePreview)),
    ...wrapped(`It is asked because ${shownText(why)}.`, width - 2).map((line) => style.dim(`  ${line}`)),
  ];
}

export function permissionAnswers({
  remember = [],
  keeps,
}: Pick<ConfirmParams, "remember" | "keeps">): Answer<ConfirmResult["decision"]>[] {
  // What would be stored is shown as it would be stored, before anybody says yes to it.
  const kept = [
    ...remember.map((rule) => visibleJson(rule, "one-line")),
    ...(keeps === undefined ? [] : [shownLine(keeps)]),
  ];
  return [
    { value: "allow_once", label: "yes, once" },
    { value: "allow_session", label: "yes, and the very same again in this session" },
    ...(kept.length === 0
      ? []
      : [{ value: "allow_always" as const, label: `yes, always: remembers ${kept.join(" and ")}` }]),
    { value: "deny", label: "no, and say why", words: "why not (may be empty)" },
  ];
}

export function permissionResult(decision: ConfirmResult["decision"], words: string): ConfirmResult {
  return decision === "deny" && words !== "" ? { decision, reason: `The user said: ${words}` } : { decision };
}
