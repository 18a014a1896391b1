// The only way out of the sandbox: an HTTP proxy that connects to granted hosts and to nothing else.
import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, isIP, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";
import { createHostList, type HostList, isLocalAddress } from "./host-list.ts";

export interface HostProxy {
  /** The port; undefined on a socket file. */
  readonly port: number | undefined;
  close(): Promise<void>;
}

export interface ProxyOptions {
  readonly allowHosts: readonly string[];
  /** A socket file, or a port of this machine that the system chooses. */
  readonly listen: { readonly socket: string } | "loopback";
  /** The address of a host. */
  readonly resolve?: (host: string) => Promise<string>;
  /** Addresses of this machine. */
  readonly own?: () => readonly string[];
}

class Refusal extends Error {}

/** @effects listens until `close`; connects to granted hosts */
export async function startProxy(options: ProxyOptions): Promise<HostProxy> {
  const gate = new Gate(
    createHostList(options.allowHosts),
    options.resolve ?? addressOf,
    options.own ?? ownAddresses,
  );
  const sockets = new Set<Duplex>();
  const server = createServer((incoming, response) => void forward(gate, incoming, response));
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  });
  server.on("connect", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    void tunnel(gate, incoming, socket, head);
  });
  await listening(server, options.listen);
  const address = server.address();
  return {
    port: typeof address === "object" ? address?.port : undefined,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function listening(server: Server, place: ProxyOptions["listen"]): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    if (place === "loopback") server.listen(0, "127.0.0.1", resolve);
    else server.listen(place.socket, resolve);
  });
}

async function addressOf(host: string): Promise<string> {
  return (await lookup(host)).address;
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => address),
  );
}

/** Decides, and says where to connect to: the address that was checked, not the name again. */
class Gate {
  readonly #hosts: HostList;
  readonly #resolve: (host: string) => Promise<string>;
  readonly #own: () => readonly string[];

  constructor(hosts: HostList, resolve: (host: string) => Promise<string>, own: () => readonly string[]) {
    this.#hosts = hosts;
    this.#resolve = resolve;
    this.#own = own;
  }

  /** @error Refusal */
  async address(host: string, port: number): Promise<string> {
    if (!this.#hosts.allows(host, port)) {
      throw new Refusal(`${host}:${port} is not granted; the user can add it to sandbox.network.allowHosts`);
    }
    const address = isIP(host) > 0 ? host : await this.#resolve(host);
    const isNamed = isIP(host) > 0 || host === "localhost";
    if (isLocalAddress(address, this.#own()) && !isNamed)
      throw new Refusal(`${host} leads to the local address ${address}`);
    return address;
  }
}

async function tunnel(
  gate: Gate,
  { url = "" }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const fail = (error: unknown) => {
    const [status, reason] = failure(error);
    socket.end(`HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${reason}\n`);
  };
  try {
    const target = new URL(`http://${url}`);
    const port = Number(/:(\d+)$/.exec(url)?.[1] ?? 443);
    const upstream = connect(port, await gate.address(target.hostname, port));
    upstream.once("error", fail);
    upstream.once("connect", () => {
      upstream.off("error", fail);
      upstream.on("error", () => socket.destroy());
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
    socket.on("close", () => upstream.destroy());
    upstream.on("close", () => socket.destroy());
  } catch (error) {
    fail(error);
  }
}

async function forward(gate: Gate, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const fail = (error: unknown) => {
    const [status, reason] = failure(error);
    if (response.headersSent) response.destroy();
    else response.writeHead(Number(status.slice(0, 3)), { "content-type": "text/plain" }).end(`${reason}\n`);
  };
  try {
    const url = new URL(incoming.url ?? "");
    if (url.protocol !== "http:") throw new Refusal("only http:// is forwarded; use CONNECT for the rest");
    const port = Number(url.port || 80);
    const host = await gate.address(url.hostname, port);
    const { "proxy-connection": _, "proxy-authorization": __, ...headers } = incoming.headers;
    const upstream = request(
      {
        host,
        port,
        path: url.pathname + url.search,
        method: incoming.method,
        headers: { ...headers, host: url.host },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    upstream.once("error", fail);
    response.once("close", () => upstream.destroy());
    incoming.pipe(upstream);
  } catch (error) {
    fail(error);
  }
}

function failure(error: unknown): [status: string, reason: string] {
  if (error instanceof Refusal) return ["403 Forbidden", `codelia: ${error.message}`];
  const reason = error instanceof Error ? error.message : String(error);
  return [error instanceof TypeError ? "400 Bad Request" : "502 Bad Gateway", `codelia: ${reason}`];
}
