// A real HTTP server on the loopback address, closed with all its connections at the end of the test.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export class LoopbackServer implements AsyncDisposable {
  readonly #server: Server;
  readonly url: string;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(handler: Handler): Promise<LoopbackServer> {
    const server = createServer(handler);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const { port }: Pick<AddressInfo, "port"> =
      typeof address === "object" && address ? address : { port: 0 };
    return new LoopbackServer(server, port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function respond(
  type: string | undefined,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Handler {
  return (_, response) => {
    response.writeHead(200, { ...(type === undefined ? {} : { "content-type": type }), ...headers });
    response.end(body);
  };
}
