// A run and whoever started it: the one waits for the other, but not longer than it runs.
import { type Channel, UnansweredQuestion } from "@codelia/protocol";
import type { ModelConnection } from "@codelia/shared-types";

/** A model that says no more than its listener takes. */
export function paced(connection: ModelConnection, { room }: Pick<Channel, "room">): ModelConnection {
  if (room === undefined) return connection;
  return {
    id: connection.id,
    contextWindow: connection.contextWindow,
    async *stream(request, signal) {
      for await (const part of connection.stream(request, signal)) {
        yield part;
        await room(signal);
      }
    },
  };
}

/** @output asks no longer than the signal allows: a run that is cancelled does not wait for an answer */
export function untilAborted(
  confirm: Channel["confirm"],
  signal: AbortSignal,
): NonNullable<Channel["confirm"]> | undefined {
  if (confirm === undefined) return undefined;
  return (question) =>
    new Promise((resolve, reject) => {
      const onAbort = () => reject(new UnansweredQuestion());
      const end = () => signal.removeEventListener("abort", onAbort);
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort);
      confirm(question, signal)
        .then(resolve, (error: unknown) => (signal.aborted ? onAbort() : reject(error)))
        .finally(end);
    });
}
