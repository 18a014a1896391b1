import type { z } from "zod";
import type {
  McpApprovalSchema,
  McpHttpServerSchema,
  McpLoginSchema,
  McpServerConfigSchema,
  McpSettingsSchema,
  McpStdioServerSchema,
  McpToolSchema,
} from "./schema.ts";

export * from "./schema.ts";

export type McpStdioServer = z.infer<typeof McpStdioServerSchema>;
export type McpHttpServer = z.infer<typeof McpHttpServerSchema>;
export type McpServerConfig = z.infer<typeof McpServerConfigSchema>;
export type McpSettings = z.infer<typeof McpSettingsSchema>;
export type McpTool = z.infer<typeof McpToolSchema>;
export type McpApproval = z.infer<typeof McpApprovalSchema>;
export type McpLogin = z.infer<typeof McpLoginSchema>;
