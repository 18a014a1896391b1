// The environment of child processes: the user's, without keys and tokens.
import { isSecretName, type Secret } from "./known-secrets.ts";

/**
 * Variables whose names say that they hold a secret do not reach commands that a model wrote, nor do those that hold
 * one that is known, whatever they are called.
 */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
  secrets: readonly Secret[] = [],
): Record<string, string> {
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || isSecretName(name)) continue;
    if (!secrets.some((secret) => value.includes(secret.value))) child[name] = value;
  }
  return { ...child, ...extra };
}
