import {
  approvalOption,
  type CommandDescription,
  commonOptions,
  modelOption,
  trustOption,
} from "./description.ts";

export const run = {
  form: "run [PROMPT]",
  summary: "do a task in this repository",
  about: [
    "Does what PROMPT asks in this repository. Without PROMPT, or with -, it is read from standard input. Progress goes to standard error, the answer to standard output.",
  ],
  options: {
    model: modelOption("the model (see `codelia models`)"),
    approval: approvalOption(
      "ask: ask before writes, commands and network (default); auto-edit: edits inside the project are free; full: everything is free. Without a terminal, what would be asked is refused (exit code 3)",
    ),
    image: {
      type: "string",
      multiple: true,
      value: "FILE",
      takes: "file",
      help: "send an image with the prompt; may be repeated",
    },
    "max-turns": { type: "string", value: "N", help: "stop after N requests to the model (exit code 4)" },
    "max-cost": { type: "string", value: "USD", help: "stop when the cost is reached (exit code 4)" },
    ...trustOption,
    resume: { type: "string", value: "[ID]", help: "go on with a session; without ID, choose one" },
    continue: { type: "boolean", help: "go on with the last session of this project" },
    fork: { type: "string", value: "ID", help: "go on with a copy of a session" },
    "no-compact": {
      type: "boolean",
      help: "end the run when the context is full (exit code 4) instead of making room in it",
    },
    record: { type: "string", value: "FILE", takes: "file", help: "write what the model says to FILE" },
    replay: {
      type: "string",
      value: "FILE",
      takes: "file",
      help: "take what the model says from FILE instead of a model",
    },
    ...commonOptions,
    json: { type: "boolean", help: "print JSON, one event a line" },
  },
} as const satisfies CommandDescription;
