// What happened in a session, one record an event, in order. Everything that is known of a session is a fold over them.
import { z } from "zod";
import { AgentsRecordSchema } from "../agents/index.ts";
import {
  AssistantMessageSchema,
  SystemMessageSchema,
  ToolMessageSchema,
  UserMessageSchema,
} from "../messages/index.ts";
import {
  FinishReasonSchema,
  ModelFailureSchema,
  ToolDefinitionSchema,
  UsageSchema,
} from "../models/index.ts";
import { DecidingRuleSchema } from "../permissions/index.ts";
import { SystemReminderTypeSchema } from "../reminders/index.ts";
import { LoadedSkillSchema } from "../skills/index.ts";

/** Raised when a reader of the old form would misunderstand the new one. */
export const sessionFormat = 1;

export const PermissionDecisionSchema = z.strictObject({
  decision: z.enum(["allow", "deny"]),
  /** Who decided: a rule, the approval mode, the person, or the lack of one. */
  by: z.enum(["rule", "mode", "user", "no_user"]),
  /** In words, for the model and the person. */
  reason: z.string(),
  /** The rule that decided, when one did. */
  rule: DecidingRuleSchema.optional(),
});

/** Where a run takes place. */
const place = { cwd: z.string(), root: z.string() };

/** A file as the model last saw it, so that a resumed session knows whether somebody changed it. */
export const SeenFileSchema = z.strictObject({
  path: z.string(),
  /** Absent: what was known of it no longer holds. */
  sha256: z.string().optional(),
});

/** A file's state around one change; absent: there is no file. */
const content = z.strictObject({ sha256: z.string(), bytes: z.number().int().nonnegative() });

export const FileChangeRecordSchema = z.strictObject({
  /** Real path. */
  path: z.string(),
  before: content
    .extend({
      /** Where the whole old content is kept. */
      blob: z.string(),
      mode: z.number().int().nonnegative(),
    })
    .optional(),
  after: content.optional(),
});

/** `request`: the user asked for it. */
export const CompactionTriggerSchema = z.enum(["threshold", "overflow", "request"]);

/** An instructions file that was in force when a conversation was compacted. */
export const AgentsInForceSchema = z.strictObject({ path: z.string(), mtimeMs: z.number() });

const turn = z.number().int().nonnegative();

export const SessionRecordSchema = z.discriminatedUnion("type", [
  /** Always the first, and small: a list of sessions reads nothing else. */
  z.strictObject({
    type: z.literal("session.start"),
    format: z.literal(sessionFormat),
    id: z.string(),
    /** The version of the program. */
    program: z.string(),
    ...place,
    /** The project's identity: sessions belong to the repository. */
    repository: z.string(),
    /** As it can be given to -m again. */
    model: z.string(),
    /** The beginning of the first prompt. */
    title: z.string(),
    forkedFrom: z.strictObject({ id: z.string(), seq: z.number().int() }).optional(),
    /** The run of a flow that it is a part of. */
    flow: z.strictObject({ run: z.string(), agent: z.string(), step: z.string() }).optional(),
  }),
  /** Sent with every request, byte for byte. */
  z.strictObject({
    type: z.literal("session.context"),
    prefix: z.array(z.discriminatedUnion("role", [SystemMessageSchema, UserMessageSchema])),
    tools: z.array(ToolDefinitionSchema),
    agents: AgentsRecordSchema,
    /** Paths of the skills that there were; absent: only a part was looked at, or there were none. */
    skills: z.array(z.string()).optional(),
  }),
  z.strictObject({
    type: z.literal("session.resume"),
    program: z.string(),
    ...place,
    model: z.string(),
  }),
  /** What follows is a query of a flow: the effect with this number of its run. */
  z.strictObject({ type: z.literal("flow.query"), run: z.string(), effect: z.number().int().positive() }),
  z.strictObject({ type: z.literal("message.user"), message: UserMessageSchema, steering: z.boolean() }),
  /** A note of the runtime that stands as a message of its own. */
  z.strictObject({
    type: z.literal("reminder"),
    kind: SystemReminderTypeSchema,
    text: z.string(),
    agents: z.array(AgentsRecordSchema),
    /** Skills whose bodies are in the text. */
    skills: z.array(LoadedSkillSchema).optional(),
    /** When the note is about changed skills: the paths of those that there are now. */
    skillsNow: z.array(z.string()).optional(),
  }),
  /** The skills that there were when the session started: told by their number only, looked at later. */
  z.strictObject({ type: z.literal("skills.known"), paths: z.array(z.string()) }),
  /** What was sent, as a reference: the fixed start and this many messages of the conversation. */
  z.strictObject({ type: z.literal("request"), turn, messages: z.number().int().nonnegative() }),
  z.strictObject({
    type: z.literal("message.assistant"),
    turn,
    message: AssistantMessageSchema,
    finish: FinishReasonSchema.optional(),
    /** The response was ended before it was complete. */
    interrupted: z.boolean(),
    usage: UsageSchema.optional(),
  }),
  z.strictObject({ type: z.literal("request.failed"), turn, failure: ModelFailureSchema }),
  /** A request was refused with the images of these records, and answered without them: they stay out. */
  z.strictObject({ type: z.literal("images.refused"), seqs: z.array(z.number().int()), reason: z.string() }),
  z.strictObject({ type: z.literal("permission"), callId: z.string(), decision: PermissionDecisionSchema }),
  z.strictObject({
    type: z.literal("tool.intent"),
    callId: z.string(),
    tool: z.string(),
    title: z.string(),
    /** Something outside the conversation may change: on disk before the call begins, and again when it has ended. */
    effect: z.boolean(),
  }),
  /** Before files are changed: enough to put them back. */
  z.strictObject({
    type: z.literal("files.change"),
    callId: z.string(),
    changes: z.array(FileChangeRecordSchema),
  }),
  z.strictObject({
    type: z.literal("message.tool"),
    message: ToolMessageSchema,
    /** Where the whole output is, when the message holds a part of it. */
    outputRef: z.string().optional(),
    agents: z.array(AgentsRecordSchema),
    /** Skills whose bodies are in the output. */
    skills: z.array(LoadedSkillSchema).optional(),
    seen: z.array(SeenFileSchema),
    /** The session ended before the call did; nobody knows what came of it. */
    interrupted: z.boolean(),
  }),
  z.strictObject({
    type: z.literal("compaction"),
    trigger: CompactionTriggerSchema,
    /** Messages of records before this one are out of the context; `message` stands for them. */
    keptFrom: z.number().int(),
    message: UserMessageSchema,
    /** What `message` is made of; the next compaction goes on from it. Oldest first. */
    summaries: z.array(z.string()),
    instructions: z.array(UserMessageSchema),
    agentsInForce: z.array(AgentsInForceSchema),
    /** Outputs of kept calls that were shortened, with the text that stands there now. */
    trimmed: z.array(z.strictObject({ seq: z.number().int(), output: z.string() })),
    usage: UsageSchema.optional(),
  }),
  z.strictObject({
    type: z.literal("compaction.failed"),
    trigger: CompactionTriggerSchema,
    reason: z.string(),
    usage: UsageSchema.optional(),
  }),
  z.strictObject({
    type: z.literal("limit"),
    limit: z.enum(["turns", "cost", "output", "context"]),
    message: z.string(),
  }),
  z.strictObject({
    type: z.literal("run.end"),
    status: z.enum(["done", "failed", "limit", "interrupted"]),
  }),
  /** Files are about to be put back as they were before the prompt with this number. */
  z.strictObject({
    type: z.literal("undo.intent"),
    prompt: z.number().int(),
    paths: z.array(z.string()),
  }),
  z.strictObject({
    type: z.literal("undo"),
    prompt: z.number().int(),
    paths: z.array(z.string()),
  }),
]);
