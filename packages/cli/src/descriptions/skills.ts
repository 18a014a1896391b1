import { type CommandDescription, commonOptions, trustOption } from "./description.ts";

const trusting = { ...trustOption, ...commonOptions } as const;

export const skills = {
  form: "skills",
  summary: "list, search, show, check and make skills; switch them on and off",
  about: [
    "A PATH is that of a SKILL.md or of its directory; validate also takes any folder above skills, and without PATH the skills of this project. A NAME is about all skills that have it, where a single one is wanted it must be the only one.",
  ],
  verbs: {
    list: {
      form: "[list]",
      summary: "the skills that an agent has here",
      options: {
        all: { type: "boolean", help: "those that are disabled, too" },
        reload: { type: "boolean", help: "read every SKILL.md anew" },
        ...trusting,
      },
    },
    search: {
      form: "search QUERY",
      summary: "those that fit, the best first",
      options: {
        limit: { type: "string", value: "N", help: "at most N" },
        scope: {
          type: "string",
          value: "repo|user",
          values: ["repo", "user"],
          help: "only the project's, or only your own",
        },
        ...trusting,
      },
    },
    show: {
      form: "show NAME|PATH",
      summary: "one of them, as a model is given it",
      options: trusting,
      takes: "file",
    },
    validate: {
      form: "validate [PATH...]",
      summary: "all that is wrong with skills; exit code 1 when there is an error",
      options: {
        strict: { type: "boolean", help: "exit code 1 also when there are only warnings" },
        ...commonOptions,
      },
      takes: "file",
    },
    enable: {
      form: "enable NAME|PATH",
      summary: "switch one on, in your own config.json",
      options: trusting,
      takes: "file",
    },
    disable: {
      form: "disable NAME|PATH",
      summary: "switch one off, in your own config.json",
      options: trusting,
      takes: "file",
    },
    new: {
      form: "new NAME",
      summary: "make one to begin with",
      options: {
        description: { type: "string", value: "TEXT", help: "what the skill does and when to use it" },
        user: {
          type: "boolean",
          help: "among your own skills (~/.agents/skills) instead of the project's",
        },
        dir: { type: "string", value: "PATH", takes: "directory", help: "in this folder of skills" },
        ...commonOptions,
      },
    },
  },
} as const satisfies CommandDescription;
