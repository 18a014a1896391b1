import { type CommandDescription, commonOptions } from "./description.ts";

export const trust = {
  form: "trust [PATH]",
  summary: "let a project's files take part",
  usage: [
    ["[PATH]", "trust the project that holds PATH (default: the working directory)"],
    ["--list", "list the trusted projects"],
    ["--remove [PATH]", "take trust back"],
  ],
  about: ["Until a project is trusted, none of its instructions and settings are used."],
  options: {
    list: { type: "boolean", help: "list the trusted projects" },
    remove: { type: "boolean", help: "take trust back" },
    ...commonOptions,
  },
  takes: "directory",
} as const satisfies CommandDescription;
