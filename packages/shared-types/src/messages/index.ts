import type { z } from "zod";
import type {
  AssistantMessageSchema,
  ImagePartSchema,
  MessageSchema,
  ReasoningPartSchema,
  SystemMessageSchema,
  TextPartSchema,
  ToolCallPartSchema,
  ToolImageSchema,
  ToolMessageSchema,
  UserMessageSchema,
} from "./schema.ts";

export { imageMediaType, maxImageBase64, maxImageBytes } from "./image-type.ts";
export * from "./schema.ts";

export type TextPart = z.infer<typeof TextPartSchema>;
export type ImagePart = z.infer<typeof ImagePartSchema>;
export type ReasoningPart = z.infer<typeof ReasoningPartSchema>;
export type ToolCallPart = z.infer<typeof ToolCallPartSchema>;
export type SystemMessage = z.infer<typeof SystemMessageSchema>;
export type UserMessage = z.infer<typeof UserMessageSchema>;
export type AssistantMessage = z.infer<typeof AssistantMessageSchema>;
export type ToolImage = z.infer<typeof ToolImageSchema>;
export type ToolMessage = z.infer<typeof ToolMessageSchema>;
export type Message = z.infer<typeof MessageSchema>;
