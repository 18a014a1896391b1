// `ui.*`: what the server asks the person while a request of theirs is worked on.
import { z } from "zod";
import { ConfirmParamsSchema, ConfirmResultSchema } from "./run.ts";

export const PickParamsSchema = z.strictObject({
  title: z.string(),
  /** At least one; ids are unique. */
  options: z
    .array(z.strictObject({ id: z.string(), label: z.string(), detail: z.string().optional() }))
    .min(1),
});

/** Without `id`: the person chose nothing. */
export const PickResultSchema = z.strictObject({ id: z.string().optional() });

export const PromptParamsSchema = z.strictObject({
  title: z.string(),
  /** What is there to begin with. */
  text: z.string().optional(),
  /** More than one line may be given. */
  multiline: z.boolean().optional(),
});

/** Without `text`: the person gave none. */
export const PromptResultSchema = z.strictObject({ text: z.string().optional() });

export type PickParams = z.infer<typeof PickParamsSchema>;
export type PickResult = z.infer<typeof PickResultSchema>;
export type PromptParams = z.infer<typeof PromptParamsSchema>;
export type PromptResult = z.infer<typeof PromptResultSchema>;

export const questions = {
  "ui.confirm": { question: ConfirmParamsSchema, answer: ConfirmResultSchema },
  "ui.pick": { question: PickParamsSchema, answer: PickResultSchema },
  "ui.prompt": { question: PromptParamsSchema, answer: PromptResultSchema },
} as const;

export type QuestionMethod = keyof typeof questions;
export type Question<Q extends QuestionMethod> = z.infer<(typeof questions)[Q]["question"]>;
export type Answer<Q extends QuestionMethod> = z.infer<(typeof questions)[Q]["answer"]>;

/** What was asked about was cancelled before anybody answered: neither a no, nor a question that reaches nobody. */
export class UnansweredQuestion extends Error {
  override readonly name = "UnansweredQuestion";

  constructor() {
    super("the run was cancelled");
  }
}

/**
 * Asks the person.
 * @input  signal: aborted when the answer is of no use any more
 * @error  ProtocolError when nobody could be asked: nothing was decided then; UnansweredQuestion
 */
export type Ask<Q extends QuestionMethod> = (
  question: Question<Q>,
  signal?: AbortSignal,
) => Promise<Answer<Q>>;
