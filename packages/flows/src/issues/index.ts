export { branchFieldsIn, type FoundBranch } from "./branch-field.ts";
export * from "./github/index.ts";
export { LocalIssues, type LocalIssuesOptions } from "./local.ts";
export {
  type IssueSource,
  type LabelChange,
  markerOf,
  type Place,
  type PullRequest,
  type PullRequestDraft,
  type PullRequests,
} from "./source.ts";
