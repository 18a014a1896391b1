import {
  SkillsListParamsSchema,
  SkillsListResultSchema,
  SkillsNewParamsSchema,
  SkillsNewResultSchema,
  SkillsSearchParamsSchema,
  SkillsSearchResultSchema,
  SkillsSetEnabledParamsSchema,
  SkillsSetEnabledResultSchema,
  SkillsShowParamsSchema,
  SkillsShowResultSchema,
  SkillsValidateParamsSchema,
  SkillsValidateResultSchema,
} from "../skills.ts";

export const skillsMethods = {
  "skills.list": { params: SkillsListParamsSchema, result: SkillsListResultSchema },
  "skills.search": { params: SkillsSearchParamsSchema, result: SkillsSearchResultSchema },
  "skills.show": { params: SkillsShowParamsSchema, result: SkillsShowResultSchema },
  "skills.validate": { params: SkillsValidateParamsSchema, result: SkillsValidateResultSchema },
  "skills.set_enabled": { params: SkillsSetEnabledParamsSchema, result: SkillsSetEnabledResultSchema },
  "skills.new": { params: SkillsNewParamsSchema, result: SkillsNewResultSchema },
} as const;
