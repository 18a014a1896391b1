import { type CommandDescription, commonOptions, trustOption } from "./description.ts";

const options = { ...trustOption, ...commonOptions } as const;

export const sandbox = {
  form: "sandbox check",
  summary: "what holds commands back here, each wall tried for real",
  usage: [["check [OPTIONS]"]],
  about: [
    "Tries each wall of the sandbox in this project, and says what is missing and how to install it. Exit code 0: the sandbox is in force; 1: it is not.",
  ],
  options,
  verbs: { check: { form: "check", summary: "try each wall", options } },
} as const satisfies CommandDescription;
