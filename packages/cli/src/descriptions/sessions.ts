import { type CommandDescription, commonOptions } from "./description.ts";

const scope = {
  all: { type: "boolean", help: "the sessions of all repositories" },
  limit: { type: "string", value: "N", help: "at most N (default 20)" },
  ...commonOptions,
} as const;

export const sessions = {
  form: "sessions",
  summary: "list, show, search, export, delete sessions; undo the last changes",
  about: [
    "An ID may be given by its beginning or its end; show, export and undo take the last session of this project without one. Go on with a session by codelia run --resume ID.",
  ],
  verbs: {
    list: { form: "[list]", summary: "sessions of this repository, the last used first", options: scope },
    show: { form: "show [ID]", summary: "what was said and done in one", options: commonOptions },
    search: { form: "search TEXT", summary: "where a text was said or seen", options: scope },
    export: {
      form: "export [ID]",
      summary: "as Markdown, HTML or JSON, on standard output",
      options: {
        format: {
          type: "string",
          value: "FORMAT",
          values: ["md", "html", "json"],
          help: "md (default), html or json",
        },
        ...commonOptions,
      },
    },
    undo: {
      form: "undo [ID]",
      summary: "put back the files that the last prompt's tools changed",
      options: { "dry-run": { type: "boolean", help: "only say what would be done" }, ...commonOptions },
    },
    delete: { form: "delete ID...", summary: "remove sessions for good", options: commonOptions },
  },
} as const satisfies CommandDescription;
