// `codelia sessions`, `search` and `undo` for people.
import type { Params, Result, SessionSummary } from "@codelia/protocol";
import { visibleName, visibleText } from "@codelia/shared-types";
import { columns, indented, minuteOf, oneLine, plural } from "./table.ts";

const titleLength = 60;
const problemsShown = 10;

export function renderSessions(result: Result<"session.list">, { all }: Params<"session.list">): string {
  const { sessions, total, problems, root } = result;
  const rows = sessions.map((session) => [
    session.id,
    minuteOf(session.updated_at),
    session.state,
    oneLine(session.title, titleLength),
    worktree(session, root),
  ]);
  const lines =
    rows.length === 0
      ? all
        ? ["There are no sessions yet."]
        : ["There are no sessions of this repository yet.", "Those of all, also of one that was moved: --all"]
      : columns([["id", "last used (UTC)", "state", "title", ""], ...rows]);
  const shown = sessions.length + problems.length;
  const rest = shown < total ? ["", `${total - shown} more: --limit N shows them.`] : [];
  return `${[...lines, ...rest, ...problemSection(problems)].join("\n")}\n`;
}

/** Said only where it is not the worktree that was asked for. */
function worktree({ root, root_is_gone }: SessionSummary, here: string): string {
  if (root === here) return "";
  return `in ${visibleName(root)}${root_is_gone ? " (gone)" : ""}`;
}

function problemSection(problems: Result<"session.list">["problems"]): string[] {
  if (problems.length === 0) return [];
  const shown = problems.slice(0, problemsShown).map(({ id, problem }) => `  ${id}  ${visibleText(problem)}`);
  const rest = problems.length > problemsShown ? [`  and ${problems.length - problemsShown} more`] : [];
  return ["", "Cannot be read", ...shown, ...rest];
}

export function renderSearch(result: Result<"session.search">, { limit }: Params<"session.list">): string {
  const { matches, more, searched, problems } = result;
  const lines: string[] = [];
  let session = "";
  for (const { id, title, at, type, excerpt } of matches) {
    if (id !== session) lines.push(...(session === "" ? [] : [""]), `${id}  ${oneLine(title, titleLength)}`);
    session = id;
    lines.push(`  ${minuteOf(at)}  ${type.padEnd(10)}  ${visibleText(excerpt)}`);
  }
  if (matches.length === 0) lines.push(`Found nothing in ${plural(searched, "session")}.`);
  if (more) lines.push("", `There are more than ${limit}: --limit N shows them.`);
  return `${[...lines, ...problemSection(problems)].join("\n")}\n`;
}

export function renderUndo(result: Result<"session.undo">, { dry_run }: Params<"session.undo">): string {
  const { id, prompt, files, commands, notices } = result;
  const actions = {
    restored: dry_run ? "would be restored" : "restored",
    removed: dry_run ? "would be removed" : "removed",
    unchanged: "is already as it was",
  };
  const lines = [
    `${dry_run ? "Would undo" : "Undid"} in ${visibleName(id)}: ${oneLine(prompt, titleLength)}`,
    ...indented(columns(files.map(({ path, action }) => [actions[action], visibleName(path)]))),
    ...(files.length === 0 ? ["  No file was changed by its tools."] : []),
  ];
  if (commands.length > 0) {
    lines.push("", "What these commands changed is not known, and stays:");
    lines.push(...indented(commands.map((command) => oneLine(command))));
  }
  if (notices.length > 0) lines.push("", ...notices.map(visibleText));
  return `${lines.join("\n")}\n`;
}
