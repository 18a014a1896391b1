// The issue that a run of a flow works on, and what the host does for it.
import { z } from "zod";

const ordinal = z.number().int().positive();

/** What the host does for an issue after the flow. */
export const flowHostEffect = {
  kind: z.enum(["commit", "merge", "push", "pull_request", "comment", "labels"]),
  state: z.enum(["begun", "done", "failed"]),
  /** The commit, where it can be looked at, or why it failed. */
  what: z.string().optional(),
};

/** The issue that a run works on, and what was done for it. */
export const FlowWorkSchema = z.strictObject({
  issue: ordinal,
  title: z.string(),
  instance: z.string(),
  branch: z.string(),
  worktree: z.string(),
  origin: z.strictObject({
    branch: z.string(),
    /** Who named it, and where. */
    source: z.enum(["explicit", "issue_field", "project_field", "config"]),
    from: z.string(),
    commit: z.string(),
  }),
  /** The run that has ended, and whose branch and worktree this one works on in. */
  after: z.string().optional(),
  /** Absent until everything that was planned is done. */
  done: z
    .strictObject({
      commit: z.string(),
      merged_into: z.string().optional(),
      pushed_to: z.string().optional(),
      pull_request: z.strictObject({ number: z.number(), url: z.string() }).optional(),
      comment: z.string().optional(),
    })
    .optional(),
});

export type FlowWork = z.infer<typeof FlowWorkSchema>;
