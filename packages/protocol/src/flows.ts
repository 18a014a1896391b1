// `flow.*`: runs of flow agents, and what a run tells while it works.
import { ApprovalModeSchema, IssueNumberSchema } from "@codelia/shared-types";
import { z } from "zod";
import { FlowWorkSchema, flowHostEffect } from "./flow-work.ts";
import { RunAcknowledgedSchema, RunEventSchema, UsageWireSchema } from "./run.ts";

const ordinal = z.number().int().positive();
/** Absent when a model's price is not known. */
const cost = { cost_usd: z.number().optional() };

/** An AgentError as data. */
export const FlowFailureWireSchema = z.strictObject({
  layer: z.enum(["configuration", "execution", "judgment", "connection"]),
  code: z.string(),
  message: z.string(),
  recoverable: z.boolean(),
  step: z.string().optional(),
  iteration: ordinal.optional(),
  status: z.number().optional(),
  retry_after_ms: z.number().optional(),
});

export const FlowCheckWireSchema = z.strictObject({
  passed: z.boolean(),
  message: z.string(),
  /** What the command printed, the end of it. */
  output: z.string().optional(),
});

const iterationPlace = {
  iteration: ordinal,
  step: z.string(),
  /** How often the flow had come to this step. */
  visit: ordinal,
  /** 1, and one more for each retry of this visit. */
  attempt: ordinal,
};

export const FlowIterationWireSchema = z.strictObject({
  ...iterationPlace,
  session_id: z.string().optional(),
  output: z.record(z.string(), z.unknown()).optional(),
  check: FlowCheckWireSchema,
  error: FlowFailureWireSchema.optional(),
  usage: UsageWireSchema,
  ...cost,
  /** How many queries the connection needed. */
  queries: z.number(),
  /** Of the run, when the iteration had ended. */
  elapsed_ms: z.number(),
});

/** The Result of a run. */
export const FlowResultWireSchema = z.strictObject({
  success: z.boolean(),
  completion_reason: z.string(),
  error: z.string().optional(),
  iterations: z.number(),
  summaries: z.array(FlowIterationWireSchema),
  failure: FlowFailureWireSchema.optional(),
  /** Step id → its validated output. */
  outputs: z.record(z.string(), z.record(z.string(), z.unknown())),
  usage: UsageWireSchema,
  ...cost,
});

/** What a query or a command is about to do. */
export const FlowEffectWireSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("query"),
    purpose: z.enum(["step", "check"]),
    step: z.string(),
    iteration: ordinal,
    prompt: z.string(),
    session_id: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal("command"),
    step: z.string(),
    iteration: ordinal,
    command: z.array(z.string()),
  }),
]);

/** `indeterminate`: an effect was begun when the run was ended, and nobody knows what came of it. */
export const FlowStatusSchema = z.enum([
  "done",
  "failed",
  "limit",
  "interrupted",
  "needs_permission",
  "indeterminate",
]);

/** What the user says about an effect that nobody knows the end of. */
export const FlowAnswerSchema = z.enum(["repeat", "done"]);

export const FlowOutcomeSchema = z.strictObject({
  /** Absent when no run was begun: the definition or its parameters are wrong. */
  run_id: z.string().optional(),
  status: FlowStatusSchema,
  result: FlowResultWireSchema,
  hint: z.string().optional(),
  /** Calls that were refused because nobody could be asked. */
  refused_calls: z.number(),
  work: FlowWorkSchema.optional(),
  indeterminate: z
    .strictObject({
      effect: FlowEffectWireSchema,
      /** Of a query: the call that was under way. */
      call: z.strictObject({ tool: z.string(), title: z.string() }).optional(),
    })
    .optional(),
});

export const FlowStartParamsSchema = z.strictObject({
  cwd: z.string(),
  /** The name of a flow agent of the project, or the path of its directory. */
  agent: z.string(),
  args: z.record(z.string(), z.string()),
  /** For steps that name no model. */
  model: z.string().optional(),
  /** What tools may do without a question; a step may have less. */
  approval: ApprovalModeSchema,
  max_cost_usd: z.number().positive().optional(),
  /** Work on this issue, on a branch and in a worktree of its own. */
  issue: IssueNumberSchema.optional(),
  /** The branch that it derives from; the issue, its project or the settings say otherwise. */
  origin: z.string().optional(),
  /** Work on in the worktree and on the branch that a run on this issue left, which has ended. */
  again: z.boolean().optional(),
});

export const FlowResumeParamsSchema = z.strictObject({
  cwd: z.string(),
  /** Of the run, or its beginning or end. */
  run_id: z.string(),
  /** Absent: as when the run was begun. */
  model: z.string().optional(),
  approval: ApprovalModeSchema.optional(),
  /** Absent: a run that stands at such an effect stays as it is. */
  answer: FlowAnswerSchema.optional(),
});

/** What a list shows of a run. */
export const FlowRunSummarySchema = z.strictObject({
  id: z.string(),
  agent: z.string(),
  started_at: z.string(),
  updated_at: z.string(),
  cwd: z.string(),
  /** `running`: some process has it open; `open`: its process was ended, and it can be resumed. */
  state: z.enum(["running", "open", "done", "failed", "stopped"]),
  iterations: z.number(),
  /** Where it is, or was last. */
  step: z.string(),
  usage: UsageWireSchema,
  ...cost,
  error: z.string().optional(),
  /** Who runs it, where that is known. */
  owner: z.strictObject({ pid: z.number(), host: z.string(), since: z.string() }).optional(),
});

export const FlowStatusParamsSchema = z.strictObject({ cwd: z.string(), run_id: z.string() });
export const FlowStatusResultSchema = z.strictObject({
  run: FlowRunSummarySchema,
  args: z.record(z.string(), z.string()),
  /** Absent while the run has not ended. */
  result: FlowResultWireSchema.optional(),
});

export const FlowListParamsSchema = z.strictObject({
  cwd: z.string(),
  /** The runs of all repositories. */
  all: z.boolean(),
  limit: ordinal,
  /** The `next_cursor` of the page before; absent: from the last used on. */
  cursor: z.string().optional(),
});
export const FlowListResultSchema = z.strictObject({
  /** The last used first. */
  runs: z.array(FlowRunSummarySchema),
  /** How many there are in all, readable or not. */
  total: z.number(),
  /** For the next page; absent on the last one. */
  next_cursor: z.string().optional(),
  problems: z.array(z.strictObject({ id: z.string(), problem: z.string() })),
});

const place = { seq: z.number(), at: z.string() };
const transition = { from: z.string(), to: z.string(), reason: z.string(), iteration: ordinal };

/** One record of a run. */
export const FlowLogEntrySchema = z.discriminatedUnion("type", [
  z.strictObject({
    ...place,
    type: z.literal("started"),
    agent: z.string(),
    directory: z.string(),
    cwd: z.string(),
    args: z.record(z.string(), z.string()),
  }),
  z.strictObject({
    ...place,
    type: z.literal("effect.begun"),
    number: ordinal,
    effect: FlowEffectWireSchema,
  }),
  z.strictObject({
    ...place,
    type: z.literal("effect.ended"),
    number: ordinal,
    /** The model's response, or the end of what the command printed. */
    text: z.string(),
    exit_code: z.number().optional(),
    timed_out: z.boolean().optional(),
    failure: FlowFailureWireSchema.optional(),
    session_id: z.string().optional(),
    elapsed_ms: z.number(),
  }),
  z.strictObject({
    ...place,
    type: z.literal("effect.decided"),
    number: ordinal,
    decision: FlowAnswerSchema,
    by: z.enum(["probe", "user", "harmless"]),
  }),
  z.strictObject({ ...place, type: z.literal("iteration"), summary: FlowIterationWireSchema }),
  z.strictObject({ ...place, type: z.literal("transition"), ...transition }),
  z.strictObject({ ...place, type: z.literal("ended"), result: FlowResultWireSchema }),
  z.strictObject({ ...place, type: z.literal("host"), ...flowHostEffect }),
  z.strictObject({ ...place, type: z.literal("work.ended") }),
]);

export const FlowLogParamsSchema = z.strictObject({
  cwd: z.string(),
  run_id: z.string(),
  /** The `next_cursor` of the page before; absent: from the start. */
  cursor: z.string().optional(),
  limit: ordinal,
  /** When there is nothing more and the run goes on: how long to wait for it. */
  wait_ms: z.number().int().nonnegative(),
});

export const FlowLogResultSchema = z.strictObject({
  run_id: z.string(),
  entries: z.array(FlowLogEntrySchema),
  /** Where the next page begins. */
  next_cursor: z.string(),
  /** There may be more, now or later. */
  more: z.boolean(),
  notices: z.array(z.string()),
});

export const FlowCancelParamsSchema = z.strictObject({ run_id: z.string() });
export const FlowCancelResultSchema = RunAcknowledgedSchema;

/** What a run of a flow tells. */
export const FlowEventSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("flow.started"),
    run_id: z.string(),
    agent: z.string(),
    cwd: z.string(),
    resumed: z.boolean(),
    notices: z.array(z.string()),
  }),
  /** The issue is this run's; its worktree is next. */
  z.strictObject({ type: z.literal("flow.work"), run_id: z.string(), work: FlowWorkSchema }),
  z.strictObject({ type: z.literal("flow.host"), ...flowHostEffect }),
  /** Something the user should know that turned out on the way. */
  z.strictObject({ type: z.literal("flow.notice"), text: z.string() }),
  z.strictObject({ type: z.literal("flow.iteration.started"), ...iterationPlace }),
  /** What happens in the session of a step, or of the judge of its check. */
  z.strictObject({
    type: z.literal("flow.activity"),
    step: z.string(),
    purpose: z.enum(["step", "check"]),
    session_id: z.string(),
    event: RunEventSchema,
  }),
  z.strictObject({ type: z.literal("flow.command.started"), step: z.string(), command: z.array(z.string()) }),
  /** An iteration has ended: what its check said, and what the run has used so far. */
  z.strictObject({
    type: z.literal("flow.iteration.finished"),
    summary: FlowIterationWireSchema,
    total: UsageWireSchema,
    total_cost_usd: z.number().optional(),
  }),
  z.strictObject({ type: z.literal("flow.transition"), ...transition }),
  z.strictObject({ type: z.literal("flow.finished"), ...FlowOutcomeSchema.shape }),
]);

export type FlowEvent = z.infer<typeof FlowEventSchema>;
export type FlowOutcome = z.infer<typeof FlowOutcomeSchema>;
export type FlowResultWire = z.infer<typeof FlowResultWireSchema>;
export type FlowIterationWire = z.infer<typeof FlowIterationWireSchema>;
export type FlowFailureWire = z.infer<typeof FlowFailureWireSchema>;
export type FlowEffectWire = z.infer<typeof FlowEffectWireSchema>;
export type FlowRunSummary = z.infer<typeof FlowRunSummarySchema>;
export type FlowLogEntry = z.infer<typeof FlowLogEntrySchema>;
