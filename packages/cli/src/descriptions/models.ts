import { type CommandDescription, commonOptions } from "./description.ts";

export const models = {
  form: "models",
  summary: "which models are usable, and why not",
  about: ["Lists the providers that are usable, where their key comes from, and why the others are not."],
  options: commonOptions,
} as const satisfies CommandDescription;
