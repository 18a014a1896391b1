// The requests that this side has sent, until they are answered.
import { ProtocolError } from "../error.ts";
import { cancelMethod, encodeMessage, type Id, type Message } from "./messages.ts";

export interface SentRequest {
  readonly id: Id;
  /** @error ProtocolError: the other side's, or `disconnected` */
  readonly result: Promise<unknown>;
}

export interface Asking {
  readonly method: string;
  readonly params: unknown;
  /** Aborted: the other side is told that the request is cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** What a cancelled request does: `wait` for its answer, as if nothing were, or `leave` at once. */
  readonly whenCancelled: "wait" | "leave";
}

/** Answers that come late are few; what is older than these was never going to come. */
const maxAbandoned = 1000;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: ProtocolError) => void;
}

export class SentRequests {
  readonly #idPrefix: string;
  readonly #maxBytes: number;
  readonly #send: (line: Uint8Array) => void;
  readonly #pending = new Map<Id, Pending>();
  /** Those whose answers nobody waits for any more, the oldest first. */
  readonly #abandoned = new Set<Id>();
  #lastId = 0;
  #ended: ProtocolError | undefined;

  constructor(idPrefix: string, maxBytes: number, send: (line: Uint8Array) => void) {
    this.#idPrefix = idPrefix;
    this.#maxBytes = maxBytes;
    this.#send = send;
  }

  ask(asking: Asking): SentRequest {
    this.#lastId += 1;
    const id = `${this.#idPrefix}${this.#lastId}`;
    return { id, result: this.#result(id, asking) };
  }

  /** @output false: nothing was asked under this id, or it was answered already */
  settle(id: Id, outcome: { readonly result: unknown } | { readonly error: ProtocolError }): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return this.#abandoned.delete(id);
    if ("error" in outcome) pending.reject(outcome.error);
    else pending.resolve(outcome.result);
    return true;
  }

  /** Nothing is answered any more. */
  end(reason: ProtocolError): void {
    this.#ended = reason;
    for (const { reject } of this.#pending.values()) reject(reason);
  }

  #result(id: Id, { method, params, signal, whenCancelled }: Asking): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const request: Message = { jsonrpc: "2.0", id, method, params };
    const line = encodeMessage(request);
    if (line.length > this.#maxBytes) return Promise.reject(tooLarge(method, line.length));
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#send(encodeMessage({ jsonrpc: "2.0", method: cancelMethod, params: { id } }));
        if (whenCancelled === "wait") return;
        this.#abandon(id);
        settle(() => reject(new ProtocolError("disconnected", `${method} was cancelled`)));
      };
      const settle = (outcome: () => void) => {
        this.#pending.delete(id);
        signal?.removeEventListener("abort", onAbort);
        outcome();
      };
      this.#pending.set(id, {
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      });
      this.#send(line);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener("abort", onAbort);
    });
  }

  #abandon(id: Id): void {
    this.#abandoned.add(id);
    const [oldest] = this.#abandoned;
    if (this.#abandoned.size > maxAbandoned && oldest !== undefined) this.#abandoned.delete(oldest);
  }
}

export function tooLarge(what: string, bytes: number): ProtocolError {
  return new ProtocolError(
    "too_large",
    `${what}: ${bytes} bytes are more than one message may have`,
    "Ask for less, page by page, or send less at once.",
  );
}
