// One contract for issues, wherever they are kept.
import type { BranchField, Issue } from "@codelia/shared-types";
import type { Probe } from "../connection/index.ts";
import { ConfigurationError } from "../error.ts";

export interface IssueSource {
  /**
   * @output the issue as it is now
   * @effects reads only
   * @error  ConfigurationError IssueNotFound, BadIssue with every problem and its place; ConnectionError
   */
  read(issue: number): Promise<Issue>;
  /**
   * @output the project's `Target Branch` for the issue; undefined where it has none
   * @error  ConfigurationError when projects disagree, or may not be read; ConnectionError
   */
  targetBranch(issue: number): Promise<BranchField | undefined>;
  /**
   * @input  marker: tells this comment from every other one
   * @output where the comment is
   * @effects adds it, unless one with the marker is there
   */
  comment(issue: number, text: string, marker: string): Promise<Place>;
  /** @output whether a comment with the marker is there @effects none */
  findComment(issue: number, marker: string): Promise<Probe<Place>>;
  /** @effects afterwards the issue has the labels of `add` and none of `remove` */
  label(issue: number, change: LabelChange): Promise<void>;
}

export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Where something can be looked at. */
export interface Place {
  readonly url: string;
}

export interface PullRequestDraft {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  /** Ends with the marker. */
  readonly body: string;
  readonly marker: string;
  readonly draft: boolean;
}

export interface PullRequest extends Place {
  readonly number: number;
}

/** Where pull requests are made. */
export interface PullRequests {
  /** @effects opens it, unless there is one with the marker, or an open one of the same branch */
  open(draft: PullRequestDraft): Promise<PullRequest>;
  /** @output whether it is there @effects none */
  find(draft: PullRequestDraft): Promise<Probe<PullRequest>>;
}

/** In a comment and in a pull request: invisible to people, found by the next try. */
export function markerOf(instance: string, what: "comment" | "pull-request"): string {
  return `<!-- codelia: ${what} of ${instance} -->`;
}

export function badIssue(message: string): ConfigurationError {
  return new ConfigurationError("BadIssue", message);
}
