// A wire is one provider's format: how an agent's request is read and how the fake model answers in it.

/** A tool that the agent declares, with the JSON schema of its arguments. */
export interface DeclaredTool {
  readonly name: string;
  readonly parameters: unknown;
}

/** What the model says; the id is another one in every turn of a conversation. */
export type Answer = { readonly id: string } & (
  | { readonly kind: "call"; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly kind: "text"; readonly text: string }
);

export interface Wire {
  readonly name: string;
  /** Whether a POST to this path asks this wire's model for an answer. */
  accepts(path: string): boolean;
  /** Whether the agent asked for a stream; otherwise it wants one JSON document. */
  streams(path: string, body: unknown): boolean;
  tools(body: unknown): DeclaredTool[];
  /** How many tool results the conversation holds: the turn that the script is at. */
  toolResults(body: unknown): number;
  /**
   * What the model is given, cut into parts in the order in which providers cache it: tools, system, conversation.
   * Cache marks are left out, because they move from turn to turn and are no part of what is cached.
   */
  promptParts(body: unknown): unknown[];
  /** The body of an event stream. */
  stream(answer: Answer, inputTokens: number): string;
  document(answer: Answer, inputTokens: number): unknown;
}

/** One event of a stream, with or without an event name. */
export function event(data: unknown, name?: string): string {
  const line = `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
  return name === undefined ? line : `event: ${name}\n${line}`;
}
