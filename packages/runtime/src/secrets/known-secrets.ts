// The secrets that this process knows of: keys of the providers, and variables whose names say that they hold one.
import type { IssuesSettings, ModelsSettings } from "@codelia/shared-types";

export interface Secret {
  /** Where it comes from, to be shown in its place. */
  readonly name: string;
  readonly value: string;
}

const secretName =
  /(^|_)((API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|MASTER)_?KEY|KEY_ID|(AUTH|ACCESS|API)?_?TOKEN|(CLIENT)?SECRETS?|(PG|DB)?PASSWORD|PASSWD|PASSPHRASE|SSHPASS|CREDENTIALS?|AUTH)(_|$)|[^_]_(PWD|PAT)$/i;

// Shorter values are words that an output may hold for other reasons.
const shortest = 8;

/** Whether a variable's name says that it holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** @output each value once, the longest first, so that one that holds another is taken whole */
export function knownSecrets(
  env: Readonly<Record<string, string | undefined>>,
  { providers }: Pick<ModelsSettings, "providers">,
  { token, tokenEnv }: Pick<IssuesSettings["github"], "token" | "tokenEnv"> = {},
): Secret[] {
  const found = new Map<string, string>();
  const add = (name: string, value: string | undefined) => {
    const trimmed = value?.trim() ?? "";
    if (trimmed.length >= shortest && !found.has(trimmed)) found.set(trimmed, name);
  };
  for (const [name, value] of Object.entries(env)) if (isSecretName(name)) add(name, value);
  add("issues.github.token", token);
  if (tokenEnv !== undefined) add(tokenEnv, env[tokenEnv]);
  for (const [name, { apiKey, apiKeyEnv, headers = {} }] of Object.entries(providers)) {
    add(`models.providers.${name}.apiKey`, apiKey);
    if (apiKeyEnv !== undefined) add(apiKeyEnv, env[apiKeyEnv]);
    for (const [header, value] of Object.entries(headers)) {
      if (/auth|key|token|secret|cookie/i.test(header))
        add(`models.providers.${name}.headers.${header}`, value);
    }
  }
  return [...found]
    .map(([value, name]) => ({ name, value }))
    .toSorted((a, b) => b.value.length - a.value.length || (a.name < b.name ? -1 : 1));
}
