// An MCP server behind OAuth: the SDK's own server, and oidc-provider as its authorisation server, both on loopback.
import { createServer } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { Provider } from "oidc-provider";

export interface AuthorisedServer extends AsyncDisposable {
  readonly url: string;
  /** The token that the last accepted request came with. */
  lastToken(): string;
  /** From now on this token counts as expired. */
  expire(token: string): void;
  /** From now on no token is renewed. */
  refuseRefresh(): void;
}

export async function startAuthorisedServer(): Promise<AuthorisedServer> {
  const expired = new Set<string>();
  let last = "";
  let mayRefresh = true;
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "guarded", version: "1.0.0" });
    server.registerTool("whoami", { description: "says the token" }, () => ({
      content: [{ type: "text", text: `token ${last}` }],
    }));
    return server;
  });
  const resource = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, origin } = new URL(request.url);
      if (pathname.startsWith("/.well-known/oauth-protected-resource"))
        return Response.json({
          resource: `${origin}/mcp`,
          authorization_servers: [issuer],
          scopes_supported: ["tools"],
        });
      const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
      const isKnown =
        token !== "" && !expired.has(token) && (await provider.AccessToken.find(token)) !== undefined;
      if (isKnown) {
        last = token;
        return handler.fetch(request);
      }
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      return new Response("no", {
        status: 401,
        headers: { "www-authenticate": `Bearer resource_metadata="${metadata}"` },
      });
    },
  });
  const http = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const address = http.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const url = `http://127.0.0.1:${resource.port}/mcp`;
  const provider = new Provider(issuer, {
    cookies: { keys: ["of a test"] },
    pkce: { required: () => true },
    scopes: ["openid", "offline_access", "tools"],
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    features: {
      registration: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => url,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: "tools", audience: url, accessTokenFormat: "opaque" }),
      },
    },
  });
  const answer = provider.callback();
  const listener: typeof answer = (request, response) => {
    if (request.url === "/token" && !mayRefresh) {
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}');
      return;
    }
    answer(request, response);
  };
  return {
    url,
    lastToken: () => last,
    expire: (token) => void expired.add(token),
    refuseRefresh: () => {
      mayRefresh = false;
    },
    async [Symbol.asyncDispose]() {
      await resource.stop(true);
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** A person at a browser: follows every way, signs in, agrees. @output where it ended, and with which status */
export async function browse(address: string): Promise<number> {
  const cookies = new Map<string, string>();
  let request = new Request(address);
  for (;;) {
    request.headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(request, { redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    if (next !== null) {
      request = new Request(new URL(next, request.url).href);
      continue;
    }
    const page = await response.text();
    const form = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    if (form === undefined) return response.status;
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "";
    request = new Request(new URL(form, request.url).href, {
      method: "POST",
      body: new URLSearchParams({ prompt, login: "ada", password: "anything" }),
    });
  }
}
