import {
  WorktreesListParamsSchema,
  WorktreesListResultSchema,
  WorktreesPruneParamsSchema,
  WorktreesPruneResultSchema,
  WorktreesUnlockParamsSchema,
  WorktreesUnlockResultSchema,
} from "../worktrees.ts";

export const worktreesMethods = {
  "worktrees.list": { params: WorktreesListParamsSchema, result: WorktreesListResultSchema },
  "worktrees.prune": { params: WorktreesPruneParamsSchema, result: WorktreesPruneResultSchema },
  "worktrees.unlock": { params: WorktreesUnlockParamsSchema, result: WorktreesUnlockResultSchema },
} as const;
