export { createResolver, isTrustedIn, loadInstructions, type ProjectInstructions } from "./instructions.ts";
export { describeSource, projectNotices } from "./notices.ts";
export {
  locateProject,
  openProject,
  type Project,
  type ProjectTrust,
  readUserSettings,
  trustOf,
} from "./project.ts";
export { requireTrust } from "./require-trust.ts";
export { skillOptions } from "./skills.ts";
