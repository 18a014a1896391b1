// `/context`: which instructions and skills are in, their bytes, and what was cut or left out.
import type { Result } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";
import type { Desk } from "../desk.ts";
import { noticeBlock } from "../transcript/index.ts";
import { columns } from "./columns.ts";

export async function contextCommand(desk: Desk): Promise<void> {
  const { cwd, client, style, width } = desk;
  const context = await client.call("context.inspect", { cwd, include_skills: true });
  const { root, trust, agents, notices } = context;
  desk.print([
    "",
    `${style.bold("Context")} ${style.dim("of a session that starts here")}`,
    ...columns(
      [
        ["root", `${visibleName(root.path)} (${root.marker ?? root.rule})`],
        ["trust", trust.state.replaceAll("_", " ")],
      ],
      width,
      style,
    ),
    "",
    style.bold(`Instructions: ${total(agents.files)} of at most ${agents.max_bytes} bytes`),
    ...columns(
      [
        ...agents.files.map(instructionRow),
        ...agents.skipped.map(({ path, reason, detail }) => [
          "not used",
          `${visibleName(path)}: ${reason.replaceAll("_", " ")}${detail === undefined ? "" : ` (${detail})`}`,
        ]),
      ],
      width,
      style,
    ),
    ...(agents.files.length === 0 ? [style.dim("  none")] : []),
    ...skillLines(desk, context.skills),
    ...notices.flatMap((notice) => noticeBlock(notice, width, style)),
  ]);
}

type Files = Result<"context.inspect">["agents"]["files"];

function total(files: Files): number {
  return files.filter(({ kind }) => kind !== "home").reduce((sum, { kept_bytes }) => sum + kept_bytes, 0);
}

function instructionRow({ path, status, kept_bytes, total_bytes }: Files[number]): string[] {
  const size =
    status === "whole" ? `${total_bytes} bytes` : `${kept_bytes} of ${total_bytes} bytes, ${status}`;
  return [size, visibleName(path)];
}

function skillLines({ style, width }: Desk, skills: Result<"context.inspect">["skills"]): string[] {
  if (skills === undefined) return [];
  const { bytes, max_bytes, shown, total: all, disabled, truncated, errors } = skills;
  return [
    "",
    style.bold(`Skills: ${bytes} of at most ${max_bytes} bytes`),
    ...columns(
      [
        ["listed", `${shown} of ${all}${truncated ? ", shortened" : ""}`],
        ["switched off", `${disabled}`],
        ...errors.map(({ path, message }) => ["not used", `${visibleName(path)}: ${message}`]),
      ],
      width,
      style,
    ),
  ];
}
