// The SDK's OAuth client, on the files of this user. In a run it refreshes tokens; only a login opens a browser.
import { randomBytes } from "node:crypto";
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { ConfiguredServer, HttpConfigured } from "./configured-server.ts";
import { McpError } from "./error.ts";
import type { LoginStore } from "./logins.ts";

export interface Browser {
  /** Where it comes back to. */
  readonly redirectUrl: string;
  readonly state: string;
  open(address: URL): Promise<void>;
}

/** @input browser: absent in a run, where nobody could use one */
export function createOAuthProvider(
  server: HttpConfigured,
  store: LoginStore,
  browser?: Browser,
): OAuthClientProvider {
  const { clientId, scope } = server.config.oauth ?? {};
  // Never on disk: a verifier is of use for one login only.
  let verifier = "";
  const redirectUrl = browser?.redirectUrl ?? "http://127.0.0.1/callback";
  return {
    redirectUrl,
    get clientMetadata(): OAuthClientMetadata {
      return {
        client_name: "Codelia",
        redirect_uris: [redirectUrl],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        application_type: "native",
        ...(scope === undefined ? {} : { scope }),
      };
    },
    state: () => browser?.state ?? randomBytes(16).toString("hex"),
    async clientInformation() {
      if (clientId !== undefined) return { client_id: clientId };
      const login = await store.read();
      // A client is registered with the address it comes back to.
      if (browser !== undefined && login?.redirectUrl !== redirectUrl) return undefined;
      return stored<StoredOAuthClientInformation>(login?.client, "client_id");
    },
    saveClientInformation: (client) => store.change({ client: { ...client }, redirectUrl }),
    // A login is there to get new ones.
    tokens: async () =>
      browser === undefined
        ? stored<StoredOAuthTokens>((await store.read())?.tokens, "access_token")
        : undefined,
    saveTokens: (tokens) => store.change({ tokens: { ...tokens } }),
    async redirectToAuthorization(address) {
      if (browser === undefined) throw loginNeeded(server);
      await browser.open(address);
    },
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (discovery) => store.change({ discovery: { ...discovery } }),
    discoveryState: async () =>
      stored<OAuthDiscoveryState>((await store.read())?.discovery, "authorizationServerUrl"),
    async invalidateCredentials(what) {
      if (what === "all" || what === "tokens") await store.change({ tokens: undefined });
      if (what === "all" || what === "client") await store.change({ client: undefined });
      if (what === "all" || what === "discovery") await store.change({ discovery: undefined });
    },
  };
}

export function loginNeeded({ name, scope }: ConfiguredServer): McpError {
  const way =
    scope === "client"
      ? "Let the editor send its token in a header, or add the server with codelia mcp add and log in."
      : `Log in with: codelia mcp login ${name}`;
  return new McpError("login", name, "it wants a login", way);
}

/** These files are ours alone, and hold what the SDK gave us; what lost its main part is none. */
function stored<T>(value: Record<string, unknown> | undefined, key: keyof T & string): T | undefined;
function stored(value: Record<string, unknown> | undefined, key: string): unknown {
  return typeof value?.[key] === "string" ? value : undefined;
}
