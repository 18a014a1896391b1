// Starts or resumes a run of a flow and shows it: progress and questions on standard error, outputs on standard output.
import type { CallChannel, Client, FlowOutcome } from "@codelia/protocol";
import { pipedText, visibleText } from "@codelia/shared-types";
import type { CliIo } from "../io.ts";
import { FlowProgress } from "../render/index.ts";
import { follow } from "./follow.ts";

export interface FollowFlowOptions {
  /** One event a line instead of words. */
  readonly json: boolean;
}

/**
 * @input  begin: the call that runs the flow
 * @effects writes; an interrupt stops the run, which then ends with a Result
 */
export function followFlow(
  client: Client,
  begin: (channel: CallChannel<"flow.start">) => Promise<FlowOutcome>,
  io: CliIo,
  { json }: FollowFlowOptions,
): Promise<FlowOutcome> {
  return follow<"flow.start", FlowOutcome>(io, {
    begin,
    json,
    progress: new FlowProgress(io.stderr, io.clock),
    runIn: (event) =>
      event.type === "flow.started" || event.type === "flow.work" ? event.run_id : undefined,
    cancel: (run_id) => void client.call("flow.cancel", { run_id }),
  });
}

export function showOutcome({ run_id, status, result, hint, work }: FlowOutcome, io: CliIo): void {
  if (Object.keys(result.outputs).length > 0) {
    const text = JSON.stringify(result.outputs, undefined, 2);
    io.stdout.write(`${io.stdout.isTTY ? visibleText(text) : pipedText(text)}\n`);
  }
  const { pull_request } = work?.done ?? {};
  if (pull_request !== undefined) io.stdout.write(`${visibleText(pull_request.url)}\n`);
  for (const line of (result.error ?? "").split("\n"))
    if (line !== "") io.stderr.write(`codelia: ${visibleText(line)}\n`);
  if (hint !== undefined) io.stderr.write(`${visibleText(hint)}\n`);
  if (run_id !== undefined && status !== "done" && status !== "indeterminate")
    io.stderr.write(`See what it did with: codelia agent logs ${run_id}\n`);
}
