// The environment of child processes: the user's, without keys and tokens.
import { isSecretName } from "./known-secrets.ts";

/** With it `cd name` leads elsewhere than the command says, and than it was decided for. */
const misleading = "CDPATH";

/**
 * Variables that hold a secret do not reach commands that a model wrote: neither those whose names say so, nor those
 * that are known to.
 * @input secretVariables: see the function of that name
 */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  secretVariables: ReadonlySet<string>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isHidden = isSecretName(name) || secretVariables.has(name) || name === misleading;
    if (value !== undefined && !isHidden) child[name] = value;
  }
  return { ...child, ...extra };
}
