// What can be typed after a slash: the skills of the project, and what Codelia itself does for a session.
import type { AvailableCommand } from "@agentclientprotocol/sdk";
import type { Client, Result } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";

/** More would fill the editor's menu; `$name` in a prompt finds every skill. */
const maxSkills = 100;

export const undoCommand = "undo";

const own: readonly AvailableCommand[] = [
  { name: undoCommand, description: "Put back the files that the last prompt's tools changed" },
];

/** @output the commands; a project whose skills cannot be listed has only ours */
export async function slashCommands(client: Client, cwd: string): Promise<AvailableCommand[]> {
  const { skills } = await client.call("skills.list", { cwd }).catch(() => ({ skills: [] }));
  const names = new Set(own.map(({ name }) => name));
  const found: AvailableCommand[] = [];
  for (const { name, description } of skills) {
    if (names.has(name) || found.length === maxSkills) continue;
    names.add(name);
    found.push({ name, description: visibleName(description), input: { hint: "what to do with it" } });
  }
  return [...own, ...found];
}

/** @input commands: as the editor knows them  @output `/skill …` as the mention that a run understands */
export function asMention(prompt: string, commands: readonly AvailableCommand[]): string {
  const name = /^\/([\w.-]+)(?=\s|$)/.exec(prompt)?.[1];
  const isSkill =
    name !== undefined && name !== undoCommand && commands.some((command) => command.name === name);
  return isSkill ? `$${prompt.slice(1)}` : prompt;
}

export function isUndo(prompt: string): boolean {
  return prompt.trim() === `/${undoCommand}`;
}

export function undoWords({ files, commands, notices }: Result<"session.undo">): string {
  const lines = files.map(({ path, action }) => `- ${visibleName(path)}: ${action}`);
  const ran =
    commands.length === 0
      ? []
      : ["", "What these commands changed stays:", ...commands.map((command) => `- ${visibleName(command)}`)];
  return [`Undone:`, ...lines, ...ran, ...notices.map((notice) => visibleName(notice)), ""].join("\n");
}
