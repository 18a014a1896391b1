// What is added to a prompt that a person wrote: the form of the answer, what a check said, what went before.
import type { OutputSchema, StepCheckResult } from "@codelia/shared-types";
import { outputFields } from "../handoff/index.ts";

/** Tells the model which fields its answer must have. */
export function withOutputForm(prompt: string, schema: OutputSchema | undefined): string {
  const fields = schema === undefined ? [] : outputFields(schema);
  if (fields.length === 0) return prompt;
  const lines = fields.map(([key, { type, required = true, description }]) => {
    const rest = description === undefined ? "" : `: ${description}`;
    return `- ${key} (${type}${required ? "" : ", optional"})${rest}`;
  });
  return joined(
    prompt,
    `End your answer with one \`\`\`json block: an object with these fields.\n${lines.join("\n")}`,
  );
}

/** The prompt again, with what the check had against the last answer. */
export function withFeedback(prompt: string, { message, output }: StepCheckResult): string {
  const printed =
    output === undefined || output.trim() === "" ? "" : `\nIts output ends with:\n${output.trimEnd()}`;
  return joined(
    prompt,
    `Your last answer did not pass the check: ${message}${printed}\nMend it and answer again.`,
  );
}

export function withVerdictForm(prompt: string): string {
  return joined(
    prompt,
    'End your answer with one ```json block: {"result": "pass" or "fail", "message": "why, for whoever has to mend it"}.',
  );
}

/** A new session knows nothing of the old one. */
export function withPreviousResponse(prompt: string, response: string | undefined): string {
  if (response === undefined || response.trim() === "") return prompt;
  return joined(
    `The session before this one has ended. Your last answer in it was:\n\n${response.trimEnd()}`,
    prompt,
  );
}

function joined(first: string, second: string): string {
  return `${first.trimEnd()}\n\n${second}`;
}
