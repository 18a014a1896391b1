// Serves the methods over a transport: JSON-RPC 2.0, one message a line.
import type { z } from "zod";
import { checkedParams, checkedResult } from "../checked.ts";
import { ProtocolError } from "../error.ts";
import type { ProtocolEvent } from "../event.ts";
import { methods } from "../groups/index.ts";
import { describeIssues } from "../issues.ts";
import type { Channel, Handlers, Method, Result } from "../methods.ts";
import { type Answer, type Ask, type QuestionMethod, questions } from "../ui.ts";
import { allSchemas } from "./all-schemas.ts";
import { quoted } from "./errors.ts";
import { EventParamsSchema, eventMethod } from "./events.ts";
import {
  type InitializeParams,
  InitializeParamsSchema,
  type InitializeResult,
  initializeMethod,
  protocolVersion,
} from "./handshake.ts";
import { serverLimits, type WireLimits } from "./limits.ts";
import type { Id } from "./messages.ts";
import { type IncomingRequest, Peer } from "./peer.ts";
import type { Transport } from "./transport.ts";

export interface ServeOptions {
  /** Of this program. */
  readonly version: string;
  readonly limits?: Partial<WireLimits>;
  /** Told of what the client did wrong. */
  readonly log?: (problem: string) => void;
  /** Aborted: the connection is ended. */
  readonly signal?: AbortSignal;
}

/**
 * Answers requests until the client is gone. What it had started is cancelled then, and has ended when this returns.
 * @output why the connection ended before the client did; absent: the client went
 * @effects those of the handlers; reads and writes the transport
 */
export async function serve(
  handlers: Handlers,
  transport: Transport,
  options: ServeOptions,
): Promise<ProtocolError | undefined> {
  const connection = new Connection(handlers, transport, options);
  const end = () => connection.peer.end();
  options.signal?.addEventListener("abort", end);
  try {
    return await connection.peer.run();
  } finally {
    options.signal?.removeEventListener("abort", end);
  }
}

class Connection {
  readonly peer: Peer;
  readonly #handlers: Handlers;
  readonly #version: string;
  readonly #limits: WireLimits;
  #client: InitializeParams | undefined;

  constructor(handlers: Handlers, transport: Transport, { version, limits, log }: ServeOptions) {
    this.#handlers = handlers;
    this.#version = version;
    this.#limits = { ...serverLimits, ...limits };
    this.peer = new Peer({
      transport,
      limits: this.#limits,
      idPrefix: "s",
      onRequest: (request) => this.#answer(request),
      onNotification: (method) => {
        throw new ProtocolError("unknown_method", `there is no notification ${quoted(method)}`);
      },
      onFault: ({ message }) => log?.(message),
    });
  }

  #answer(request: IncomingRequest): Promise<unknown> {
    const { method, params } = request;
    if (method === initializeMethod) return this.#initialize(params);
    if (this.#client === undefined) {
      throw new ProtocolError(
        "not_initialized",
        `${quoted(method)} comes before ${initializeMethod}`,
        `Send ${initializeMethod} first, and wait for its answer.`,
      );
    }
    if (!isMethod(method)) {
      throw new ProtocolError(
        "unknown_method",
        `there is no method ${quoted(method)}`,
        `The answer to ${initializeMethod} lists the methods.`,
      );
    }
    return this.#call(method, request, this.#client);
  }

  async #initialize(params: unknown): Promise<InitializeResult> {
    if (this.#client !== undefined) {
      throw new ProtocolError("invalid_request", "this connection is initialized already");
    }
    const parsed = InitializeParamsSchema.safeParse(params);
    if (!parsed.success) {
      throw new ProtocolError("invalid_params", `${initializeMethod}: ${describeIssues(parsed.error)}`);
    }
    const { protocol_version } = parsed.data;
    if (protocol_version !== protocolVersion) {
      throw new ProtocolError(
        "unsupported",
        `version ${protocol_version} of the protocol is not spoken here`,
        `This is codelia ${this.#version}, which speaks version ${protocolVersion}.`,
      );
    }
    this.#client = parsed.data;
    return {
      protocol_version: protocolVersion,
      server: { name: "codelia", version: this.#version },
      capabilities: {
        methods: Object.keys(methods),
        max_frame_bytes: this.#limits.maxFrameBytes,
        max_requests: this.#limits.maxRequests,
      },
    };
  }

  async #call<M extends Method>(
    method: M,
    { id, params, signal }: IncomingRequest,
    client: InitializeParams,
  ): Promise<Result<M>> {
    const checked = checkedParams(method, allSchemas[method], params ?? {});
    const { channel, end } = this.#open(id, signal, client);
    try {
      return checkedResult(method, allSchemas[method], await this.#handlers[method](checked, channel));
    } finally {
      end();
    }
  }

  /** A channel ends with its request: an event behind the answer would belong to nothing. */
  #open(id: Id, signal: AbortSignal, client: InitializeParams): { channel: Channel; end: () => void } {
    const { ui } = client.capabilities;
    let seq = 0;
    let isOpen = true;
    const emit = (event: ProtocolEvent) => {
      if (!isOpen) return;
      seq += 1;
      this.peer.notify(eventMethod, EventParamsSchema.parse({ request_id: id, seq, event }));
    };
    const channel: Channel = {
      emit,
      confirm: ui.includes("confirm") ? this.#ask("ui.confirm", id, signal) : undefined,
      pick: ui.includes("pick") ? this.#ask("ui.pick", id, signal) : undefined,
      prompt: ui.includes("prompt") ? this.#ask("ui.prompt", id, signal) : undefined,
      signal,
      room: (giveUp) => this.peer.room(giveUp),
    };
    return {
      channel,
      end: () => {
        isOpen = false;
      },
    };
  }

  /** A question ends with its request too. */
  #ask<Q extends QuestionMethod>(method: Q, id: Id, requestSignal: AbortSignal): Ask<Q> {
    return async (question, signal) => {
      const either = signal === undefined ? requestSignal : AbortSignal.any([requestSignal, signal]);
      const params = { request_id: id, question };
      const sent = this.peer.request({ method, params, signal: either, whenCancelled: "leave" });
      const answer = await sent.result;
      const parsed = schemas[method].answer.safeParse(answer);
      if (parsed.success) return parsed.data;
      const invalid = new ProtocolError("invalid_params", `${method}: ${describeIssues(parsed.error)}`);
      this.peer.complain(invalid);
      throw invalid;
    };
  }
}

function isMethod(method: string): method is Method {
  return Object.hasOwn(methods, method);
}

/** The table, with its types by question. */
const schemas: { readonly [Q in QuestionMethod]: { readonly answer: z.ZodType<Answer<Q>> } } = questions;
