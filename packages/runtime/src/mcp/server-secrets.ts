// Secrets that servers are given: no tool's words may hold one, also not those of the server itself.
import { visibleName } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import { isSecretName, type Secret } from "../secrets/index.ts";
import {
  type ConfiguredServer,
  configuredServers,
  type HttpConfigured,
  isSecretHeader,
} from "./configured-server.ts";
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
          .filter(([header]) => isSecretHeader(header))
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

// What these headers say is no secret, and words that many answers hold.
const plainHeaders = /^(?:accept(?:-.*)?|content-type|user-agent)$/i;

/**
 * Every value that a client gives to a server, whatever its name: nobody said which of them are secret.
 * @input  places: folders whose paths are none; without those, a server could not name a file of the project
 */
export function clientSecrets(servers: readonly ConfiguredServer[], places: readonly string[]): Secret[] {
  const isPlace = (value: string) => places.some((place) => value === place || value.startsWith(`${place}/`));
  return servers
    .flatMap(({ name, config }) => {
      const values =
        "url" in config
          ? Object.entries(config.headers ?? {})
              .filter(([header]) => !plainHeaders.test(header))
              // `Bearer TOKEN`: the token alone is one too.
              .flatMap(([header, value]) =>
                [value, ...value.split(/\s+/).slice(1)].map((each) => [header, each] as const),
              )
          : Object.entries(config.env ?? {}).filter(([, value]) => !isPlace(value));
      return values.map(([key, value]) => ({ name: `${visibleName(key)} of MCP server ${name}`, value }));
    })
    .flatMap(({ name, value }) => usable(name, value));
}

/** Whose paths are no secrets. */
export function placesOf(
  { userHome }: Pick<RuntimeEnvironment, "userHome">,
  { root }: Pick<Project, "root">,
): string[] {
  return [root.path, userHome];
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
