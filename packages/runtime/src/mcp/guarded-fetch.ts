// Requests to a server on the network: answers end at a size, an endless stream of events is noticed, and what says who
// one is goes to the address that was approved and to no other.
import type { Fetch } from "@codelia/models";
import type { FetchLike } from "@modelcontextprotocol/client";
import { BoundedLines } from "./bounded-lines.ts";

const maxBytes = 16 * 1024 * 1024;
const maxHops = 5;

export interface FetchGuard {
  readonly fetch: Fetch;
  readonly now: () => number;
  /** Called when an answer was cut off because it was too much. */
  readonly onFlood: (why: string) => void;
}

export function guardedFetch({ fetch, now, onFlood }: FetchGuard): FetchLike {
  return async (url, init) => {
    const response = await (saysWho(init) ? fetchWithin(fetch, new URL(url), init) : fetch(url, init));
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

// Those of the protocols themselves; any other was given for this server.
const plainHeaders = /^(?:accept|content-type|last-event-id|mcp-[\w-]+|user-agent)$/;

function saysWho(init: RequestInit | undefined): boolean {
  return [...new Headers(init?.headers).keys()].some((name) => !plainHeaders.test(name));
}

/** @error when it is sent to another origin: `fetch` itself would take all headers but Authorization there */
async function fetchWithin(fetch: Fetch, start: URL, init: RequestInit | undefined): Promise<Response> {
  let url = start;
  for (let hops = 0; hops <= maxHops; hops += 1) {
    const response = await fetch(url, { ...init, redirect: "manual" });
    const target = redirectOf(response, init?.method ?? "GET");
    if (target === undefined) return response;
    await response.body?.cancel();
    const next = new URL(target, url);
    if (next.origin !== start.origin)
      throw new Error(`it sends to another address, which was not approved: ${next.origin}`);
    url = next;
  }
  throw new Error("it sends from one address to another without an end");
}

/** A redirect that would turn a POST into a GET is an answer. */
function redirectOf({ status, headers }: Response, method: string): string | undefined {
  const keepsMethod = status === 307 || status === 308;
  const isRedirect = keepsMethod || (method === "GET" && [301, 302, 303].includes(status));
  return isRedirect ? (headers.get("location") ?? undefined) : undefined;
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
