// Everything that work on issues needs in a project: its repository, where its issues are, and how to reach GitHub.
import { join } from "node:path";
import {
  ConfigurationError,
  Git,
  GitHubClient,
  GitHubIssues,
  GitHubPullRequests,
  hostOfApi,
  type IssueSource,
  LocalIssues,
  openRepository,
  type PullRequests,
  repositoryAt,
  systemClock,
  type WorkPlaces,
} from "@codelia/flows";
import type { IssuesSettings } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import { createClosedGit } from "../programs/index.ts";
import type { Project } from "../project/index.ts";
import { secretVariables } from "../secrets/index.ts";
import { repositoryName } from "../sessions/index.ts";
import { githubToken } from "./token.ts";

export interface IssueDesk {
  readonly places: WorkPlaces;
  readonly settings: IssuesSettings;
  /** Where `issues.originBranch` was written. */
  readonly configPlace: string;
  readonly issues: IssueSource;
  /** Absent without a repository on GitHub and a token for it. */
  readonly pullRequests: PullRequests | undefined;
}

/** @error ConfigurationError NotARepository */
export async function openWorkPlaces(environment: RuntimeEnvironment, project: Project): Promise<WorkPlaces> {
  const waiting = { clock: systemClock, random: Math.random };
  const secrets = secretVariables(environment.env, project.settings.values);
  const port = createClosedGit(environment.env, project.root.path, secrets);
  const git = new Git({ port, ...waiting });
  const { fs, disk, now } = environment;
  return {
    git,
    repository: await openRepository(git, project.cwd),
    directory: join(project.codeliaHome, "worktrees", repositoryName(project.trust.identity)),
    fs,
    disk,
    now,
    ...waiting,
  };
}

/** @error ConfigurationError: no repository, or issues on GitHub without knowing which repository there */
export async function openIssueDesk(environment: RuntimeEnvironment, project: Project): Promise<IssueDesk> {
  const places = await openWorkPlaces(environment, project);
  const { values, entries } = project.settings;
  const settings = values.issues;
  const source = entries.find(({ key }) => key === "issues.originBranch")?.source;
  const place = source?.name === undefined ? "the settings" : source.name;
  const configPlace = source?.line === undefined ? place : `${place}:${source.line}`;
  const client = await connect(environment, settings, places);
  const { fs, disk } = environment;
  const issues =
    settings.source === "local"
      ? new LocalIssues({ root: project.root.path, fs, disk })
      : new GitHubIssues(required(client, settings), settings.github);
  const canOpen = client?.options.token !== undefined;
  const pullRequests = canOpen ? new GitHubPullRequests(client) : undefined;
  return { places, settings, configPlace, issues, pullRequests };
}

/** @output undefined when neither the settings nor the remote's address tell the repository */
async function connect(
  { env, fetch, now, version }: RuntimeEnvironment,
  { github, remote }: IssuesSettings,
  { git, repository, clock, random }: WorkPlaces,
): Promise<GitHubClient | undefined> {
  const address = await git.try(["remote", "get-url", "--push", "--", remote], { cwd: repository.root });
  const host = hostOfApi(github.apiUrl);
  const there = address.exitCode === 0 ? repositoryAt(address.stdout.trim()) : undefined;
  const own = there?.host === host ? there : undefined;
  const [owner = own?.owner, repo = own?.repo] = github.repository?.split("/") ?? [];
  if (owner === undefined || repo === undefined) return undefined;
  return new GitHubClient({
    apiUrl: github.apiUrl,
    owner,
    repo,
    ...(own === undefined ? {} : { headOwner: own.owner }),
    token: githubToken(env, github, host),
    fetch,
    clock,
    random,
    now,
    userAgent: `codelia/${version}`,
  });
}

function required(client: GitHubClient | undefined, { remote, github }: IssuesSettings): GitHubClient {
  if (client !== undefined) return client;
  throw new ConfigurationError(
    "RepositoryUnknown",
    `The remote ${remote} is not on ${hostOfApi(github.apiUrl)}, so that nobody knows where its issues are. Set issues.github.repository to OWNER/NAME, and issues.github.apiUrl for an Enterprise server.`,
  );
}
