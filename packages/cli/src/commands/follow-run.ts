// Starts a run and shows it: progress and questions on standard error, the answer on standard output.
import type { Client, Params, Result } from "@codelia/protocol";
import { pipedText, visibleText } from "@codelia/shared-types";
import type { CliIo } from "../io.ts";
import { Progress } from "../render/index.ts";
import { exitCodeOf } from "./exit-code-of.ts";
import { follow } from "./follow.ts";

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
  const result = await follow<"run.start", Result<"run.start">>(io, {
    begin: (channel) => client.call("run.start", params, channel),
    json,
    progress: new Progress(io.stderr, io.clock),
    runIn: (event) => (event.type === "run.started" ? event.run_id : undefined),
    cancel: (run_id) => void client.call("run.cancel", { run_id }),
  });
  if (!json) showResult(result, io);
  return exitCodeOf(result);
}

function showResult(result: Result<"run.start">, io: CliIo): void {
  const text = io.stdout.isTTY ? visibleText(result.text) : pipedText(result.text);
  if (text !== "") io.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  if (result.error !== undefined) io.stderr.write(`codelia: ${visibleText(result.error)}\n`);
  if (result.hint !== undefined) io.stderr.write(`${visibleText(result.hint)}\n`);
  if (result.status === "interrupted") io.stderr.write("codelia: interrupted\n");
  if (result.status !== "done") io.stderr.write(`Go on with: codelia run --resume ${result.session_id}\n`);
}
