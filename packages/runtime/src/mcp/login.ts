// A login: the browser is sent to the server's authorisation server, and comes back to a port of this machine.
import { randomBytes } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { Fetch } from "@codelia/models";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import type { HttpConfigured } from "./configured-server.ts";
import { McpError, messageOf } from "./error.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import type { LoginStore } from "./logins.ts";
import { createOAuthProvider } from "./oauth-provider.ts";
import { silenceSdkWarnings } from "./sdk-warnings.ts";

export interface LoginOptions {
  readonly store: LoginStore;
  readonly fetch: Fetch;
  readonly version: string;
  /** Shows the address that the user has to open. */
  readonly show: (address: string) => void;
  readonly timeoutMs: number;
}

/**
 * @output false: the server wants no login
 * @effects listens on 127.0.0.1 until the browser came back; keeps the tokens
 * @error  McpError
 */
export async function login(server: HttpConfigured, options: LoginOptions): Promise<boolean> {
  silenceSdkWarnings();
  const state = randomBytes(32).toString("hex");
  const callback = await listen(server, state, options.timeoutMs);
  try {
    const provider = createOAuthProvider(server, options.store, {
      redirectUrl: callback.url,
      state,
      open: async (address) => options.show(address.href),
    });
    const transport = new StreamableHTTPClientTransport(new URL(server.config.url), {
      fetch: guardedFetch({ fetch: options.fetch, now: () => performance.now(), onFlood: () => undefined }),
      requestInit: { headers: server.config.headers ?? {} },
      authProvider: provider,
    });
    const client = new Client({ name: "codelia", version: options.version });
    try {
      await client.connect(transport);
      return false;
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await transport.finishAuth(await callback.parameters);
      return true;
    } finally {
      await client.close();
    }
  } catch (error) {
    if (error instanceof McpError) throw error;
    throw new McpError("login", server.name, `the login failed: ${messageOf(error)}`, undefined, {
      cause: error,
    });
  } finally {
    await callback.close();
  }
}

interface Callback {
  readonly url: string;
  /** What the browser brought. */
  readonly parameters: Promise<URLSearchParams>;
  close(): Promise<void>;
}

async function listen(server: HttpConfigured, state: string, timeoutMs: number): Promise<Callback> {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  // Whoever waits hears of it; a login that needs none waits for nobody.
  promise.catch(() => undefined);
  const http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    // Any page could send the browser here; only who was sent on from this login knows the state.
    if (pathname !== "/callback" || searchParams.get("state") !== state)
      return answer(response, 404, "Not found.");
    const said = searchParams.has("error") ? "The login was refused." : "Codelia has what it needs.";
    answer(response, 200, `${said} You can close this window.`);
    resolve(searchParams);
  });
  const port = await listening(http, server);
  const timer = setTimeout(() => {
    reject(
      new McpError("login", server.name, `nobody came back from the browser within ${timeoutMs / 1000} s`),
    );
  }, timeoutMs);
  return {
    url: `http://127.0.0.1:${port}/callback`,
    parameters: promise,
    close: () => {
      clearTimeout(timer);
      http.closeAllConnections();
      return new Promise((done) => http.close(() => done()));
    },
  };
}

function listening(http: Server, { name, config }: HttpConfigured): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once("error", (error) =>
      reject(
        new McpError(
          "login",
          name,
          `cannot listen on port ${config.oauth?.redirectPort}: ${error.message}`,
          "Change oauth.redirectPort.",
        ),
      ),
    );
    http.listen(config.oauth?.redirectPort ?? 0, "127.0.0.1", () => {
      const address = http.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

function answer(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" })
    .end(`${text}\n`);
}
