// What a user should know about a project before relying on what they see.
import type { SettingEntry } from "@codelia/config";
import { type ConfigSource, visibleName } from "@codelia/shared-types";
import type { Project } from "./project.ts";

export function projectNotices(project: Project): string[] {
  const notices: string[] = [];
  if (project.trust.state === "untrusted") {
    const root = visibleName(project.root.path);
    notices.push(
      `This project is not trusted, so nothing of it is used. To trust it: codelia trust ${root} (or --trust for one run).`,
    );
  }
  for (const { path, state } of project.configFiles) {
    if (state === "unused")
      notices.push(`${visibleName(path)} is not used: the XDG config file goes before it.`);
  }
  notices.push(...project.settings.refused.map(refusal));
  return notices;
}

function refusal({ key, source }: SettingEntry): string {
  return `${describeSource(source)}: ${key} is not used: a project may not set it, only your own config, the environment and flags.`;
}

/** A source on one line. */
export function describeSource({ layer, name, line, column }: ConfigSource): string {
  if (name === undefined) return layer;
  return line === undefined ? name : `${visibleName(name)}:${line}:${column ?? 1}`;
}
