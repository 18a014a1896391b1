// What one step of a flow hands to the next: which fields its answer must have, and which fields a prompt takes.
import { z } from "zod";

/** Ends up in the name of a variable, so that it holds neither dots nor braces. */
export const identifierPattern = /^[A-Za-z][A-Za-z0-9_-]*$/;

export const OutputFieldTypeSchema = z.enum(["string", "number", "boolean", "object", "array"]);

export const OutputFieldSchema = z.strictObject({
  type: OutputFieldTypeSchema.describe("What the value must be. Nothing is converted."),
  required: z.boolean().optional().describe("Whether it must be there; true by default."),
  description: z.string().optional().describe("What it means; the model is told."),
  default: z.unknown().optional().describe("The value when it is left out; needs required: false."),
});

/** Field name → what it must be; only `$namespace` is a text. */
export const OutputSchemaSchema = z
  .object({
    $namespace: z.string().optional().describe("The step's id; filled in when it is left out."),
  })
  .catchall(z.union([OutputFieldSchema, z.string()]))
  .superRefine((schema, context) => {
    for (const [key, field] of Object.entries(schema)) {
      if (key === "$namespace" || typeof field !== "string") continue;
      context.addIssue({
        code: "custom",
        path: [key],
        message: 'expected an object such as {"type": "string"}',
      });
    }
  });

export const OnMissingSchema = z.enum(["error", "default", "skip"]);

export const InputVariableSchema = z.union([
  z.boolean(),
  z.strictObject({
    required: z.boolean().optional().describe("Whether the step needs it; true by default."),
    default: z.unknown().optional().describe("The value when it is missing."),
    onMissing: OnMissingSchema.optional().describe("What happens when it is missing."),
  }),
]);

export const InputSpecSchema = z.strictObject({
  from_step: z.string().optional().describe("The step that the variables come from."),
  from_steps: z.array(z.string()).min(1).optional().describe("The steps that the variables come from."),
  variables: z
    .record(z.string(), InputVariableSchema)
    .describe('"step.key" → whether it is required; `{uv-step_key}` in the prompt.'),
});

/** One way in which an answer was looked at without success. */
export const ExtractErrorSchema = z.strictObject({
  code: z.literal("ExtractionFailed"),
  strategy: z.enum(["json_block", "whole_response", "key_value"]),
  message: z.string(),
});

export const FieldErrorSchema = z.strictObject({
  code: z.enum(["Missing", "WrongType", "UnknownField"]),
  key: z.string(),
  message: z.string(),
});

/** Step id → its validated output. */
export const StepOutputsSchema = z.record(z.string(), z.record(z.string(), z.unknown()));
