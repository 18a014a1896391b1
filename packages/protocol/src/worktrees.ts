// `worktrees.*`: the worktrees of issues, who works in them, and what keeps them.
import { IssueNumberSchema } from "@codelia/shared-types";
import { z } from "zod";

export const IssueWorktreeWireSchema = z.strictObject({
  issue: IssueNumberSchema,
  branch: z.string(),
  path: z.string(),
  /**
   * `running`: a process works there; `interrupted`: its run can be resumed; `failed`: its run has ended, and another
   * one can work on there; `foreign`: no run of Codelia made it.
   */
  state: z.enum(["running", "interrupted", "failed", "finished", "foreign"]),
  agent: z.string().optional(),
  run_id: z.string().optional(),
  instance: z.string().optional(),
  since: z.string().optional(),
  origin: z
    .strictObject({ branch: z.string(), source: z.string(), from: z.string(), commit: z.string() })
    .optional(),
  /** Who works there. */
  owner: z.string().optional(),
  /** Files that are not committed. */
  uncommitted: z.number(),
  /** Commits that no remote has, nor the branch that it derives from. */
  unpushed: z.number(),
  /** Why prune keeps it; empty when nothing would be lost. */
  kept: z.array(z.string()),
});

export const WorktreesListParamsSchema = z.strictObject({ cwd: z.string() });
export const WorktreesListResultSchema = z.strictObject({
  root: z.string(),
  worktrees: z.array(IssueWorktreeWireSchema),
});

export const WorktreesPruneParamsSchema = z.strictObject({
  cwd: z.string(),
  /** Only these, also when their run is not finished; absent: all that are finished. */
  issues: z.array(IssueNumberSchema).optional(),
});
export const WorktreesPruneResultSchema = z.strictObject({
  worktrees: z.array(
    z.strictObject({
      issue: IssueNumberSchema,
      branch: z.string(),
      path: z.string(),
      removed: z.boolean(),
      /** Why it was kept. */
      reasons: z.array(z.string()),
    }),
  ),
});

export const WorktreesUnlockParamsSchema = z.strictObject({ cwd: z.string(), issue: IssueNumberSchema });
export const WorktreesUnlockResultSchema = z.strictObject({
  /** Who had it; absent when nobody did. */
  owner: z.string().optional(),
});
