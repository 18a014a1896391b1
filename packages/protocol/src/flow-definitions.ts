// `flow.*` for those who write flow agents: which there are, what is wrong with them, how they look, what they would ask.
import { ApprovalModeSchema } from "@codelia/shared-types";
import { z } from "zod";

const count = z.number().int().nonnegative();

export const WireFlowProblemSchema = z.strictObject({
  severity: z.enum(["error", "warning"]),
  file: z.string(),
  /** RFC 6901; empty for the whole file and for prompts. */
  pointer: z.string(),
  /** Absent when it is about more than one place. */
  line: z.number().optional(),
  column: z.number().optional(),
  code: z.string(),
  message: z.string(),
  /** What to write instead. */
  fix: z.string(),
});

export type WireFlowProblem = z.infer<typeof WireFlowProblemSchema>;

export const FlowAgentsParamsSchema = z.strictObject({ cwd: z.string() });

export const FlowAgentsResultSchema = z.strictObject({
  /** The project's root. */
  root: z.string(),
  /** By name. */
  agents: z.array(
    z.strictObject({
      name: z.string(),
      directory: z.string(),
      /** `untrusted`: nothing but its name was looked at. */
      state: z.enum(["valid", "invalid", "untrusted"]),
      description: z.string().optional(),
      version: z.string().optional(),
      steps: count.optional(),
      parameters: z
        .array(
          z.strictObject({
            name: z.string(),
            description: z.string().optional(),
            required: z.boolean(),
            default: z.string().optional(),
          }),
        )
        .optional(),
      error_count: count,
      warning_count: count,
    }),
  ),
  notices: z.array(z.string()),
});

export const FlowValidateParamsSchema = z.strictObject({
  cwd: z.string(),
  /** Each an agent's name, its directory or agent.json, or a folder above agents; none: the agents of the project. */
  targets: z.array(z.string()),
});

export const FlowValidateResultSchema = z.strictObject({
  agents: z.array(
    z.strictObject({ name: z.string(), directory: z.string(), problems: z.array(WireFlowProblemSchema) }),
  ),
  error_count: count,
  warning_count: count,
});

const amounts = {
  elapsed_ms: z.number().nonnegative(),
  /** Absent when a price is unknown. */
  cost_usd: z.number().nonnegative().optional(),
};

export const WireFlowGraphSchema = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  /** In words, when a run is complete wherever it is. */
  completion: z.string().optional(),
  nodes: z.array(
    z.strictObject({
      /** A step's id, `(start)` or `complete`. */
      id: z.string(),
      kind: z.enum(["start", "step", "end"]),
      description: z.string().optional(),
      check: z.string().optional(),
      run: z
        .strictObject({ visits: count, iterations: count, retries: count, passed: z.boolean(), ...amounts })
        .optional(),
    }),
  ),
  edges: z.array(
    z.strictObject({
      from: z.string(),
      to: z.string(),
      kind: z.enum(["start", "pass", "fail", "retry", "exhausted", "condition"]),
      label: z.string(),
      /** Of the iterations that led along it. */
      run: z.strictObject({ count, ...amounts }).optional(),
    }),
  ),
  run: z
    .strictObject({
      id: z.string(),
      state: z.enum(["succeeded", "failed", "open"]),
      reason: z.string(),
      iterations: count,
      last_step: z.string(),
      ...amounts,
    })
    .optional(),
});

export type WireFlowGraph = z.infer<typeof WireFlowGraphSchema>;

export const FlowGraphParamsSchema = z.strictObject({
  cwd: z.string(),
  /** A name or a path; may be left out when a run is given. */
  agent: z.string().optional(),
  /** Marks what this run did, on the flow that it began with. */
  run: z.string().optional(),
  format: z.enum(["mermaid", "svg"]),
});

export const FlowGraphResultSchema = z.strictObject({
  graph: WireFlowGraphSchema,
  format: z.enum(["mermaid", "svg"]),
  text: z.string(),
});

export const FlowNewParamsSchema = z.strictObject({
  cwd: z.string(),
  name: z.string(),
  description: z.string().optional(),
  /** A folder that holds agents; absent: the project's. */
  dir: z.string().optional(),
});

export const FlowNewResultSchema = z.strictObject({
  name: z.string(),
  directory: z.string(),
  files: z.array(z.string()),
  /** What a model would say, for a run without one. */
  script: z.string(),
  notices: z.array(z.string()),
});

export const FlowPreviewParamsSchema = z.strictObject({
  cwd: z.string(),
  /** A name or a path. */
  agent: z.string(),
  /** Values of parameters; samples stand for those that are missing. */
  params: z.record(z.string(), z.string()),
});

export const FlowPreviewResultSchema = z.strictObject({
  name: z.string(),
  /** In the order of the definition. */
  steps: z.array(
    z.strictObject({
      id: z.string(),
      description: z.string().optional(),
      /** Absent: all. */
      tools: z.array(z.string()).optional(),
      approval: ApprovalModeSchema.optional(),
      model: z.string().optional(),
      /** In words. */
      check: z.string().optional(),
      prompts: z.array(
        z.strictObject({
          kind: z.enum(["step", "retry", "judge"]),
          /** Exactly as a model would get it. */
          text: z.string().optional(),
          problem: z.string().optional(),
        }),
      ),
    }),
  ),
  problem_count: count,
});

export const FlowMigrateParamsSchema = z.strictObject({
  cwd: z.string(),
  /** As for `flow.validate`. */
  targets: z.array(z.string()),
  /** Only says what would be rewritten. */
  dry_run: z.boolean(),
});

export const FlowMigrateResultSchema = z.strictObject({
  agents: z.array(
    z.strictObject({
      name: z.string(),
      directory: z.string(),
      /** Files with something deprecated in them, and each place. */
      files: z.array(z.strictObject({ path: z.string(), changes: z.array(WireFlowProblemSchema) })),
    }),
  ),
  written: z.boolean(),
});
