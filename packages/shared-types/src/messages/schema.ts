// The conversation in our own form. It is turned into a provider's once, at the boundary in `models`.
import { z } from "zod";

/** What a provider wants back unchanged (signatures, item ids); nobody else looks inside. */
const providerData = z.record(z.string(), z.unknown()).optional();

export const TextPartSchema = z.strictObject({ type: z.literal("text"), text: z.string(), providerData });

export const ImagePartSchema = z.strictObject({
  type: z.literal("image"),
  /** `image/png` and the like. */
  mediaType: z.string(),
  /** Base64. */
  data: z.string(),
});

/** An image that a tool shows. */
export const ToolImageSchema = ImagePartSchema.extend({
  /** What it is of, for the model: `screens/a.png`. */
  label: z.string(),
});

export const ReasoningPartSchema = z.strictObject({
  type: z.literal("reasoning"),
  text: z.string(),
  providerData,
});

export const ToolCallPartSchema = z.strictObject({
  type: z.literal("tool_call"),
  id: z.string(),
  name: z.string(),
  /** JSON text exactly as the model wrote it; it may be malformed. */
  arguments: z.string(),
  providerData,
});

export const SystemMessageSchema = z.strictObject({ role: z.literal("system"), text: z.string() });

export const UserMessageSchema = z.strictObject({
  role: z.literal("user"),
  content: z.array(z.discriminatedUnion("type", [TextPartSchema, ImagePartSchema])),
});

export const AssistantMessageSchema = z.strictObject({
  role: z.literal("assistant"),
  content: z.array(z.discriminatedUnion("type", [TextPartSchema, ReasoningPartSchema, ToolCallPartSchema])),
});

export const ToolMessageSchema = z.strictObject({
  role: z.literal("tool"),
  toolCallId: z.string(),
  toolName: z.string(),
  output: z.string(),
  /** Providers take no images in a result, or not all of them do: they are sent behind all results of the turn. */
  images: z.array(ToolImageSchema).optional(),
  isError: z.boolean(),
});

export const MessageSchema = z.discriminatedUnion("role", [
  SystemMessageSchema,
  UserMessageSchema,
  AssistantMessageSchema,
  ToolMessageSchema,
]);
