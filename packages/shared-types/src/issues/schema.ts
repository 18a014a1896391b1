// Issues, the branch that work on one derives from, and who works on it.
import { z } from "zod";

/** Ends up in names of branches and folders, so that it is digits and nothing else. */
export const IssueNumberSchema = z.number().int().min(1).max(999_999_999);

const text = z.string().min(1);

/** A branch that somebody named, and where they did. */
export const BranchFieldSchema = z.strictObject({
  branch: text,
  /** For people: a file with its line, a field of a form, a project. */
  from: text,
});

export const IssueSourceKindSchema = z.enum(["local", "github"]);

export const IssueSchema = z.strictObject({
  number: IssueNumberSchema,
  title: z.string(),
  body: z.string(),
  labels: z.array(z.string()),
  state: z.enum(["open", "closed"]),
  source: IssueSourceKindSchema,
  /** The file, or the address of its page. */
  place: z.string(),
  /** The issue's `base_branch`. */
  baseBranch: BranchFieldSchema.optional(),
});

/** Strongest first. */
export const OriginSourceSchema = z.enum(["explicit", "issue_field", "project_field", "config"]);

/** The branch that work derives from, as it was resolved. */
export const OriginBranchSchema = z.strictObject({
  branch: text,
  source: OriginSourceSchema,
  from: text,
  /** What was found: a local branch, or the remote's as it was last fetched. */
  ref: text,
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
});

/** What a run does at its end, each only when the one before it was done. */
export const FinaliseSettingsSchema = z.strictObject({
  commit: z
    .enum(["all", "require"])
    .describe("`all`: what is left uncommitted is committed. `require`: that is an error."),
  merge: z.boolean().describe("Merge the branch into the one that it derives from."),
  push: z.boolean().optional().describe("Push the branch; on by default with GitHub."),
  pullRequest: z.boolean().optional().describe("Open a pull request; on by default with GitHub."),
  draft: z.boolean().describe("Open the pull request as a draft."),
  comment: z.boolean().describe("Say on the issue what came of it."),
  addLabels: z.array(text).describe("Labels that the issue gets."),
  removeLabels: z.array(text).describe("Labels that are taken off the issue."),
});

/** With everything decided: what this run will do. */
export const FinalisePlanSchema = FinaliseSettingsSchema.required();

/** The work of one run on one issue. It is in the run's first record, so that a resumed run finds its place. */
export const IssueWorkSchema = z.strictObject({
  issue: IssueSchema,
  /** `agent-issue-N-{timestamp}`. */
  instance: text,
  branch: text,
  /** Absolute. */
  worktree: text,
  origin: OriginBranchSchema,
  /** The name of the remote that is pushed to. */
  remote: text,
  finalise: FinalisePlanSchema,
  /** The run that has ended, and whose branch and worktree this one works on in. */
  after: text.optional(),
});

export const workClaimFormat = 1;

/** Who has an issue, kept beside its lock: it outlives the process. */
export const WorkClaimSchema = z.strictObject({
  format: z.literal(workClaimFormat),
  issue: IssueNumberSchema,
  run: text,
  agent: text,
  instance: text,
  branch: text,
  /** The first message of the branch's reflog: tells it from one that somebody else made at the same commit. */
  mark: text,
  worktree: text,
  origin: OriginBranchSchema,
  /** ISO time. */
  since: text,
  /** `claimed`: the worktree may be half made. `ready`: it is there. `finished`: everything was done. */
  state: z.enum(["claimed", "ready", "finished"]),
});

const originBranch = z
  .string()
  .describe("The branch that work on an issue derives from, when nothing else says. Empty: none.");
const httpAddress = z.url({ protocol: /^https?$/, error: "expected an http or https address" });

export const IssuesSettingsSchema = z.strictObject({
  source: IssueSourceKindSchema.describe("`local`: .codelia/issues/N.md. `github`: the repository's issues."),
  originBranch: originBranch.optional(),
  remote: text.describe("The remote that branches are pushed to."),
  finalise: FinaliseSettingsSchema,
  github: z.strictObject({
    apiUrl: httpAddress.describe("GitHub's API; https://HOST/api/v3 for an Enterprise server."),
    repository: z
      .string()
      .regex(/^[\w.-]+\/[\w.-]+$/, { error: "expected OWNER/NAME" })
      .optional()
      .describe("OWNER/NAME; taken from the remote's address when it is left out."),
    tokenEnv: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "expected the name of an environment variable" })
      .optional()
      .describe("The environment variable that holds the token."),
    projects: z
      .boolean()
      .describe("Read `Target Branch` from the issue's projects; the token needs the right to."),
    token: text.optional().describe("The token itself. Prefer tokenEnv."),
  }),
});

export const IssuesConfigSchema = IssuesSettingsSchema.extend({
  finalise: FinaliseSettingsSchema.partial(),
  github: IssuesSettingsSchema.shape.github.partial(),
}).partial();
