import type { z } from "zod";
import type {
  AgentFileSchema,
  BranchSchema,
  CompletionSchema,
  CompletionTypeSchema,
  FlowStepSchema,
  OnExhaustedSchema,
  ParameterSchema,
  PromptReferenceSchema,
  RecoverySchema,
  RunLimitsSchema,
  StepCheckSpecSchema,
  StepLimitsSchema,
  StepsFileSchema,
  TransitionSchema,
} from "./definition-schema.ts";
import type {
  ExtractErrorSchema,
  FieldErrorSchema,
  InputSpecSchema,
  InputVariableSchema,
  OutputFieldSchema,
  OutputFieldTypeSchema,
  OutputSchemaSchema,
  StepOutputsSchema,
} from "./handoff-schema.ts";
import type {
  CommandResultSchema,
  EffectIntentSchema,
  EffectOutcomeSchema,
  FlowDefinitionSchema,
  FlowRecordSchema,
  HostIntentSchema,
  HostOutcomeSchema,
  QueryResultSchema,
  SpentSchema,
} from "./journal-schema.ts";
import type {
  AgentResultSchema,
  ContextCarrySchema,
  FlowFailureSchema,
  IterationSummarySchema,
  StepCheckResultSchema,
} from "./result-schema.ts";

export * from "./definition-schema.ts";
export * from "./handoff-schema.ts";
export * from "./journal-schema.ts";
export * from "./result-schema.ts";

export type AgentFile = z.infer<typeof AgentFileSchema>;
export type StepsFile = z.infer<typeof StepsFileSchema>;
export type FlowStep = z.infer<typeof FlowStepSchema>;
export type FlowParameter = z.infer<typeof ParameterSchema>;
export type PromptReference = z.infer<typeof PromptReferenceSchema>;
export type CompletionSpec = z.infer<typeof CompletionSchema>;
export type CompletionType = z.infer<typeof CompletionTypeSchema>;
export type Transition = z.infer<typeof TransitionSchema>;
export type Branch = z.infer<typeof BranchSchema>;
export type OnExhausted = z.infer<typeof OnExhaustedSchema>;
export type StepCheckSpec = z.infer<typeof StepCheckSpecSchema>;
export type StepLimits = z.infer<typeof StepLimitsSchema>;
export type RunLimits = z.infer<typeof RunLimitsSchema>;
export type Recovery = z.infer<typeof RecoverySchema>;

export type OutputSchema = z.infer<typeof OutputSchemaSchema>;
export type OutputField = z.infer<typeof OutputFieldSchema>;
export type OutputFieldType = z.infer<typeof OutputFieldTypeSchema>;
export type InputSpec = z.infer<typeof InputSpecSchema>;
export type InputVariable = z.infer<typeof InputVariableSchema>;
export type ExtractError = z.infer<typeof ExtractErrorSchema>;
export type FieldError = z.infer<typeof FieldErrorSchema>;
export type StepOutputs = z.infer<typeof StepOutputsSchema>;

export type AgentResult = z.infer<typeof AgentResultSchema>;
export type FlowFailure = z.infer<typeof FlowFailureSchema>;
export type IterationSummary = z.infer<typeof IterationSummarySchema>;
export type StepCheckResult = z.infer<typeof StepCheckResultSchema>;
export type ContextCarry = z.infer<typeof ContextCarrySchema>;

export type FlowDefinition = z.infer<typeof FlowDefinitionSchema>;
export type FlowRecord = z.infer<typeof FlowRecordSchema>;
export type FlowRecordOf<T extends FlowRecord["type"]> = Extract<FlowRecord, { type: T }>;
export type QueryResult = z.infer<typeof QueryResultSchema>;
export type Spent = z.infer<typeof SpentSchema>;
export type CommandResult = z.infer<typeof CommandResultSchema>;
export type EffectIntent = z.infer<typeof EffectIntentSchema>;
export type EffectOutcome = z.infer<typeof EffectOutcomeSchema>;
export type HostIntent = z.infer<typeof HostIntentSchema>;
export type HostOutcome = z.infer<typeof HostOutcomeSchema>;
