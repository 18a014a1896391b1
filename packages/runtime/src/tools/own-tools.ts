// Tools of the program that embeds the runtime, behind ours.
import type { Tool } from "@codelia/core";

export class ToolNameTaken extends Error {
  override readonly name = "ToolNameTaken";
}

/** @error ToolNameTaken: a tool that takes the name of another would do its work under the rules for that one */
export function withOwnTools(ours: readonly Tool[], own: readonly Tool[]): Tool[] {
  const names = new Set(ours.map(({ name }) => name));
  for (const { name } of own) {
    if (names.has(name)) throw new ToolNameTaken(`there is a tool named ${name} already`);
    names.add(name);
  }
  return [...ours, ...own];
}
