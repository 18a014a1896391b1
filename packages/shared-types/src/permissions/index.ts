import type { z } from "zod";
import type {
  ApprovalModeSchema,
  DecidingRuleSchema,
  PermissionRuleSchema,
  PermissionsConfigSchema,
  PermissionsSettingsSchema,
} from "./schema.ts";

export * from "./schema.ts";

export type ApprovalMode = z.infer<typeof ApprovalModeSchema>;
export type PermissionRule = z.infer<typeof PermissionRuleSchema>;
export type PermissionsSettings = z.infer<typeof PermissionsSettingsSchema>;
export type PermissionsConfig = z.infer<typeof PermissionsConfigSchema>;
export type DecidingRule = z.infer<typeof DecidingRuleSchema>;
