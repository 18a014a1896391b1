// How a run of a flow ended, and what was done on the way.
import { z } from "zod";
import { UsageSchema } from "../models/index.ts";
import { StepOutputsSchema } from "./handoff-schema.ts";

const ordinal = z.number().int().positive();

/** An AgentError as data. */
export const FlowFailureSchema = z.strictObject({
  layer: z.enum(["configuration", "execution", "judgment", "connection"]),
  code: z.string().min(1),
  message: z.string().min(1),
  recoverable: z.boolean(),
  step: z.string().optional(),
  iteration: ordinal.optional(),
  /** Of the provider's answer. */
  status: z.number().int().optional(),
  retryAfterMs: z.number().nonnegative().optional(),
});

export const StepCheckResultSchema = z.strictObject({
  passed: z.boolean(),
  /** What a retry is told. */
  message: z.string(),
  /** What the command printed, the end of it. */
  output: z.string().optional(),
});

export const IterationSummarySchema = z.strictObject({
  iteration: ordinal,
  step: z.string(),
  /** How often the flow had come to this step. */
  visit: ordinal,
  /** 1, and one more for each retry of this visit. */
  attempt: ordinal,
  session: z.string().optional(),
  /** Validated. */
  output: z.record(z.string(), z.unknown()).optional(),
  check: StepCheckResultSchema,
  /** Why there is no response. */
  error: FlowFailureSchema.optional(),
  /** Of the step's queries and of its check. */
  usage: UsageSchema,
  /** Unknown when a price is. */
  costUsd: z.number().nonnegative().optional(),
  /** How many queries the connection needed. */
  queries: z.number().int().nonnegative(),
  elapsedMs: z.number().nonnegative(),
});

export const AgentResultSchema = z
  .strictObject({
    success: z.boolean(),
    /** Empty when the run failed. */
    completionReason: z.string(),
    error: z.string().optional(),
    iterations: z.number().int().nonnegative(),
    summaries: z.array(IterationSummarySchema),
    /** The failure with its parts; `error` is its text. */
    failure: FlowFailureSchema.optional(),
    outputs: StepOutputsSchema,
    usage: UsageSchema,
    costUsd: z.number().nonnegative().optional(),
  })
  .superRefine((result, context) => {
    const must = (holds: boolean, message: string) => {
      if (!holds) context.addIssue({ code: "custom", message });
    };
    must(!result.success || result.completionReason !== "", "a success needs a completionReason");
    must(result.success || (result.error ?? "") !== "", "a failure needs an error");
    must(result.success ? result.failure === undefined : true, "a success has no failure");
    must(result.iterations === result.summaries.length, "iterations must be the number of summaries");
  });

/** What is carried from one iteration to the next. */
export const ContextCarrySchema = z.strictObject({
  previousResponse: z.string().optional(),
  accumulatedContext: z.record(z.string(), z.unknown()).optional(),
});
