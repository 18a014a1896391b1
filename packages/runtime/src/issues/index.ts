export { type IssueDesk, openIssueDesk, openWorkPlaces } from "./desk.ts";
