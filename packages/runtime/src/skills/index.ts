export type { SkillFrontmatter } from "./frontmatter/index.ts";
export { type LoadOptions, loadSkill } from "./load.ts";
export { findMentions } from "./mentions.ts";
export { type OpenSkillsOptions, openCatalog, openSkills, skillIndexDirectory } from "./open.ts";
export { renderCatalog } from "./render-catalog.ts";
export { type SkillRootOptions, skillFolder, skillRoots } from "./roots.ts";
export { normalised, wordsOf } from "./search/index.ts";
export { mentionedSkills } from "./selection.ts";
export { skillSkeleton } from "./skeleton.ts";
export type {
  CatalogLimits,
  CatalogText,
  LoadedSkillText,
  Mention,
  MentionedSkills,
  OpenedCatalog,
  ResolvedSkill,
  SkeletonFile,
  SkillFailure,
  SkillFailureCode,
  SkillLoad,
  SkillProblem,
  SkillResolution,
  SkillRoot,
  SkillSearch,
  SkillSearchOptions,
  SkillSelector,
  Skills,
  SkillValidation,
  ValidatedSkill,
} from "./types.ts";
export { validateSkills } from "./validate.ts";
