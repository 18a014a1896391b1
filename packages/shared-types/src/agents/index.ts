import type { z } from "zod";
import type {
  AgentsBundleSchema,
  AgentsConfigSchema,
  AgentsFileKindSchema,
  AgentsFileSchema,
  AgentsFileVersionSchema,
  AgentsRecordSchema,
  AgentsRemovalSchema,
  AgentsResolutionSchema,
  AgentsRootSchema,
  AgentsSettingsSchema,
  AgentsSkipReasonSchema,
  AgentsSkipSchema,
  ResolvedAgentsSchema,
} from "./schema.ts";

export * from "./schema.ts";

export type AgentsConfig = z.infer<typeof AgentsConfigSchema>;
export type AgentsSettings = z.infer<typeof AgentsSettingsSchema>;
export type ResolvedAgents = z.infer<typeof ResolvedAgentsSchema>;
export type AgentsFileVersion = z.infer<typeof AgentsFileVersionSchema>;
export type AgentsFileKind = z.infer<typeof AgentsFileKindSchema>;
export type AgentsFile = z.infer<typeof AgentsFileSchema>;
export type AgentsSkip = z.infer<typeof AgentsSkipSchema>;
export type AgentsSkipReason = z.infer<typeof AgentsSkipReasonSchema>;
export type AgentsRoot = z.infer<typeof AgentsRootSchema>;
export type AgentsBundle = z.infer<typeof AgentsBundleSchema>;
export type AgentsRemoval = z.infer<typeof AgentsRemovalSchema>;
export type AgentsResolution = z.infer<typeof AgentsResolutionSchema>;
export type AgentsRecord = z.infer<typeof AgentsRecordSchema>;
