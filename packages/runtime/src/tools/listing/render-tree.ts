// A listing as text: two spaces a level, one entry a line.
import { visibleName } from "@codelia/shared-types";
import { leftOutByRules, sizeText } from "../files/index.ts";
import type { ListedEntry, Listing } from "./list-tree.ts";

/** @input shown: the directory's name, already harmless */
export function renderTree(shown: string, { top, left, forbidden }: Listing): string {
  if (top.children.length === 0 && forbidden === 0) return `${shown} is an empty directory.\n`;
  const lines = [shown.endsWith("/") ? shown : `${shown}/`, ...below(top, 1)];
  if (left > 0) lines.push(`[${left} more not shown: list a directory below, or use glob]`);
  if (forbidden > 0) lines.push(leftOutByRules(forbidden));
  return `${lines.join("\n")}\n`;
}

function below({ children, left }: ListedEntry, level: number): string[] {
  const indent = "  ".repeat(level);
  const lines = children.flatMap((child) => [`${indent}${line(child)}`, ...below(child, level + 1)]);
  return left > 0 ? [...lines, `${indent}[${left} more]`] : lines;
}

function line({ name, kind, size = 0, note }: ListedEntry): string {
  const shown = visibleName(name);
  if (kind === "link") return `${shown} -> ${visibleName(note ?? "")}`;
  if (kind === "file") return `${shown}  ${sizeText(size)}`;
  const mark = kind === "directory" ? "/" : "";
  return note === undefined ? `${shown}${mark}` : `${shown}${mark}  [${note}]`;
}
