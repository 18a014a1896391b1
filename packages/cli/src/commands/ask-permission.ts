// Asks the person at the terminal whether something may be done.
import type { ConfirmParams, ConfirmResult } from "@codelia/protocol";
import { visibleJson, visibleName, visibleText } from "@codelia/shared-types";
import type { CliIo } from "../io.ts";

/** @effects writes the question to standard error and reads answers until one is understood */
export async function askPermission(
  { tool, detail, preview, why, remember = [], keeps }: ConfirmParams,
  io: CliIo,
): Promise<ConfirmResult> {
  io.stderr.write(`\n${visibleName(tool)} wants to do this:\n${indent(visibleText(detail))}\n`);
  if (preview !== undefined) io.stderr.write(`${indent(visibleText(preview))}\n`);
  io.stderr.write(`It is asked because ${visibleText(why)}.\n`);
  // What would be stored is shown as it would be stored, before anybody says yes to it.
  for (const rule of remember) io.stderr.write(`  [a] remembers ${visibleJson(rule, "one-line")}\n`);
  if (keeps !== undefined) io.stderr.write(`  [a] remembers ${visibleText(keeps)}\n`);
  const canRemember = remember.length > 0 || keeps !== undefined;
  const always = canRemember ? "[a] always, " : "";
  while (true) {
    io.stderr.write(`Allow? [y] once, [s] the same again in this session, ${always}[n] no, or say why not: `);
    const answer = await io.stdin.readLine();
    if (answer === undefined) return { decision: "deny", reason: "The user ended the input." };
    const text = answer.trim();
    if (/^(y|yes)$/i.test(text)) return { decision: "allow_once" };
    if (/^(s|session)$/i.test(text)) return { decision: "allow_session" };
    if (/^(a|always)$/i.test(text) && canRemember) return { decision: "allow_always" };
    if (/^(n|no)$/i.test(text)) return { decision: "deny" };
    if (text.length > 1) return { decision: "deny", reason: `The user said: ${text}` };
  }
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
