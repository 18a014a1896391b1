import {
  approvalOption,
  type CommandDescription,
  commonOptions,
  modelOption,
  trustOption,
} from "./description.ts";

const { directory, config, help } = commonOptions;

/** What is done when no command is named. */
export const open = {
  form: "",
  summary: "work with an agent in this terminal",
  about: ["Opens the terminal UI in this directory. /help there says what can be typed."],
  options: {
    model: modelOption("the model (see `codelia models`)"),
    approval: approvalOption("as for codelia run: ask (default), auto-edit, full"),
    resume: { type: "string", value: "ID", help: "go on with a session" },
    continue: { type: "boolean", help: "go on with the last session of this project" },
    plain: { type: "boolean", help: "line by line, without redrawing: for screen readers" },
    ...trustOption,
    directory,
    config,
    help,
  },
} as const satisfies CommandDescription;
