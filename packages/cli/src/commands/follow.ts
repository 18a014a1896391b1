// Follows a call that runs for long: its events as progress or as lines of JSON, its questions, and an interrupt.
import type { CallChannel, EventOf, Method } from "@codelia/protocol";
import { visibleJson } from "@codelia/shared-types";
import type { CliIo } from "../io.ts";
import { askPermission } from "./ask-permission.ts";

export interface Following<M extends Method, Outcome> {
  /** The call. */
  readonly begin: (channel: CallChannel<M>) => Promise<Outcome>;
  /** One event a line on standard output instead of words. */
  readonly json: boolean;
  readonly progress: { show(event: EventOf<M>): void; stop(): void };
  /** The run that an event tells the id of, if it does. */
  readonly runIn: (event: EventOf<M>) => string | undefined;
  /** What an interrupt does, once the run's id is known. */
  readonly cancel: (runId: string) => void;
}

/** @effects writes; asks where there is a terminal to ask in */
export async function follow<M extends Method, Outcome>(
  io: CliIo,
  { begin, json, progress, runIn, cancel }: Following<M, Outcome>,
): Promise<Outcome> {
  let sequence = 0;
  let runId: string | undefined;
  const stopListening = io.onInterrupt(() => {
    if (runId !== undefined) cancel(runId);
  });
  const canAsk = io.stdin.isTTY && io.stderr.isTTY;
  try {
    return await begin({
      emit: (event) => {
        runId = runIn(event) ?? runId;
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
  } finally {
    stopListening();
    progress.stop();
  }
}
