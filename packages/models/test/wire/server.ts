// A model provider on this computer: checks every request against the published format, then answers from a script.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Fetch } from "@codelia/models";
import type { z } from "zod";

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Each piece is written by itself. */
  readonly body: readonly (string | Uint8Array)[];
  /**
   * What follows the body: its end, a broken connection, nothing, or the last piece again and again. A mute server
   * does not even begin to answer.
   */
  readonly ending?: "end" | "break" | "silence" | "repeat" | "mute";
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  readonly text: string;
}

export class WireServer implements AsyncDisposable {
  readonly requests: SeenRequest[] = [];
  /** How requests differed from the published format. */
  readonly violations: string[] = [];
  /** Resolves when a client went away before the answer was complete. */
  readonly left: Promise<void>;
  readonly #server: Server;
  readonly #schema: z.ZodType;
  readonly #replies: Reply[];
  #leave: () => void = () => undefined;

  private constructor(schema: z.ZodType, replies: readonly Reply[]) {
    this.#schema = schema;
    this.#replies = [...replies];
    this.left = new Promise((resolve) => {
      this.#leave = resolve;
    });
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(schema: z.ZodType, ...replies: readonly Reply[]): Promise<WireServer> {
    const server = new WireServer(schema, replies);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get origin(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${isAddress(address) ? address.port : 0}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const { method = "", url = "", headers } = request;
    this.requests.push({ method, path: url, headers, body, text });
    const checked = this.#schema.safeParse(body);
    if (!checked.success) this.violations.push(checked.error.message);
    response.on("close", () => {
      if (!response.writableEnded) this.#leave();
    });
    await answer(response, this.#replies.shift() ?? { status: 500, body: ["there is no reply left"] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function answer(
  response: ServerResponse,
  { status = 200, headers, body, ending = "end" }: Reply,
): Promise<void> {
  if (ending === "mute") return;
  const type = status === 200 ? "text/event-stream" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  response.flushHeaders();
  for (const piece of body) {
    response.write(piece);
    await turn();
  }
  const last = body.at(-1) ?? "";
  if (ending === "repeat") {
    while (!response.destroyed) {
      response.write(last);
      await turn();
    }
  }
  if (ending === "end") response.end();
  if (ending === "break") response.destroy();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}

/** A fetch whose answers arrive byte by byte: cuts every character of several bytes and every frame. */
export async function bytewiseFetch(...request: Parameters<Fetch>): Promise<Response> {
  const { status, headers, body } = await fetch(...request);
  async function* bytes() {
    if (body === null) return;
    for await (const chunk of body) for (const byte of new Uint8Array(chunk)) yield Uint8Array.of(byte);
  }
  return new Response(bytes(), { status, headers });
}

/** Server-sent events, named by their type where the format does so. */
export function events(values: readonly object[], named: boolean): string {
  return values
    .map((value) => {
      const name = named && "type" in value ? `event: ${String(value.type)}\n` : "";
      return `${name}data: ${JSON.stringify(value)}\n\n`;
    })
    .join("");
}
