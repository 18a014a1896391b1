// What the four wire formats have in common for a test: an answer as data, and how each of them writes it.
import type { ProviderKind, Usage } from "@codelia/shared-types";
import type { z } from "zod";

export type AnswerPart =
  | { readonly type: "text"; readonly deltas: readonly string[] }
  | { readonly type: "reasoning"; readonly deltas: readonly string[]; readonly signature: string }
  | { readonly type: "tool"; readonly id: string; readonly name: string; readonly arguments: string };

export interface Answer {
  readonly parts: readonly AnswerPart[];
  readonly finish: "stop" | "tool_calls" | "length";
  readonly usage: Usage;
}

export type Trouble = "auth" | "rate" | "overloaded" | "overflow" | "invalid";

export interface Wire {
  readonly kind: ProviderKind;
  readonly model: string;
  readonly basePath: string;
  readonly path: string;
  readonly keyHeader: string;
  /** The published format of a request. */
  readonly schema: z.ZodType;
  /** The events of an answer; the last ones end it. */
  readonly events: (answer: Answer) => readonly object[];
  /** How many of the last events make the end. */
  readonly endEvents: number;
  readonly write: (events: readonly object[]) => string;
  readonly trouble: (trouble: Trouble, message: string) => { readonly status: number; readonly body: string };
  /** providerData of a part of an answer. */
  readonly data: (part: AnswerPart, index: number) => Readonly<Record<string, unknown>> | undefined;
  /** All calls come whole at the end, after all were announced. */
  readonly callsAtEnd: boolean;
}
