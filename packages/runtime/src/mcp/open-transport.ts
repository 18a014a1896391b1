// The way to a server: a process of ours behind pipes, or an address.
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type Transport,
} from "@modelcontextprotocol/client";
import { type ConfiguredServer, type HttpConfigured, isHttp, isStdio } from "./configured-server.ts";
import type { ConnectionPlace } from "./connection-place.ts";
import { McpError } from "./error.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { createOAuthProvider } from "./oauth-provider.ts";
import { ServerProcess } from "./server-process.ts";
import { StdioTransport } from "./stdio-transport.ts";

export interface OpenTransport {
  readonly transport: Transport;
  /** Why it ended, when that is known. */
  end(): string | undefined;
  isFlooded(): boolean;
  lastWords(): string;
}

/**
 * @effects starts the server's process; an address is reached when something is sent
 * @error  McpError
 */
export async function openTransport(
  server: ConfiguredServer,
  place: ConnectionPlace,
): Promise<OpenTransport> {
  const now = () => performance.now();
  if (isStdio(server)) {
    const state = await place.sandbox.state();
    if (!state.inForce && state.why === "missing" && place.requiresSandbox)
      throw new McpError("start", server.name, `sandbox.enabled is require, and ${state.reason}`, state.fix);
    const process = await ServerProcess.start(server, place);
    const transport = new StdioTransport(process, now);
    return {
      transport,
      end: () => transport.end,
      isFlooded: () => transport.isFlooded,
      lastWords: () => process.lastWords,
    };
  }
  if (!isHttp(server)) throw new McpError("invalid", "?", "it has neither a command nor a url");
  const { url, headers = {}, bearerTokenEnv } = server.config;
  const token = bearerTokenEnv === undefined ? undefined : place.env[bearerTokenEnv];
  if (bearerTokenEnv !== undefined && token === undefined)
    throw new McpError(
      "start",
      server.name,
      `the variable ${bearerTokenEnv} is not set`,
      "Set it to the server's token.",
    );
  let flood: string | undefined;
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: guardedFetch({
      fetch: place.fetch,
      now,
      onFlood: (why) => {
        flood = why;
        // Whoever waits for an answer hears of it now.
        void transport.close();
      },
    }),
    requestInit: { headers },
    ...authentication(server, place, token),
  });
  return { transport, end: () => flood, isFlooded: () => flood !== undefined, lastWords: () => "" };
}

/** A client's server has the headers that the client gives it: there is no login of ours for it. */
function authentication(
  server: HttpConfigured,
  place: ConnectionPlace,
  token: string | undefined,
): Pick<StreamableHTTPClientTransportOptions, "authProvider"> {
  if (token !== undefined) return { authProvider: { token: () => Promise.resolve(token) } };
  return server.scope === "client" ? {} : { authProvider: createOAuthProvider(server, place.login(server)) };
}
