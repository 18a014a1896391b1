export {
  type Checked,
  checkFields,
  maxDescriptionLength,
  maxNameLength,
  type SkillFrontmatter,
} from "./check.ts";
export { type FrontmatterReader, readFrontmatter, yamlReader } from "./read.ts";
export { hasBom, maxHeadBytes, type Problem, type Split, splitFrontmatter } from "./split.ts";
