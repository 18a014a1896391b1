import { type CommandDescription, commonOptions } from "./description.ts";

export const worktrees = {
  form: "worktrees",
  summary: "the worktrees of issues: list, prune, unlock",
  about: [
    "prune without ISSUE takes those whose run is finished. What is not committed, not pushed, locked or in use is never removed, and it says why. A lock of a process that died here needs no unlock: the next run takes it over.",
  ],
  verbs: {
    list: {
      form: "[list]",
      summary: "issues that are worked on, or were, and where",
      options: commonOptions,
    },
    prune: {
      form: "prune [ISSUE...]",
      summary: "remove worktrees and branches that hold nothing of their own",
      options: commonOptions,
    },
    unlock: {
      form: "unlock ISSUE",
      summary: "take an issue from an owner that cannot be seen from here",
      options: commonOptions,
    },
  },
} as const satisfies CommandDescription;
