import { type CommandDescription, commonOptions, trustOption } from "./description.ts";

export const config = {
  form: "config",
  summary: "the settings in force, and where each came from",
  about: [
    "Shows every setting in force with its source: default < user < project (trusted only) < environment < flag.",
  ],
  options: { ...trustOption, ...commonOptions },
} as const satisfies CommandDescription;
