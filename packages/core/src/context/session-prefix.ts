// The fixed start of every request of a session: base, environment, instructions, skills. It is made once.
import type { AgentsBundle, SystemMessage, UserMessage } from "@codelia/shared-types";
import { basePrompt } from "./base-prompt.ts";
import { type EnvironmentFacts, renderEnvironment } from "./environment-prompt.ts";

export type PrefixMessage = SystemMessage | UserMessage;

/**
 * @input  skillsCatalog: absent when there is no skill
 * @output system(base) → system(environment) → instructions → skills; the last two as system or user messages as the
 *         bundle says, since some providers take no system message after a user's
 */
export function sessionPrefix(
  facts: EnvironmentFacts,
  bundle: AgentsBundle,
  skillsCatalog: string | undefined,
): PrefixMessage[] {
  const later = [bundle.text, skillsCatalog].filter((text) => text !== undefined);
  return [
    { role: "system", text: basePrompt },
    { role: "system", text: renderEnvironment(facts) },
    ...later.map(
      (text): PrefixMessage =>
        bundle.role === "system"
          ? { role: "system", text }
          : { role: "user", content: [{ type: "text", text }] },
    ),
  ];
}
