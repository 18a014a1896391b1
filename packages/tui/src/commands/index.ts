export { commandNames, commands, isCommand, runCommand } from "./commands.ts";
export { printLastSession, resumeSession } from "./sessions.ts";
