// A flow agent as it is written down: agent.json and steps.json.
import { z } from "zod";
import { ApprovalModeSchema } from "../permissions/index.ts";
import { InputSpecSchema, identifierPattern, OutputSchemaSchema } from "./handoff-schema.ts";

const text = z.string().min(1);
const count = z.number().int().min(1);
const milliseconds = z.number().int().min(1);

/** A step's id. `complete` is the end of a flow, so that no step can have that name. */
export const StepIdSchema = z
  .string()
  .regex(identifierPattern, { error: "expected letters, digits, _ and -, beginning with a letter" })
  .refine((id) => id !== "complete", {
    error: "`complete` is the end of a flow; give the step another name",
  });

const relativePath = text.refine((path) => !/^([/\\]|[A-Za-z]:)/.test(path), {
  error: "expected a path below the agent's directory",
});

const c3lName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const path = { path: relativePath.describe("A file below the agent's directory.") };
const c3l = {
  c3l: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*){2}$/, {
      error: 'expected three names, "c1/c2/c3"',
    })
    .describe('"c1/c2/c3": the file is `prompts/c1/c2/c3/f_<edition>[_<adaptation>].md`.'),
  edition: z.string().regex(c3lName).optional().describe("`default` when it is left out."),
  adaptation: z.string().regex(c3lName).optional().describe("A variant of the edition."),
};

const plainReference = z.union([relativePath, z.strictObject(path), z.strictObject(c3l)]);
const fallback = plainReference.optional().describe("Where to look when there is no such file.");

export const PromptReferenceSchema = z.union([
  relativePath,
  z.strictObject({ ...path, fallback }),
  z.strictObject({ ...c3l, fallback }),
]);

const IterationBudgetSchema = z.strictObject({
  type: z.literal("iterationBudget").describe("Complete after a number of iterations."),
  iterations: count.describe("The run is complete after this many iterations."),
});

const KeywordSignalSchema = z.strictObject({
  type: z.literal("keywordSignal").describe("Complete when the model says a word."),
  keyword: text
    .refine((keyword) => keyword.trim() === keyword && !/[\r\n]/.test(keyword), {
      error: "expected one line without white space around it",
    })
    .describe("What the model writes when it is done."),
  match: z
    .enum(["line", "contains"])
    .optional()
    .describe("`line`, the default: alone on a line. `contains`: anywhere in the response."),
});

const CompositeSchema = z.strictObject({
  type: z.literal("composite").describe("A combination of conditions."),
  mode: z.enum(["any", "all"]).describe("`any`: complete with the first that holds. `all`: when all hold."),
  get conditions(): z.ZodArray<
    z.ZodDiscriminatedUnion<
      [typeof IterationBudgetSchema, typeof KeywordSignalSchema, typeof CompositeSchema]
    >
  > {
    return z.array(CompletionSchema).min(1).describe("Further conditions; they can be nested.");
  },
});

export const CompletionSchema = z.discriminatedUnion("type", [
  IterationBudgetSchema,
  KeywordSignalSchema,
  CompositeSchema,
]);

export const CompletionTypeSchema = z.enum(["iterationBudget", "keywordSignal", "composite"]);

/** A step's id, or `complete`. */
const target = z.union([StepIdSchema, z.literal("complete")]);

export const BranchSchema = z.strictObject({
  on: text.describe("A field of the step's output."),
  cases: z.record(z.string(), target).describe("Its value → the next step, or `complete`."),
  default: target.describe("For every other value, and when there is none."),
});

const transitionNames = ["next", "retry", "fallback", "complete", "branch"] as const;

export const TransitionSchema = z
  .strictObject({
    next: StepIdSchema.optional().describe("Go on with this step."),
    retry: z.literal(true).optional().describe("Do the step again, as often as `retries` allows."),
    fallback: StepIdSchema.optional().describe("Go on with this step instead of the usual one."),
    complete: z.literal(true).optional().describe("The flow is complete."),
    branch: BranchSchema.optional().describe("Choose by a value of the output."),
  })
  .refine((transition) => transitionNames.filter((name) => transition[name] !== undefined).length === 1, {
    error: `expected exactly one of ${transitionNames.join(", ")}`,
  });

export const OnExhaustedSchema = z.union([
  z.enum(["error", "skip"]),
  z.strictObject({ fallback: StepIdSchema.describe("The step to go on with.") }),
]);

export const StepCheckSpecSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("schema").describe("The output alone; no model is asked."),
    strict: z.boolean().optional().describe("Refuse fields that the output schema does not name."),
  }),
  z.strictObject({
    type: z.literal("command").describe("A program; it passes with exit code 0."),
    command: z
      .array(z.string())
      .min(1)
      .refine((words) => words[0] !== "" && !words.some((word) => word.includes("\0")), {
        error: "expected a program and its arguments, none of them with a NUL",
      })
      .describe("The program and its arguments. No shell reads them, and no variable is put in."),
    timeoutMs: milliseconds.optional().describe("When it is ended; ten minutes by default."),
    repeatable: z
      .boolean()
      .optional()
      .describe("Running it once more does no harm: after a crash nobody needs to be asked."),
  }),
  z.strictObject({
    type: z.literal("prompt").describe("A judge: a model in a session of its own."),
    prompt: PromptReferenceSchema.describe("Asks for {result, message}; `{run-response}` is what is judged."),
    tools: z.array(text).optional().describe("Tools that the judge may use; none by default."),
  }),
]);

export const StepLimitsSchema = z.strictObject({
  iterations: count.optional().describe("Of this step in one run."),
  visits: count.optional().describe("How often the flow may come to this step; 10 by default."),
  timeMs: milliseconds.optional().describe("For one iteration of this step."),
  tokens: count.optional().describe("Input and output of this step in one run."),
  costUsd: z.number().positive().optional().describe("Of this step in one run."),
});

export const RunLimitsSchema = z.strictObject({
  iterations: count.optional().describe("The hard cap: the run fails there; 100 by default."),
  visits: count.optional().describe("How often the flow may come to the same step; 10 by default."),
  timeMs: milliseconds.optional().describe("For the run."),
  tokens: count.optional().describe("Input and output of the run."),
  costUsd: z.number().positive().optional().describe("Of the run."),
});

export const FlowStepSchema = z.strictObject({
  description: z.string().optional().describe("What the step is for."),
  prompt: PromptReferenceSchema.describe("What the model is asked."),
  retryPrompt: PromptReferenceSchema.optional().describe(
    "What it is asked after a failed check; without it the prompt again, with what the check said.",
  ),
  inputs: InputSpecSchema.optional().describe("What the prompt takes from earlier steps."),
  output: OutputSchemaSchema.optional().describe("The fields that the answer must have."),
  check: StepCheckSpecSchema.optional().describe("What must hold before the flow goes on."),
  onPass: TransitionSchema.describe("Where the flow goes when the check passes."),
  onFail: TransitionSchema.optional().describe("Where it goes otherwise; a retry by default."),
  retries: z
    .number()
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe("How often the step is done again; 3 by default."),
  onExhausted: OnExhaustedSchema.optional().describe("What happens then; an error by default."),
  tools: z.array(text).optional().describe("The tools that the step may use; all when it is left out."),
  approval: ApprovalModeSchema.optional().describe("What its tools may do without a question."),
  model: text.optional().describe("The model, as provider/model."),
  limits: StepLimitsSchema.optional().describe("Where the step ends the run."),
});

export const ParameterSchema = z.strictObject({
  description: z.string().optional().describe("What it is for."),
  required: z.boolean().optional().describe("Whether a run needs it; true without a default."),
  default: z.string().optional().describe("Its value when it is not given."),
});

export const RecoverySchema = z.strictObject({
  maxAttempts: count
    .max(20)
    .optional()
    .describe("How often a query is tried, the first included; 4 by default."),
  baseDelayMs: milliseconds.optional().describe("The first wait is up to this long; 1000 by default."),
  maxDelayMs: milliseconds.optional().describe("No wait of our own is longer; 60000 by default."),
});

const version = z
  .string()
  .regex(/^\d+\.\d+(\.\d+)?$/, { error: 'expected a version such as "1.0"' })
  .optional()
  .describe('The form of the file; "1.0" when it is left out.');

const $schema = z.string().optional().describe("For editors: where the JSON Schema of this file is.");

const steps = z
  .record(StepIdSchema, FlowStepSchema)
  .describe("Step id → what it does. The first one is the entry.");

export const AgentFileSchema = z.strictObject({
  $schema,
  version,
  name: text.optional().describe("The directory's name when it is left out."),
  description: z.string().optional().describe("What the agent is for."),
  parameters: z
    .record(z.string().regex(identifierPattern), ParameterSchema)
    .optional()
    .describe("What a run is given with --param; `{param-name}` in a prompt."),
  entry: StepIdSchema.optional().describe("Where a run begins; the first step when it is left out."),
  completion: CompletionSchema.optional().describe("When a run is complete, besides a step that says so."),
  limits: RunLimitsSchema.optional().describe("Where a run fails."),
  recovery: RecoverySchema.optional().describe("How failures of the connection are handled."),
  fallbackDir: relativePath.optional().describe("Where prompts are looked for last."),
  steps: steps.optional().describe("The steps, unless steps.json has them."),
});

export const StepsFileSchema = z.strictObject({ $schema, version, steps });
