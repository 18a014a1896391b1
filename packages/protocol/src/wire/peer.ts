// One end of a connection: reads messages and answers requests, sends requests and waits for answers. Both ends are alike.
import { ProtocolError } from "../error.ts";
import { describeIssues } from "../issues.ts";
import { decodeLine } from "./decode.ts";
import { protocolErrorOf, quoted, wireError } from "./errors.ts";
import type { WireLimits } from "./limits.ts";
import { type Line, LineReader } from "./lines.ts";
import {
  CancelParamsSchema,
  cancelMethod,
  encodeMessage,
  type Id,
  type Message,
  type Request,
  readMessage,
} from "./messages.ts";
import { Outbox } from "./outbox.ts";
import { type Asking, type SentRequest, SentRequests, tooLarge } from "./sent-requests.ts";
import type { Transport } from "./transport.ts";

export interface PeerOptions {
  readonly transport: Transport;
  readonly limits: WireLimits;
  /** Before the number in the ids of this side's requests. */
  readonly idPrefix: string;
  /** @output the result @error ProtocolError; anything else is told as an internal error */
  readonly onRequest: (request: IncomingRequest) => Promise<unknown>;
  /** @error ProtocolError for what is not understood */
  readonly onNotification: (method: string, params: unknown) => void;
  /** What the other side did wrong, or says that this side did. Not an end. */
  readonly onFault: (error: ProtocolError) => void;
}

export interface IncomingRequest {
  readonly id: Id;
  readonly method: string;
  readonly params: unknown;
  /** Aborted when the other side cancels the request, or is gone. */
  readonly signal: AbortSignal;
}

interface Work {
  readonly abort: AbortController;
  readonly answered: Promise<void>;
}

export class Peer {
  readonly #options: PeerOptions;
  readonly #outbox: Outbox;
  readonly #sent: SentRequests;
  /** Requests of the other side, by `keyOf` their ids. */
  readonly #working = new Map<string, Work>();
  #failure: ProtocolError | undefined;
  #isEnded = false;
  /** The other side says nothing more. */
  readonly #atEnd = new AbortController();
  #stopReading: () => void = () => undefined;

  constructor(options: PeerOptions) {
    const { transport, limits, idPrefix } = options;
    this.#options = options;
    this.#outbox = new Outbox({ transport, limits, onFailure: (error) => this.fail(error) });
    this.#sent = new SentRequests(idPrefix, limits.maxSentBytes, (line) => this.#outbox.send(line));
  }

  /**
   * Reads until the other side is gone, then ends what it had begun.
   * @output why the connection was ended; absent: in order
   */
  async run(): Promise<ProtocolError | undefined> {
    const { transport, limits } = this.#options;
    const reader = new LineReader(limits.maxFrameBytes);
    const incoming = transport.incoming[Symbol.asyncIterator]();
    let ahead = this.#read(incoming);
    for (;;) {
      const chunk = await this.#unlessEnded(ahead);
      if (chunk === undefined) break;
      ahead = this.#read(incoming);
      for (const line of reader.push(chunk)) await this.#take(line);
    }
    for (const line of reader.end()) await this.#take(line);
    this.#stop(disconnected());
    // What was begun is ended, and what there is to say about it is said, as far as somebody listens.
    await Promise.all([...this.#working.values()].map(({ answered }) => answered));
    await this.#outbox.finish(limits.lingerMs);
    transport.close();
    return this.#failure;
  }

  /** Ends the connection in order: the other side finds that this one is gone. */
  end(): void {
    this.#stop(disconnected());
    this.#stopReading();
  }

  /** Ends the connection because of a fault. The other side is told why, if it listens. */
  fail(error: ProtocolError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#stop(error);
    this.#outbox.close(encodeMessage({ jsonrpc: "2.0", id: null, error: wireError(error) }));
    this.#stopReading();
  }

  request(asking: Asking): SentRequest {
    return this.#sent.ask(asking);
  }

  notify(method: string, params: unknown): void {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  /** Returns when the other side has taken enough of what it was sent. */
  room(signal?: AbortSignal): Promise<void> {
    return this.#outbox.room(signal);
  }

  /**
   * Tells the other side what it did wrong.
   * @input id: the request that this answers; about: the message that it is about, where it is no answer
   */
  complain(error: ProtocolError, id?: Id, about?: Id): void {
    this.#options.onFault(error);
    this.#send({ jsonrpc: "2.0", id: id ?? null, error: wireError(error, about) });
  }

  /**
   * Begun before it is needed: that the other side is gone is noticed also while nothing is taken from it.
   * @output undefined when there is no more to read
   */
  async #read(incoming: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
    try {
      const next = await incoming.next();
      if (!next.done) return next.value;
    } catch (cause) {
      this.#failure ??= new ProtocolError("disconnected", "the connection broke", undefined, { cause });
    }
    this.#atEnd.abort();
    return undefined;
  }

  /** Not `Promise.race`: what waits for the end of the connection would keep every chunk of it. */
  #unlessEnded(ahead: Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    if (this.#isEnded) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#stopReading = () => resolve(undefined);
      void ahead.then(resolve);
    });
  }

  #stop(reason: ProtocolError): void {
    this.#isEnded = true;
    this.#sent.end(reason);
    for (const { abort } of this.#working.values()) abort.abort();
  }

  async #take(line: Line): Promise<void> {
    if (this.#isEnded) return;
    const decoded = decodeLine(line, this.#options.limits);
    if (decoded === "blank") return;
    if ("fault" in decoded) this.complain(decoded.fault);
    else this.#dispatch(decoded.value);
    // Who does not read what it is sent is not read from.
    await this.#outbox.room(this.#atEnd.signal);
  }

  #dispatch(value: unknown): void {
    const received = readMessage(value);
    switch (received.kind) {
      case "invalid":
        this.complain(noMessage(received.problem), received.id);
        return;
      case "request":
        this.#work(received.message);
        return;
      case "notification":
        this.#heed(received.message.method, received.message.params);
        return;
      case "result": {
        const { id, result } = received.message;
        if (!this.#sent.settle(id, { result })) this.complain(unknownId(id), undefined, id);
        return;
      }
      case "failure": {
        const { id, error } = received.message;
        const told = protocolErrorOf(error);
        // It is about a message of this side that has no id. To answer it could go on for ever.
        if (id === null) this.#options.onFault(told);
        else if (!this.#sent.settle(id, { error: told })) this.complain(unknownId(id), undefined, id);
      }
    }
  }

  #work({ id, method, params }: Request): void {
    const key = keyOf(id);
    if (this.#working.has(key)) {
      // Under no id: the first request's answer is still to come, and must be the only one.
      this.complain(duplicateId(id), undefined, id);
      return;
    }
    if (this.#working.size >= this.#options.limits.maxRequests) {
      const most = `${this.#working.size} requests are being worked on, and no more are taken`;
      this.complain(new ProtocolError("busy", most, "Wait for some of them."), id);
      return;
    }
    const abort = new AbortController();
    const answered = this.#answer({ id, method, params, signal: abort.signal }).finally(() => {
      this.#working.delete(key);
    });
    this.#working.set(key, { abort, answered });
  }

  async #answer(request: IncomingRequest): Promise<void> {
    const { id } = request;
    // A request is known to be worked on before it begins, so that it can be cancelled at once.
    await Promise.resolve();
    try {
      const result = await this.#options.onRequest(request);
      const line = encodeMessage({ jsonrpc: "2.0", id, result });
      if (line.length > this.#options.limits.maxSentBytes) throw tooLarge("the result", line.length);
      this.#outbox.send(line);
    } catch (error) {
      this.#send({ jsonrpc: "2.0", id, error: wireError(asProtocolError(error)) });
    }
  }

  #heed(method: string, params: unknown): void {
    try {
      if (method === cancelMethod) this.#cancel(params);
      else this.#options.onNotification(method, params);
    } catch (error) {
      // Nobody may answer a notification.
      this.#options.onFault(asProtocolError(error));
    }
  }

  /** Of a request that was answered meanwhile there is nothing to cancel: no fault of anybody. */
  #cancel(params: unknown): void {
    const cancel = CancelParamsSchema.safeParse(params);
    if (!cancel.success) {
      throw new ProtocolError("invalid_params", `${cancelMethod}: ${describeIssues(cancel.error)}`);
    }
    this.#working.get(keyOf(cancel.data.id))?.abort.abort();
  }

  #send(message: Message): void {
    this.#outbox.send(encodeMessage(message));
  }
}

/** 1 and "1" are two ids. */
function keyOf(id: Id): string {
  return `${typeof id} ${id}`;
}

function disconnected(): ProtocolError {
  return new ProtocolError("disconnected", "the other side is gone");
}

function noMessage(problem: string): ProtocolError {
  return new ProtocolError(
    "invalid_request",
    `this is no message of JSON-RPC 2.0: ${problem}`,
    'Send one object a line: {"jsonrpc": "2.0", "id": 1, "method": "…", "params": {…}}',
  );
}

function duplicateId(id: Id): ProtocolError {
  const problem = `a request with the id ${quoted(String(id))} is being worked on`;
  return new ProtocolError("duplicate_id", problem, "Give every request an id of its own.");
}

function unknownId(id: Id): ProtocolError {
  const problem = `nothing was asked under the id ${quoted(String(id))}, or it was answered already`;
  return new ProtocolError(
    "unknown_id",
    problem,
    "Answer each question once, under the id that it came with.",
  );
}

function asProtocolError(cause: unknown): ProtocolError {
  if (cause instanceof ProtocolError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ProtocolError("internal", message, undefined, { cause });
}
