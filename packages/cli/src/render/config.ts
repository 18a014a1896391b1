// `codelia config` for people.
import type { Result } from "@codelia/protocol";
import { type ConfigSource, visibleName } from "@codelia/shared-types";
import { noticeSection } from "./context.ts";
import { columns, indented } from "./table.ts";

export function renderConfig(config: Result<"config.inspect">): string {
  const settings = config.settings.map(({ key, value, source }) => [
    key,
    visibleName(JSON.stringify(value) ?? ""),
    describeSource(source),
  ]);
  const files = config.files.map(({ path, layer, state }) => [layer, visibleName(path), fileStates[state]]);
  const lines = [
    ...columns(settings),
    "",
    "Files",
    ...indented(columns(files)),
    ...noticeSection(config.notices),
  ];
  return `${lines.join("\n")}\n`;
}

const fileStates = {
  read: "read",
  absent: "not there",
  untrusted: "not read: the project is not trusted",
  unused: "not used",
} as const;

function describeSource({ layer, name, line, column }: ConfigSource): string {
  if (name === undefined) return layer;
  return line === undefined
    ? `${layer}: ${visibleName(name)}`
    : `${layer}: ${visibleName(name)}:${line}:${column ?? 1}`;
}
