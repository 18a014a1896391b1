// `codelia context` for people.
import type { Result } from "@codelia/protocol";
import { type AgentsSkipReason, visibleName, visibleText } from "@codelia/shared-types";
import { problemLines } from "./skills.ts";
import { columns, indented, plural, shortPath } from "./table.ts";

type Context = Result<"context.inspect">;

export function renderContext(context: Context): string {
  const lines = [
    ...columns([
      ["root", visibleName(context.root.path), rootRule(context.root)],
      ["cwd", visibleName(context.cwd), ""],
      ["trust", trustState(context.trust), ""],
    ]),
    "",
    ...instructions(context),
    ...skippedSection("Not used", context.agents.skipped, context.root.path),
    ...resolveSection(context),
    ...skillsSection(context),
    ...noticeSection(context.notices),
  ];
  return `${lines.join("\n")}\n`;
}

function rootRule(root: Context["root"]): string {
  if (root.rule === "override") return `given by ${root.override_source ?? "the override"}`;
  if (root.rule === "marker") return `nearest directory that holds ${visibleName(root.marker ?? "a marker")}`;
  return "the working directory: no marker was found above it";
}

export function trustState({ state, trusted_at }: Context["trust"]): string {
  if (state === "trusted") return `trusted since ${trusted_at ?? "unknown"}`;
  return state === "trusted_for_this_run" ? "trusted for this run only" : "not trusted";
}

function instructions({ agents, root }: Context): string[] {
  if (!agents.enabled) return ["AGENTS.md is switched off (agents.enabled is false)."];
  if (agents.files.length === 0) return ["No instructions are sent at session start."];
  const project = agents.files.filter(({ kind }) => kind !== "home");
  const used = project.reduce((sum, file) => sum + file.kept_bytes, 0);
  const size = `${used} of at most ${agents.max_bytes} project bytes`;
  return [
    `Sent at session start: ${plural(agents.files.length, "file")}, ${size}, in one ${agents.role} message`,
    ...indented(
      columns(
        agents.files.map((file) => fileRow(file, root.path)),
        ["left", "right"],
      ),
    ),
  ];
}

function fileRow(file: Context["agents"]["files"][number], root: string): string[] {
  const kind = file.kind === "standard" ? "" : file.kind;
  const tags = file.neutralised_tags > 0 ? `, ${plural(file.neutralised_tags, "tag")} made harmless` : "";
  const state = {
    whole: "whole",
    cut: `cut, ${file.total_bytes} in the file`,
    omitted: `omitted, ${file.total_bytes} in the file`,
  };
  return [
    shortPath(file.path, root),
    `${file.kept_bytes} bytes`,
    state[file.status] + tags,
    `sha256 ${file.sha256.slice(0, 12)}`,
    kind,
  ];
}

const reasons: Record<AgentsSkipReason, string> = {
  blank: "blank",
  case_mismatch: "the name differs in case",
  cyclic_link: "a link that leads back to itself",
  dangling_link: "a link to nothing",
  disabled: "project text is switched off (agents.initial.maxBytes is 0)",
  duplicate: "the same file as",
  not_a_file: "not a regular file",
  outside_root: "a link that leaves the project root, to",
  shadowed: "shadowed by",
  unreadable: "cannot be checked:",
  untrusted: "the project is not trusted",
  vanished: "gone since it was found",
};

export function skippedSection(title: string, skipped: Context["agents"]["skipped"], root: string): string[] {
  if (skipped.length === 0) return [];
  const rows = skipped.map(({ path, reason, detail }) => [
    shortPath(path, root),
    detail === undefined ? reasons[reason] : `${reasons[reason]} ${shortPath(detail, root)}`,
  ]);
  return ["", title, ...indented(columns(rows))];
}

function resolveSection({ resolve, root }: Context): string[] {
  if (resolve === undefined) return [];
  const target = shortPath(resolve.path, root.path) + (resolve.exists ? "" : " (does not exist yet)");
  const reminder =
    resolve.reminder === undefined
      ? [`A tool call on ${target} adds nothing: no further instructions apply to it.`]
      : [
          `A tool call on ${target} adds this to its result:`,
          ...indented(visibleText(resolve.reminder).split("\n")),
        ];
  return ["", ...reminder, ...skippedSection("Not used on the way there", resolve.skipped, root.path)];
}

function skillsSection({ skills }: Context): string[] {
  if (skills === undefined) return [];
  if (!skills.enabled) return ["", "Skills are switched off (skills.enabled is false)."];
  const { shown, total, bytes, max_bytes, truncated, disabled } = skills;
  const listed = `${shown} of ${plural(total, "skill")}, ${bytes} of at most ${max_bytes} bytes`;
  const cut = truncated ? ", cut: the rest is found by skill_search" : "";
  return [
    "",
    total === 0 ? "No skills are told of at session start." : `Told of at session start: ${listed}${cut}`,
    ...(disabled === 0 ? [] : [`Disabled: ${plural(disabled, "skill")}`]),
    ...(skills.errors.length === 0 ? [] : ["Skills that are not used"]),
    ...indented(skills.errors.flatMap((error) => problemLines(error))),
  ];
}

export function noticeSection(notices: readonly string[]): string[] {
  return notices.length === 0 ? [] : ["", ...notices];
}
