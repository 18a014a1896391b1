// Keeps secrets out of every text that leaves this package.
import { visibleText } from "@codelia/shared-types";

const longest = 2000;

/**
 * @input  secrets that may appear in a provider's answer: the key, configured header values
 * @output a function that takes them out, makes control characters visible and bounds the length
 */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  // Longest first, so that a secret that contains another one is taken out whole. Very short values are no secrets,
  // and taking them out would make the text unreadable.
  const hidden = secrets
    .filter((secret): secret is string => secret !== undefined && secret.length >= 6)
    .flatMap((secret) => [
      ...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]),
    ])
    .toSorted((a, b) => b.length - a.length);
  return (text) => {
    const clean = hidden.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
    return visibleText(clean.length > longest ? `${clean.slice(0, longest)}…` : clean);
  };
}
