// The fixed start of every request of a session: base, environment, instructions. It is made once.
import type { AgentsBundle, SystemMessage, UserMessage } from "@codelia/shared-types";
import { basePrompt } from "./base-prompt.ts";
import { type EnvironmentFacts, renderEnvironment } from "./environment-prompt.ts";

export type PrefixMessage = SystemMessage | UserMessage;

/** @output system(base) → system(environment) → instructions, as a system or a user message as the bundle says */
export function sessionPrefix(facts: EnvironmentFacts, bundle: AgentsBundle): PrefixMessage[] {
  const prefix: PrefixMessage[] = [
    { role: "system", text: basePrompt },
    { role: "system", text: renderEnvironment(facts) },
  ];
  if (bundle.text === undefined) return prefix;
  prefix.push(
    bundle.role === "system"
      ? { role: "system", text: bundle.text }
      : { role: "user", content: [{ type: "text", text: bundle.text }] },
  );
  return prefix;
}
