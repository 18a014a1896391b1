// The typed client: the same interface as in one process, over a transport.
import type { z } from "zod";
import { checkedParams, checkedResult } from "../checked.ts";
import { emitTo } from "../emit-to.ts";
import { ProtocolError } from "../error.ts";
import { ProtocolEventSchema } from "../event-schema.ts";
import { describeIssues } from "../issues.ts";
import type { CallChannel, Channel, Client, Method, Params, Result } from "../methods.ts";
import { allSchemas } from "./all-schemas.ts";
import { quoted } from "./errors.ts";
import { AnyEventParamsSchema, askedQuestions, eventMethod } from "./events.ts";
import {
  type InitializeParams,
  type InitializeResult,
  InitializeResultSchema,
  initializeMethod,
  protocolVersion,
} from "./handshake.ts";
import { clientLimits, type WireLimits } from "./limits.ts";
import type { Id } from "./messages.ts";
import { type IncomingRequest, Peer } from "./peer.ts";
import type { Transport } from "./transport.ts";

export interface ConnectOptions {
  /** The program that connects. */
  readonly client: { readonly name: string; readonly version: string };
  readonly limits?: Partial<WireLimits>;
  /** Told of what the server did wrong, and of what it says that this side did. */
  readonly onFault?: (error: ProtocolError) => void;
}

export interface WireClient extends Client {
  /** What the server said of itself. */
  readonly server: InitializeResult;
  /** Ends the connection: the server cancels what was started. Returns when the transport is closed. */
  close(): Promise<void>;
}

/**
 * @output a client; a call whose channel is aborted is cancelled, and has its result nevertheless
 * @error  ProtocolError: `unsupported` when the server speaks another version, `disconnected` when it is gone
 */
export async function connect(transport: Transport, options: ConnectOptions): Promise<WireClient> {
  const connection = new ClientConnection(transport, options);
  const server = await connection.initialize(options.client);
  return {
    server,
    call: (method, params, channel = {}) => connection.call(method, params, channel),
    close: () => connection.close(),
  };
}

interface OpenCall {
  readonly channel: Partial<Channel>;
  lastSeq: number;
}

class ClientConnection {
  readonly #peer: Peer;
  readonly #ended: Promise<unknown>;
  readonly #calls = new Map<Id, OpenCall>();

  constructor(transport: Transport, { limits, onFault = () => undefined }: ConnectOptions) {
    this.#peer = new Peer({
      transport,
      limits: { ...clientLimits, ...limits },
      idPrefix: "c",
      onRequest: (request) => this.#answer(request),
      onNotification: (method, params) => this.#hear(method, params),
      onFault,
    });
    this.#ended = this.#peer.run();
  }

  async initialize(client: InitializeParams["client"]): Promise<InitializeResult> {
    const params: InitializeParams = {
      protocol_version: protocolVersion,
      client,
      // Whether a person can be asked is known call by call; a call without anybody says so when it is asked.
      capabilities: { ui: ["confirm", "pick", "prompt"] },
    };
    const result = InitializeResultSchema.safeParse(
      await this.#peer.request({ method: initializeMethod, params, whenCancelled: "wait" }).result,
    );
    if (result.success) return result.data;
    const error = new ProtocolError("unsupported", `${initializeMethod}: ${describeIssues(result.error)}`);
    this.#peer.fail(error);
    throw error;
  }

  async call<M extends Method>(method: M, params: Params<M>, channel: CallChannel<M>): Promise<Result<M>> {
    const { id, result } = this.#peer.request({
      method,
      params: checkedParams(method, allSchemas[method], params),
      signal: channel.signal,
      whenCancelled: "wait",
    });
    this.#calls.set(id, { channel: { ...channel, emit: emitTo(method, channel) }, lastSeq: 0 });
    try {
      return checkedResult(method, allSchemas[method], await result);
    } finally {
      this.#calls.delete(id);
    }
  }

  async close(): Promise<void> {
    this.#peer.end();
    await this.#ended;
  }

  #hear(method: string, params: unknown): void {
    if (method !== eventMethod) {
      throw new ProtocolError("unknown_method", `there is no notification ${quoted(method)}`);
    }
    const any = AnyEventParamsSchema.safeParse(params);
    if (!any.success) throw new ProtocolError("invalid_params", `event: ${describeIssues(any.error)}`);
    const { request_id, seq, event } = any.data;
    const call = this.#calls.get(request_id);
    if (call === undefined) throw new ProtocolError("unknown_id", "an event belongs to no call");
    call.lastSeq += 1;
    if (seq !== call.lastSeq) {
      this.#peer.fail(new ProtocolError("internal", `event ${call.lastSeq} is missing: ${seq} came instead`));
      return;
    }
    const known = ProtocolEventSchema.safeParse(event);
    if (!known.success) throw new ProtocolError("invalid_params", `event: ${describeIssues(known.error)}`);
    call.channel.emit?.(known.data);
  }

  async #answer({ method, params, signal }: IncomingRequest): Promise<unknown> {
    switch (method) {
      case "ui.confirm": {
        const { channel, question } = this.#asked(askedQuestions[method].safeParse(params));
        return await (channel.confirm ?? nobody)(question, signal);
      }
      case "ui.pick": {
        const { channel, question } = this.#asked(askedQuestions[method].safeParse(params));
        return await (channel.pick ?? nobody)(question, signal);
      }
      case "ui.prompt": {
        const { channel, question } = this.#asked(askedQuestions[method].safeParse(params));
        return await (channel.prompt ?? nobody)(question, signal);
      }
      default:
        throw new ProtocolError("unknown_method", `there is no question ${quoted(method)}`);
    }
  }

  #asked<Q>(parsed: z.ZodSafeParseResult<{ request_id: Id; question: Q }>): {
    channel: Partial<Channel>;
    question: Q;
  } {
    if (!parsed.success) throw new ProtocolError("invalid_params", describeIssues(parsed.error));
    const call = this.#calls.get(parsed.data.request_id);
    if (call === undefined) throw new ProtocolError("unknown_id", "a question belongs to no call");
    return { channel: call.channel, question: parsed.data.question };
  }
}

function nobody(): never {
  throw new ProtocolError("no_user", "nobody can be asked");
}
