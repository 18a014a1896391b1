// `run.*` and what a run tells and asks while it works.
import {
  ApprovalModeSchema,
  CompactionTriggerSchema,
  DecidingRuleSchema,
  PermissionRuleSchema,
} from "@codelia/shared-types";
import { z } from "zod";
import { ClientServerSchema } from "./mcp.ts";

/** An id may be given by its beginning or its end. */
export const SessionChoiceSchema = z.discriminatedUnion("how", [
  z.strictObject({ how: z.literal("resume"), id: z.string() }),
  /** A copy, from which both go their own ways. */
  z.strictObject({ how: z.literal("fork"), id: z.string() }),
  /** The one that `session.prepare` gave an id for; it begins now, unless an earlier run began it. */
  z.strictObject({ how: z.literal("prepared"), id: z.string() }),
  /** The last one of this directory's project. */
  z.strictObject({ how: z.literal("continue") }),
]);

export const RunStartParamsSchema = z.strictObject({
  cwd: z.string(),
  /** Empty: a session that was interrupted goes on. */
  prompt: z.string(),
  images: z.array(z.strictObject({ media_type: z.string(), data: z.string() })),
  /** Texts that the user added to the prompt, such as the content of an editor's buffer. */
  attachments: z.array(z.strictObject({ name: z.string(), text: z.string() })).optional(),
  /** `provider/model`; absent: the configured or the first usable one. */
  model: z.string().optional(),
  approval: ApprovalModeSchema,
  max_turns: z.number().int().positive().optional(),
  max_cost_usd: z.number().positive().optional(),
  /** Write what the model says to this file. */
  record: z.string().optional(),
  /** Take what the model says from this file. */
  replay: z.string().optional(),
  /** Variables for commands that the agent runs, on top of the user's. */
  env: z.record(z.string(), z.string()).optional(),
  /** Used besides those of the settings, once the person approves them. */
  mcp_servers: z.array(ClientServerSchema).optional(),
  /** The session to go on with; absent: a new one. */
  session: SessionChoiceSchema.optional(),
  /** false: a full context ends the run instead of being compacted. */
  compact: z.boolean(),
  /** true: `paths` and `changes` are told with calls that have them. */
  include_files: z.boolean().optional(),
});

/** A file's text before and after a change that a call plans; absent: there is no file. */
export const WireFileChangeSchema = z.strictObject({
  /** Absolute. */
  path: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
});

export type WireFileChange = z.infer<typeof WireFileChangeSchema>;

/** Only with `include_files`. What is longer than 1 MiB is left out. */
const changes = z.array(WireFileChangeSchema).optional();

export const UsageWireSchema = z.strictObject({
  input_tokens: z.number(),
  cached_input_tokens: z.number(),
  cache_write_tokens: z.number(),
  output_tokens: z.number(),
});

export type UsageWire = z.infer<typeof UsageWireSchema>;

export const RunStatusSchema = z.enum(["done", "failed", "limit", "interrupted", "needs_permission"]);

export const RunStartResultSchema = z.strictObject({
  run_id: z.string(),
  session_id: z.string(),
  status: RunStatusSchema,
  /** The model's last words. */
  text: z.string(),
  /** What went wrong, or which limit was reached, in words. */
  error: z.string().optional(),
  hint: z.string().optional(),
  turns: z.number(),
  usage: UsageWireSchema,
  /** Absent when the model's price is not known. */
  cost_usd: z.number().optional(),
  /** Calls that were refused because nobody could be asked. */
  refused_calls: z.number(),
});

const callId = z.string();

/** An item of the model's own list. */
export const TodoItemWireSchema = z.strictObject({
  text: z.string(),
  state: z.enum(["open", "doing", "done"]),
});

export type TodoItemWire = z.infer<typeof TodoItemWireSchema>;

/** One line each with `--json`. `seq` counts from 1 without gaps. */
export const RunEventSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("run.started"),
    run_id: z.string(),
    session_id: z.string(),
    resumed: z.boolean(),
    model: z.string(),
    cwd: z.string(),
    root: z.string(),
    instruction_files: z.array(z.string()),
    notices: z.array(z.string()),
  }),
  /** Something the user should know that turned out on the way. */
  z.strictObject({ type: z.literal("run.notice"), text: z.string() }),
  z.strictObject({ type: z.literal("turn.started"), turn: z.number() }),
  z.strictObject({ type: z.literal("user.message"), text: z.string(), steering: z.boolean() }),
  z.strictObject({ type: z.literal("text.delta"), text: z.string() }),
  z.strictObject({ type: z.literal("reasoning.delta"), text: z.string() }),
  z.strictObject({
    type: z.literal("turn.restarted"),
    attempt: z.number(),
    reason: z.string(),
    delay_ms: z.number(),
  }),
  z.strictObject({
    type: z.literal("tool.started"),
    call_id: callId,
    tool: z.string(),
    title: z.string(),
    /** The change that is made, as a diff, where the call is one. */
    preview: z.string().optional(),
    /** Absolute paths that the call names; only with `include_files`. */
    paths: z.array(z.string()).optional(),
    changes,
  }),
  z.strictObject({
    type: z.literal("permission.decided"),
    call_id: callId,
    tool: z.string(),
    decision: z.enum(["allow", "deny"]),
    by: z.enum(["rule", "mode", "user", "no_user"]),
    reason: z.string(),
    /** The rule that decided, when one did. */
    rule: DecidingRuleSchema.optional(),
  }),
  z.strictObject({
    type: z.literal("tool.finished"),
    call_id: callId,
    tool: z.string(),
    title: z.string(),
    output: z.string(),
    is_error: z.boolean(),
    duration_ms: z.number(),
  }),
  /** The model's own list is another one; comes after the end of the call that changed it. */
  z.strictObject({ type: z.literal("todo.changed"), items: z.array(TodoItemWireSchema) }),
  z.strictObject({
    type: z.literal("usage"),
    turn: z.number(),
    usage: UsageWireSchema,
    total: UsageWireSchema,
    cost_usd: z.number().optional(),
  }),
  z.strictObject({
    type: z.literal("compaction.started"),
    trigger: CompactionTriggerSchema,
    /** Of the next request, estimated. */
    tokens: z.number(),
  }),
  z.strictObject({ type: z.literal("compaction.finished"), tokens: z.number() }),
  z.strictObject({ type: z.literal("compaction.failed"), reason: z.string() }),
  z.strictObject({ type: z.literal("run.finished"), ...RunStartResultSchema.shape }),
]);

export type RunEvent = z.infer<typeof RunEventSchema>;

export const RunSteerParamsSchema = z.strictObject({ run_id: z.string(), text: z.string().min(1) });
export const RunCancelParamsSchema = z.strictObject({ run_id: z.string() });
export const RunAcknowledgedSchema = z.strictObject({ found: z.boolean() });

/** The server asks the person. */
export const ConfirmParamsSchema = z.strictObject({
  call_id: callId,
  tool: z.string(),
  title: z.string(),
  /** The whole command, the paths or the URL. */
  detail: z.string(),
  preview: z.string().optional(),
  changes,
  /** Why it is asked. */
  why: z.string(),
  /** What `allow_always` would put into the user's config.json. Absent: it cannot be answered so. */
  remember: z.array(PermissionRuleSchema).optional(),
  /** What `allow_always` would keep that is no rule, in words: the approval of an MCP server. */
  keeps: z.string().optional(),
});

export const ConfirmResultSchema = z.strictObject({
  decision: z.enum(["allow_once", "allow_session", "allow_always", "deny"]),
  reason: z.string().optional(),
});

export type ConfirmParams = z.infer<typeof ConfirmParamsSchema>;
export type ConfirmResult = z.infer<typeof ConfirmResultSchema>;

export const ModelsListParamsSchema = z.strictObject({});
export const ModelsListResultSchema = z.strictObject({
  default_model: z.string().optional(),
  providers: z.array(
    z.strictObject({
      name: z.string(),
      usable: z.boolean(),
      /** Where the key came from, or what is missing. */
      why: z.string(),
      models: z.array(z.string()),
    }),
  ),
});

/** `provider/model`, for every run that names no other. */
export const ModelsSetParamsSchema = z.strictObject({ model: z.string() });
export const ModelsSetResultSchema = z.strictObject({
  model: z.string(),
  /** false: it was so already. */
  changed: z.boolean(),
  /** The config file that says so. */
  file: z.string(),
  /** Another setting goes before the file's, as in `codelia config`: this one is taken. */
  overridden_by: z.string().optional(),
});

export const DemoPrepareParamsSchema = z.strictObject({});
export const DemoPrepareResultSchema = z.strictObject({
  directory: z.string(),
  prompt: z.string(),
  model: z.string(),
  env: z.record(z.string(), z.string()),
  /** Why commands cannot run in a sandbox here, and what to do about it. */
  no_sandbox: z.string().optional(),
});
