// Requests to a server on the network: answers end at a size, and an endless stream of events is noticed.
import type { Fetch } from "@codelia/models";
import type { FetchLike } from "@modelcontextprotocol/client";
import { BoundedLines } from "./bounded-lines.ts";

const maxBytes = 16 * 1024 * 1024;

export interface FetchGuard {
  readonly fetch: Fetch;
  readonly now: () => number;
  /** Called when an answer was cut off because it was too much. */
  readonly onFlood: (why: string) => void;
}

export function guardedFetch({ fetch, now, onFlood }: FetchGuard): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { body } = response;
    if (body === null) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const count = isStream ? eventCounter(now) : byteCounter();
    const bounded = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          try {
            count(chunk);
            controller.enqueue(chunk);
          } catch (error) {
            onFlood(error instanceof Error ? error.message : String(error));
            controller.error(error);
          }
        },
      }),
    );
    return new Response(bounded, response);
  };
}

function byteCounter(): (chunk: Uint8Array) => void {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`it sent an answer of more than ${maxBytes} bytes`);
  };
}

/** Every line of events counts: what answers a request has few. */
function eventCounter(now: () => number): (chunk: Uint8Array) => void {
  const lines = new BoundedLines(now);
  return (chunk) => {
    for (const line of lines.push(chunk)) if (line.startsWith("data:")) lines.countUnasked();
  };
}
