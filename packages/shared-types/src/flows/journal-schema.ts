// What happened in a run of a flow, one record an event. A run that was killed goes on from them.
import { z } from "zod";
import { IssueWorkSchema } from "../issues/index.ts";
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

/** What the host does when a flow that worked on an issue is complete, told before it begins. */
export const HostIntentSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("commit"), parent: z.string() }),
  z.strictObject({ kind: z.literal("merge"), commit: z.string(), into: z.string() }),
  z.strictObject({ kind: z.literal("push"), commit: z.string(), remote: z.string() }),
  z.strictObject({ kind: z.literal("pull_request"), base: z.string(), marker: z.string() }),
  z.strictObject({ kind: z.literal("comment"), marker: z.string() }),
  z.strictObject({ kind: z.literal("labels"), add: z.array(z.string()), remove: z.array(z.string()) }),
]);

export const HostOutcomeSchema = z.discriminatedUnion("state", [
  z.strictObject({
    state: z.literal("done"),
    /** The commit that was made, merged or pushed. */
    commit: z.string().optional(),
    /** Where it can be looked at. */
    url: z.string().optional(),
    /** Of the pull request. */
    number: z.number().int().optional(),
  }),
  z.strictObject({ state: z.literal("failed"), failure: FlowFailureSchema }),
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
    /** The issue that it works on. */
    work: IssueWorkSchema.optional(),
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
  /** After the end of the flow, as effects are: on disk before it begins, and before anything follows from it. */
  z.strictObject({ type: z.literal("host.intent"), intent: HostIntentSchema }),
  z.strictObject({ type: z.literal("host.result"), intent: HostIntentSchema, outcome: HostOutcomeSchema }),
  /** Everything that was to be done for the issue is done. */
  z.strictObject({ type: z.literal("work.end") }),
]);
