// The secrets that this process knows of: keys of the providers, and variables whose names say that they hold one.
import type { Settings } from "@codelia/shared-types";

export interface Secret {
  /** Where it comes from, to be shown in its place. */
  readonly name: string;
  readonly value: string;
}

// PGPASSWORD and MYSQL_PWD are what the clients of these databases read.
const secretName =
  /(^|_)((API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|MASTER)_?KEY|KEY_ID|(AUTH|ACCESS|API)?_?TOKEN|(CLIENT)?SECRETS?|(PG|DB)?PASSWORD|PASSWD|PASSPHRASE|SSHPASS|CREDENTIALS?|AUTH)(_|$)|[^_]_(PWD|PAT)$/i;

// Shorter values are words that an output may hold for other reasons.
const shortest = 8;

/** Whether a variable's name says that it holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** The settings that name secrets or hold them. */
export interface SecretSettings {
  readonly models: Pick<Settings["models"], "providers">;
  readonly issues: { readonly github: Pick<Settings["issues"]["github"], "token" | "tokenEnv"> };
  readonly mcp: Pick<Settings["mcp"], "servers">;
}

/** @output the variables that hold a secret whatever they are called: settings name them for it, or it is in their value */
export function secretVariables(
  env: Readonly<Record<string, string | undefined>>,
  settings: SecretSettings,
  secrets: readonly Secret[] = knownSecrets(env, settings),
): ReadonlySet<string> {
  const holding = Object.keys(env).filter((name) =>
    secrets.some(({ value }) => env[name]?.includes(value) ?? false),
  );
  return new Set([...namedVariables(settings), ...holding]);
}

function namedVariables({ models, issues, mcp }: SecretSettings): readonly string[] {
  const named = [
    issues.github.tokenEnv,
    ...Object.values(models.providers).map(({ apiKeyEnv }) => apiKeyEnv),
    ...Object.values(mcp.servers).map((server) => ("url" in server ? server.bearerTokenEnv : undefined)),
  ];
  return named.filter((name) => name !== undefined);
}

/** @output each value once, the longest first, so that one that holds another is taken whole */
export function knownSecrets(
  env: Readonly<Record<string, string | undefined>>,
  settings: SecretSettings,
): Secret[] {
  const found = new Map<string, string>();
  const add = (name: string, value: string | undefined) => {
    const trimmed = value?.trim() ?? "";
    if (trimmed.length >= shortest && !found.has(trimmed)) found.set(trimmed, name);
  };
  for (const [name, value] of Object.entries(env)) if (isSecretName(name)) add(name, value);
  for (const name of namedVariables(settings)) add(name, env[name]);
  add("issues.github.token", settings.issues.github.token);
  for (const [name, { apiKey, headers = {} }] of Object.entries(settings.models.providers)) {
    add(`models.providers.${name}.apiKey`, apiKey);
    for (const [header, value] of Object.entries(headers)) {
      if (/auth|key|token|secret|cookie/i.test(header))
        add(`models.providers.${name}.headers.${header}`, value);
    }
  }
  return [...found]
    .map(([value, name]) => ({ name, value }))
    .toSorted((a, b) => b.value.length - a.value.length || (a.name < b.name ? -1 : 1));
}
