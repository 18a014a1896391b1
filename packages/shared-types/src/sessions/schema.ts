// What happened in a session, one record an event, in order. History is a fold over them.
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

export const PermissionDecisionSchema = z.strictObject({
  decision: z.enum(["allow", "deny"]),
  /** Who decided: a rule, the approval mode, the person, or the lack of one. */
  by: z.enum(["rule", "mode", "user", "no_user"]),
  /** In words, for the model and the person. */
  reason: z.string(),
});

export const SessionRecordSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("session.start"),
    id: z.string(),
    cwd: z.string(),
    model: z.string(),
    /** Sent with every request, byte for byte. */
    prefix: z.array(z.discriminatedUnion("role", [SystemMessageSchema, UserMessageSchema])),
    tools: z.array(ToolDefinitionSchema),
    agents: AgentsRecordSchema,
  }),
  z.strictObject({ type: z.literal("message.user"), message: UserMessageSchema, steering: z.boolean() }),
  z.strictObject({ type: z.literal("request"), turn: z.number().int(), messages: z.number().int() }),
  z.strictObject({
    type: z.literal("message.assistant"),
    turn: z.number().int(),
    message: AssistantMessageSchema,
    finish: FinishReasonSchema.optional(),
    /** The response was ended before it was complete. */
    interrupted: z.boolean(),
    usage: UsageSchema.optional(),
  }),
  z.strictObject({ type: z.literal("request.failed"), turn: z.number().int(), failure: ModelFailureSchema }),
  z.strictObject({ type: z.literal("tool.intent"), callId: z.string(), tool: z.string(), title: z.string() }),
  z.strictObject({ type: z.literal("permission"), callId: z.string(), decision: PermissionDecisionSchema }),
  z.strictObject({
    type: z.literal("message.tool"),
    message: ToolMessageSchema,
    /** Where the whole output is, when the message holds a part of it. */
    outputRef: z.string().optional(),
    agents: z.array(AgentsRecordSchema),
  }),
  z.strictObject({
    type: z.literal("limit"),
    limit: z.enum(["turns", "cost", "output"]),
    message: z.string(),
  }),
]);
