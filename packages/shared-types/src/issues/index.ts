import type { z } from "zod";
import type {
  BranchFieldSchema,
  FinalisePlanSchema,
  FinaliseSettingsSchema,
  IssueSchema,
  IssuesSettingsSchema,
  IssueWorkSchema,
  OriginBranchSchema,
  OriginSourceSchema,
  WorkClaimSchema,
} from "./schema.ts";

export * from "./schema.ts";

export type Issue = z.infer<typeof IssueSchema>;
export type BranchField = z.infer<typeof BranchFieldSchema>;
export type OriginSource = z.infer<typeof OriginSourceSchema>;
export type OriginBranch = z.infer<typeof OriginBranchSchema>;
export type FinaliseSettings = z.infer<typeof FinaliseSettingsSchema>;
export type FinalisePlan = z.infer<typeof FinalisePlanSchema>;
export type IssueWork = z.infer<typeof IssueWorkSchema>;
export type WorkClaim = z.infer<typeof WorkClaimSchema>;
export type IssuesSettings = z.infer<typeof IssuesSettingsSchema>;
