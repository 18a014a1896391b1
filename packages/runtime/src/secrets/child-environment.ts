// The environment of child processes: the user's, without keys and tokens.
import { isSecretName } from "./known-secrets.ts";

/** Variables whose names say that they hold a secret do not reach commands that a model wrote. */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !isSecretName(name)) child[name] = value;
  }
  return { ...child, ...extra };
}
