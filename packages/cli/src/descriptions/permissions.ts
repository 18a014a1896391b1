import { approvalModes, type CommandDescription, commonOptions, trustOption } from "./description.ts";

const options = {
  approval: {
    type: "string",
    value: "MODE",
    values: approvalModes,
    help: "as for codelia run: ask (default), auto-edit, full",
  },
  tool: {
    type: "string",
    value: "NAME",
    help: "a tool that names files: read, write, edit, …; or one of an MCP server",
  },
  path: {
    type: "string",
    multiple: true,
    value: "PATH",
    takes: "file",
    help: "a file that it names; may be repeated",
  },
  server: { type: "string", value: "NAME", help: "the MCP server whose tool it is" },
  skill: { type: "string", value: "NAME", help: "a skill that would be loaded" },
  url: { type: "string", value: "URL", help: "an address that would be fetched" },
  ...trustOption,
  ...commonOptions,
} as const;

export const permissions = {
  form: "permissions",
  summary: "what a command would be decided to be, and the rules in force",
  usage: [
    ["check [OPTIONS] -- COMMAND", "what would be decided about a shell command"],
    ["check [OPTIONS] --tool NAME --path PATH..."],
    ["check [OPTIONS] --tool NAME --server NAME"],
    ["check [OPTIONS] --skill NAME | --url URL"],
    ["list [OPTIONS]", "the rules in force, and where each was written"],
  ],
  about: [
    "Explains a decision without running or asking anything: how the command was read, the rule, the outcome (allow, confirm or deny), and what would allow it. COMMAND as one argument is a shell text; several arguments are words. Exit code 0: a decision was made, whichever.",
  ],
  options,
  verbs: {
    check: { form: "check", summary: "what would be decided", options, takes: "command" },
    list: { form: "list", summary: "the rules in force, and where each was written", options },
  },
} as const satisfies CommandDescription;
