// What happened in a run of a flow, one record an event. A run that was killed goes on from them.
import { z } from "zod";
import { UsageSchema } from "../models/index.ts";
import { ApprovalModeSchema } from "../permissions/index.ts";
import { AgentFileSchema, FlowStepSchema } from "./definition-schema.ts";
import { AgentResultSchema, FlowFailureSchema, IterationSummarySchema } from "./result-schema.ts";

/** Raised when a reader of the old form would misunderstand the new one. */
export const flowJournalFormat = 1;

/** Checked, and with the steps in one place. */
export const FlowDefinitionSchema = AgentFileSchema.omit({ $schema: true, steps: true }).extend({
  /** The agent's own; prompts are below it. */
  directory: z.string(),
  name: z.string(),
  version: z.string(),
  entry: z.string(),
  steps: z.record(z.string(), FlowStepSchema),
});

export const QueryResultSchema = z.strictObject({
  /** The model's last response alone; nothing that a tool said. */
  text: z.string(),
  session: z.string(),
  usage: UsageSchema,
  /** Absent when the price is unknown. */
  costUsd: z.number().nonnegative().optional(),
});

/** What a query took that ended without an answer. */
export const SpentSchema = z.strictObject({
  usage: UsageSchema,
  /** Absent when the price is unknown. */
  costUsd: z.number().nonnegative().optional(),
  /** Where it can go on: what its tools did is known there. */
  session: z.string().optional(),
});

export const CommandResultSchema = z.strictObject({
  /** Absent when it was ended by a signal or by its time limit. */
  exitCode: z.number().int().optional(),
  timedOut: z.boolean(),
  /** What it printed, the end of it. */
  output: z.string(),
});

/** Something that may change the world outside the run, as it is told before it begins. */
export const EffectIntentSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("query"),
    purpose: z.enum(["step", "check"]),
    step: z.string(),
    iteration: z.number().int().positive(),
    prompt: z.string(),
    /** The session to go on in. */
    session: z.string().optional(),
    /** Without tools a query changes nothing. */
    tools: z.array(z.string()).optional(),
  }),
  z.strictObject({
    kind: z.literal("command"),
    step: z.string(),
    iteration: z.number().int().positive(),
    command: z.array(z.string()),
    repeatable: z.boolean(),
  }),
]);

export const EffectOutcomeSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("query"), result: QueryResultSchema }),
  z.strictObject({ kind: z.literal("command"), result: CommandResultSchema }),
  z.strictObject({ kind: z.literal("failed"), failure: FlowFailureSchema, spent: SpentSchema.optional() }),
]);

/** Counts the effects of a run, from 1. */
const effect = z.number().int().positive();

export const FlowRecordSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("run.start"),
    format: z.literal(flowJournalFormat),
    id: z.string(),
    definition: FlowDefinitionSchema,
    cwd: z.string(),
    args: z.record(z.string(), z.string()),
    /** What the user chose for all steps. */
    chosen: z
      .strictObject({ model: z.string().optional(), approval: ApprovalModeSchema.optional() })
      .optional(),
  }),
  /** On disk before the effect begins. */
  z.strictObject({ type: z.literal("effect.intent"), effect, intent: EffectIntentSchema }),
  /** On disk before anything follows from it. */
  z.strictObject({
    type: z.literal("effect.result"),
    effect,
    outcome: EffectOutcomeSchema,
    /** Of the run, crashes not counted. */
    elapsedMs: z.number().nonnegative(),
  }),
  /** What became of an effect that nobody knew the end of. */
  z.strictObject({
    type: z.literal("effect.decided"),
    effect,
    decision: z.enum(["done", "repeat"]),
    by: z.enum(["probe", "user", "harmless"]),
  }),
  z.strictObject({ type: z.literal("iteration"), summary: IterationSummarySchema }),
  z.strictObject({
    type: z.literal("transition"),
    from: z.string(),
    to: z.string(),
    reason: z.string(),
    iteration: z.number().int().positive(),
  }),
  z.strictObject({ type: z.literal("run.end"), result: AgentResultSchema }),
]);
