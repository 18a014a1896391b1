// `/help` and `/cost`.
import { cacheShare, costText } from "../conversation/index.ts";
import type { Desk } from "../desk.ts";
import { columns } from "./columns.ts";

interface Described {
  readonly summary: string;
  readonly argument?: string;
}

export function helpLines(desk: Desk, commands: Readonly<Record<string, Described>>): string[] {
  const { style, bindings, width } = desk;
  const typed = Object.entries(commands).map(([name, { summary, argument }]) => [
    `/${name}${argument === undefined ? "" : ` [${argument}]`}`,
    summary,
  ]);
  const marks = [
    ["@path", "name a file; a list appears while you type"],
    ["$skill", "load a skill for this prompt"],
  ];
  const keys = bindings
    .list()
    .filter((binding) => binding.keys.length > 0)
    .map(({ action, keys: all }) => [all.join(", "), action.replaceAll("_", " ")]);
  return [
    "",
    style.bold("Commands"),
    ...columns([...typed, ...marks], width, style),
    "",
    style.bold("Keys"),
    ...columns(keys, width, style),
  ];
}

export function costCommand(desk: Desk): void {
  const { totals, shownModel } = desk.conversation;
  const { usage, prompts, turns } = totals;
  const rows = [
    ["model", shownModel ?? "none yet"],
    ["prompts", `${prompts}`],
    ["turns", `${turns}`],
    ["tokens in", `${usage.input_tokens}`],
    ["  from the cache", `${usage.cached_input_tokens} (${cacheShare(totals)}%)`],
    ["  written to it", `${usage.cache_write_tokens}`],
    ["tokens out", `${usage.output_tokens}`],
    ["cost", costText(totals)],
  ];
  const since = "since this session was entered here";
  desk.print([
    "",
    `${desk.style.bold("Cost")} ${desk.style.dim(since)}`,
    ...columns(rows, desk.width, desk.style),
  ]);
}
