// `codelia worktrees` for people.
import type { Result } from "@codelia/protocol";
import { visibleName, visibleText } from "@codelia/shared-types";
import { columns, indented, minuteOf, plural, shortPath } from "./table.ts";

export function renderWorktrees({ root, worktrees }: Result<"worktrees.list">): string {
  if (worktrees.length === 0) return "No issue is worked on here.\n";
  const rows = worktrees.map(
    ({ issue, state, branch, path, agent = "", since = "", origin, uncommitted, unpushed }) => [
      `#${issue}`,
      state,
      branch,
      shortPath(path, root),
      visibleName(agent),
      origin === undefined ? "" : `from ${visibleName(origin.branch)} (${origin.source})`,
      minuteOf(since),
      [
        ...(uncommitted === 0 ? [] : [`${uncommitted} uncommitted`]),
        ...(unpushed === 0 ? [] : [`${unpushed} unpushed`]),
      ].join(", "),
    ],
  );
  const ways = worktrees.flatMap(({ issue, state, run_id = "RUN", agent = "NAME" }) => {
    if (state === "interrupted") return [`#${issue} goes on with: codelia agent resume ${run_id}`];
    if (state !== "failed") return [];
    return [
      `#${issue} has ended; to work on there: codelia agent run ${visibleName(agent)} --issue ${issue} --again`,
    ];
  });
  return `${[...columns(rows), ...(ways.length === 0 ? [] : ["", ...ways])].join("\n")}\n`;
}

export function renderPruned({ worktrees }: Result<"worktrees.prune">): string {
  if (worktrees.length === 0) return "There is nothing to remove.\n";
  const lines = worktrees.flatMap(({ issue, removed, branch, reasons }) =>
    removed
      ? [`#${issue}  removed, with ${branch}`]
      : [
          `#${issue}  kept: ${plural(reasons.length, "reason")}`,
          ...indented(
            reasons.map((reason) => visibleText(reason)),
            "    ",
          ),
        ],
  );
  return `${lines.join("\n")}\n`;
}
