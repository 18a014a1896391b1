import type { z } from "zod";
import type {
  LoadedSkillSchema,
  SkillCatalogSchema,
  SkillLoadErrorSchema,
  SkillMetadataSchema,
  SkillScopeSchema,
  SkillSearchReasonSchema,
  SkillSearchResultSchema,
  SkillsConfigSchema,
  SkillsSettingsSchema,
} from "./schema.ts";

export * from "./schema.ts";

export type SkillScope = z.infer<typeof SkillScopeSchema>;
export type SkillMetadata = z.infer<typeof SkillMetadataSchema>;
export type SkillLoadError = z.infer<typeof SkillLoadErrorSchema>;
export type SkillCatalog = z.infer<typeof SkillCatalogSchema>;
export type SkillSearchReason = z.infer<typeof SkillSearchReasonSchema>;
export type SkillSearchResult = z.infer<typeof SkillSearchResultSchema>;
export type LoadedSkill = z.infer<typeof LoadedSkillSchema>;
export type SkillsSettings = z.infer<typeof SkillsSettingsSchema>;
export type SkillsConfig = z.infer<typeof SkillsConfigSchema>;
