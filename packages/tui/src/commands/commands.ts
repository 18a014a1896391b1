// Every command by its name, and how a line that begins with a slash becomes one.
import { ProtocolError } from "@codelia/protocol";
import type { Desk } from "../desk.ts";
import { noticeBlock, problemBlock } from "../transcript/index.ts";
import { compactCommand, diffCommand, undoCommand } from "./changes.ts";
import { modelCommand, themeCommand } from "./choices.ts";
import { contextCommand } from "./context.ts";
import { permissionsCommand } from "./permissions.ts";
import { forkCommand, newCommand, resumeCommand, sessionsCommand } from "./sessions.ts";
import { skillsCommand } from "./skills.ts";
import { costCommand, helpLines } from "./summaries.ts";

export interface Command {
  readonly summary: string;
  /** What may follow its name. */
  readonly argument?: string;
  /** Not while a run works on the session. */
  readonly needsRest?: boolean;
  readonly run: (desk: Desk, argument: string) => Promise<void> | void;
}

export const commands: Readonly<Record<string, Command>> = {
  help: { summary: "what can be typed here", run: (desk) => desk.print(helpLines(desk, commands)) },
  model: { summary: "choose the model", argument: "PROVIDER/MODEL", run: modelCommand },
  context: { summary: "which instructions and skills are in, and what was cut", run: contextCommand },
  skills: { summary: "search skills, switch them on and off", run: skillsCommand },
  sessions: { summary: "the sessions of this project", needsRest: true, run: sessionsCommand },
  resume: { summary: "go on with a session", argument: "ID", needsRest: true, run: resumeCommand },
  fork: { summary: "go on with a copy of this session", needsRest: true, run: forkCommand },
  new: { summary: "begin a new session", needsRest: true, run: newCommand },
  undo: { summary: "put back what the last prompt's tools changed", needsRest: true, run: undoCommand },
  diff: { summary: "what this session's tools changed", run: diffCommand },
  cost: { summary: "tokens, cache and cost", run: costCommand },
  compact: { summary: "make room in the context now", needsRest: true, run: compactCommand },
  permissions: {
    summary: "the rules in force, and what needs no question",
    argument: "ask|auto-edit|full",
    run: permissionsCommand,
  },
  theme: { summary: "choose the colours", argument: "dark|light|none", run: themeCommand },
  quit: { summary: "leave", run: (desk) => desk.leave() },
};

export const commandNames: readonly string[] = Object.keys(commands);

/** A path at the start of a prompt is no command: only a single word after the slash is. */
export function isCommand(text: string): boolean {
  return /^\/[a-z]+(\s|$)/.test(text);
}

/** @effects what the command does; failures are shown, never thrown */
export async function runCommand(desk: Desk, text: string): Promise<void> {
  const [, name = "", argument = ""] = /^\/([a-z]+)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  const fail = (problem: string, hint?: string) =>
    desk.print(problemBlock(problem, hint, desk.width, desk.style));
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return fail(`unknown command /${name}`, "See /help.");
  if (command.argument === undefined && argument !== "") return fail(`/${name} takes nothing after it`);
  if (command.needsRest && desk.conversation.isRunning) {
    return desk.print(
      noticeBlock(`/${name} waits until the run has ended: cancel it first.`, desk.width, desk.style),
    );
  }
  try {
    await command.run(desk, argument.trim());
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    fail(message, error instanceof ProtocolError ? error.hint : undefined);
  }
}
