// Starts a run and shows it: progress and questions on standard error, the answer on standard output.
import type { Client, ConfirmParams, ConfirmResult, Params, Result, RunEvent } from "@codelia/protocol";
import { pipedText, visibleJson, visibleName, visibleText } from "@codelia/shared-types";
import { type CliIo, exitCode } from "../io.ts";
import { Progress } from "../render/index.ts";

export interface FollowOptions {
  /** One event a line instead of words. */
  readonly json: boolean;
}

export async function followRun(
  client: Client,
  params: Params<"run.start">,
  io: CliIo,
  { json }: FollowOptions,
): Promise<number> {
  const progress = new Progress(io.stderr, io.clock);
  let sequence = 0;
  let runId: string | undefined;
  const stopListening = io.onInterrupt(() => {
    if (runId !== undefined) void client.call("run.cancel", { run_id: runId });
  });
  const canAsk = io.stdin.isTTY && io.stderr.isTTY;
  try {
    const result = await client.call("run.start", params, {
      emit: (event: RunEvent) => {
        if (event.type === "run.started") runId = event.run_id;
        sequence += 1;
        if (json) io.stdout.write(`${visibleJson({ seq: sequence, ...event }, "one-line")}\n`);
        else progress.show(event);
      },
      confirm: canAsk
        ? (question) => {
            progress.stop();
            return ask(question, io);
          }
        : undefined,
    });
    if (!json) showResult(result, io);
    return exitCodeOf(result);
  } finally {
    stopListening();
    progress.stop();
  }
}

function showResult(result: Result<"run.start">, io: CliIo): void {
  const text = io.stdout.isTTY ? visibleText(result.text) : pipedText(result.text);
  if (text !== "") io.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  if (result.error !== undefined) io.stderr.write(`codelia: ${visibleText(result.error)}\n`);
  if (result.hint !== undefined) io.stderr.write(`${visibleText(result.hint)}\n`);
  if (result.status === "interrupted") io.stderr.write("codelia: interrupted\n");
  if (result.status !== "done") io.stderr.write(`Go on with: codelia run --resume ${result.session_id}\n`);
}

function exitCodeOf({ status }: Result<"run.start">): number {
  switch (status) {
    case "done":
      return exitCode.done;
    case "failed":
      return exitCode.failed;
    case "needs_permission":
      return exitCode.needsPermission;
    case "limit":
      return exitCode.limit;
    case "interrupted":
      return exitCode.interrupted;
  }
}

async function ask(
  { tool, detail, preview, why, remember = [] }: ConfirmParams,
  io: CliIo,
): Promise<ConfirmResult> {
  io.stderr.write(`\n${visibleName(tool)} wants to do this:\n${indent(visibleText(detail))}\n`);
  if (preview !== undefined) io.stderr.write(`${indent(visibleText(preview))}\n`);
  io.stderr.write(`It is asked because ${visibleText(why)}.\n`);
  // What would be stored is shown as it would be stored, before anybody says yes to it.
  for (const rule of remember) io.stderr.write(`  [a] remembers ${visibleJson(rule, "one-line")}\n`);
  const always = remember.length === 0 ? "" : "[a] always, ";
  while (true) {
    io.stderr.write(`Allow? [y] once, [s] the same again in this session, ${always}[n] no, or say why not: `);
    const answer = await io.stdin.readLine();
    if (answer === undefined) return { decision: "deny", reason: "The user ended the input." };
    const text = answer.trim();
    if (/^(y|yes)$/i.test(text)) return { decision: "allow_once" };
    if (/^(s|session)$/i.test(text)) return { decision: "allow_session" };
    if (/^(a|always)$/i.test(text) && remember.length > 0) return { decision: "allow_always" };
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
