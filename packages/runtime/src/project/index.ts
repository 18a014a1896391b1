export { describeSource, projectNotices } from "./notices.ts";
export {
  locateProject,
  openProject,
  type Project,
  type ProjectTrust,
  readUserSettings,
  trustOf,
} from "./project.ts";
