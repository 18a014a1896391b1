// `codelia sandbox check` for people.
import type { Result } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";
import { columns, indented } from "./table.ts";

export function renderSandbox(check: Result<"sandbox.check">): string {
  const walls = check.protections.map(({ name, holds, how }) => [
    name,
    holds ? "holds" : "BROKEN",
    visibleName(how),
  ]);
  const programs = check.programs.map(({ name, path, needed_for }) => [
    name,
    path === undefined ? "not installed" : visibleName(path),
    `for ${needed_for}`,
  ]);
  const lines = [
    ...columns([
      ["workspace", visibleName(check.workspace)],
      ["sandbox", verdict(check)],
      ["hosts", check.allow_hosts.length === 0 ? "none granted" : check.allow_hosts.join(", ")],
    ]),
    ...(walls.length === 0 ? [] : ["", "Walls, each tried", ...indented(columns(walls))]),
    "",
    "Programs",
    ...indented(columns(programs)),
    ...(check.fix === undefined ? [] : ["", visibleName(check.fix)]),
  ];
  return `${lines.join("\n")}\n`;
}

function verdict({ in_force, kind, reason, enabled }: Result<"sandbox.check">): string {
  if (in_force) return `in force (${kind})`;
  if (kind !== undefined) return `NOT in force: ${kind} works, and a wall did not hold`;
  const consequence = {
    auto: "every command asks",
    require: "no command runs",
    off: "commands run without it",
  };
  return `NOT in force, ${consequence[enabled]}: ${visibleName(reason ?? "")}`;
}
