// Secrets that servers are given: no tool's words may hold one, also not those of the server itself.
import type { Project } from "../project/index.ts";
import { isSecretName, type Secret } from "../secrets/index.ts";
import { configuredServers, type HttpConfigured } from "./configured-server.ts";
import type { LoginStore } from "./logins.ts";

// Shorter values are words that an output may hold for other reasons.
const shortest = 8;

/** What settings pass on by name, or hold under the name of a secret. */
export function configuredSecrets(
  project: Pick<Project, "settings" | "trust">,
  env: Readonly<Record<string, string | undefined>>,
): Secret[] {
  const named = configuredServers(project).flatMap(({ name, config }) => {
    if ("url" in config) {
      const { bearerTokenEnv, headers = {} } = config;
      return [
        ...(bearerTokenEnv === undefined ? [] : [{ name: bearerTokenEnv, value: env[bearerTokenEnv] }]),
        ...Object.entries(headers)
          .filter(([header]) => /auth|key|token|secret|cookie/i.test(header))
          .map(([header, value]) => ({ name: `mcp.servers.${name}.headers.${header}`, value })),
      ];
    }
    const { passEnv = [], env: given = {} } = config;
    return [
      ...passEnv.map((variable) => ({ name: variable, value: env[variable] })),
      ...Object.entries(given)
        .filter(([variable]) => isSecretName(variable))
        .map(([variable, value]) => ({ name: `mcp.servers.${name}.env.${variable}`, value })),
    ];
  });
  return named
    .flatMap(({ name, value }) => usable(name, value))
    .toSorted((a, b) => b.value.length - a.value.length);
}

/** The tokens of a login, as they are now: they change while a session runs. */
export async function loginSecrets(server: HttpConfigured, login: LoginStore): Promise<Secret[]> {
  const { tokens = {}, client = {} } = (await login.read()) ?? {};
  return [tokens.access_token, tokens.refresh_token, tokens.id_token, client.client_secret].flatMap((value) =>
    usable(`login of ${server.name}`, typeof value === "string" ? value : undefined),
  );
}

function usable(name: string, value: string | undefined): Secret[] {
  const trimmed = value?.trim() ?? "";
  return trimmed.length < shortest ? [] : [{ name, value: trimmed }];
}
