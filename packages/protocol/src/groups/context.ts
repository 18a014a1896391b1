import { ContextInspectParamsSchema, ContextInspectResultSchema } from "../context.ts";

export const contextMethods = {
  "context.inspect": { params: ContextInspectParamsSchema, result: ContextInspectResultSchema },
} as const;
