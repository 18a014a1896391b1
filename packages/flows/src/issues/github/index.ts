export { GitHubClient, type GitHubOptions, redacted } from "./client.ts";
export { GitHubIssues } from "./github-issues.ts";
export { targetBranchQuery } from "./project-field.ts";
export { GitHubPullRequests } from "./pull-requests.ts";
export { hostOfApi, type RemoteRepository, repositoryAt } from "./repository-name.ts";
