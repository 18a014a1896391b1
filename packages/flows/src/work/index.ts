export { issueArguments, type PlanOptions, planWork } from "./plan.ts";
export { type IssueRun, type IssueRunEnd, type ReopenedRun, workOnIssue } from "./work-on-issue.ts";
