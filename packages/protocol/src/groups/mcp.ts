import {
  McpAddParamsSchema,
  McpAddResultSchema,
  McpApproveParamsSchema,
  McpApproveResultSchema,
  McpListParamsSchema,
  McpListResultSchema,
  McpLoginParamsSchema,
  McpLoginResultSchema,
  McpLogoutParamsSchema,
  McpLogoutResultSchema,
  McpRemoveParamsSchema,
  McpRemoveResultSchema,
  McpTestParamsSchema,
  McpTestResultSchema,
} from "../mcp.ts";

export const mcpMethods = {
  "mcp.list": { params: McpListParamsSchema, result: McpListResultSchema },
  "mcp.add": { params: McpAddParamsSchema, result: McpAddResultSchema },
  "mcp.remove": { params: McpRemoveParamsSchema, result: McpRemoveResultSchema },
  "mcp.test": { params: McpTestParamsSchema, result: McpTestResultSchema },
  "mcp.approve": { params: McpApproveParamsSchema, result: McpApproveResultSchema },
  "mcp.login": { params: McpLoginParamsSchema, result: McpLoginResultSchema },
  "mcp.logout": { params: McpLogoutParamsSchema, result: McpLogoutResultSchema },
} as const;
