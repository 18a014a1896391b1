import { type CommandDescription, commonOptions, trustOption } from "./description.ts";

export const context = {
  form: "context [PATH]",
  summary: "which instructions an agent gets here, and why",
  about: [
    "Shows the root and the rule that chose it, each AGENTS.md that a session started here would be given, what was cut or skipped and why, and, with PATH, what a tool call on that path would be reminded of.",
  ],
  options: {
    show: { type: "boolean", help: "print the exact text that would be sent, and nothing else" },
    tree: {
      type: "boolean",
      help: "draw the instruction files of the whole project (below PATH), with inherited bytes",
    },
    skills: {
      type: "boolean",
      help: "show the skills that a session would be told of; with --show, that text alone",
    },
    ...trustOption,
    root: {
      type: "string",
      value: "DIR",
      takes: "directory",
      help: "use DIR as the root (agents.root.projectRootOverride)",
    },
    markers: {
      type: "string",
      value: "LIST",
      help: "comma-separated names that mark a root (agents.root.markers)",
    },
    ...commonOptions,
  },
  takes: "file",
} as const satisfies CommandDescription;
