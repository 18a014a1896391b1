export { describeSource, projectNotices } from "./notices.ts";
export { locateProject, openProject, type Project, type ProjectTrust, trustOf } from "./project.ts";
