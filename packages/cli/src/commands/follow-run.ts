// Starts a run and shows it: progress and questions on standard error, the answer on standard output.
import type { Client, Params, Result } from "@codelia/protocol";
import { pipedText, visibleJson, visibleText } from "@codelia/shared-types";
import type { CliIo } from "../io.ts";
import { Progress } from "../render/index.ts";
import { askPermission } from "./ask-permission.ts";
import { exitCodeOf } from "./exit-code-of.ts";

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
      emit: (event) => {
        if (event.type === "run.started") runId = event.run_id;
        sequence += 1;
        if (json) io.stdout.write(`${visibleJson({ seq: sequence, ...event }, "one-line")}\n`);
        else progress.show(event);
      },
      confirm: canAsk
        ? (question) => {
            progress.stop();
            return askPermission(question, io);
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
