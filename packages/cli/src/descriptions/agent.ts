import {
  approvalOption,
  type CommandDescription,
  commonOptions,
  modelOption,
  trustOption,
} from "./description.ts";

const trusting = { ...trustOption, ...commonOptions } as const;

const model = modelOption("the model for steps that name none (see `codelia models`)");

const approval = approvalOption("as for codelia run; a step may ask for less, never for more");

export const agent = {
  form: "agent",
  summary: "agents written down as steps with checked inputs and outputs: make, check, draw, run them",
  about: [
    "NAME is a directory below .codelia/agents, or the path of one; validate and migrate also take a folder above agents, and without one the agents of this project. Progress goes to standard error, the outputs of the steps to standard output. RUN is the id of a run, or its beginning or end. With --json, run and resume print one event a line, logs one record a line.",
  ],
  verbs: {
    list: { form: "[list]", summary: "the flow agents of this project", options: trusting },
    new: {
      form: "new NAME",
      summary: "make one that is valid and runs",
      options: {
        description: { type: "string", value: "TEXT", help: "what the agent is for" },
        dir: {
          type: "string",
          value: "PATH",
          takes: "directory",
          help: "in this folder of agents instead of the project's",
        },
        ...commonOptions,
      },
    },
    validate: {
      form: "validate [NAME|PATH...]",
      summary: "all that is wrong, at once; exit code 1 when there is an error",
      options: {
        strict: { type: "boolean", help: "exit code 1 also when there are only warnings" },
        ...commonOptions,
      },
      takes: "file",
    },
    graph: {
      form: "graph NAME [--run RUN]",
      summary: "draw it; with a run, what that run did",
      options: {
        run: { type: "string", value: "RUN", help: "mark visited steps, retries, time and cost of this run" },
        format: {
          type: "string",
          value: "FORMAT",
          values: ["mermaid", "svg"],
          help: "mermaid (default) or svg",
        },
        output: {
          type: "string",
          short: "o",
          value: "FILE",
          takes: "file",
          help: "write it to FILE; *.svg is SVG",
        },
        ...trusting,
      },
      takes: "file",
    },
    migrate: {
      form: "migrate [NAME|PATH...]",
      summary: "rewrite what is deprecated",
      options: {
        "dry-run": { type: "boolean", help: "only say what would be rewritten" },
        ...trusting,
      },
      takes: "file",
    },
    run: {
      form: "run NAME [--issue N]",
      summary: "run one; with an issue, on a branch and in a worktree of its own",
      options: {
        param: {
          type: "string",
          multiple: true,
          value: "KEY=VALUE",
          help: "a parameter of the flow; may be repeated",
        },
        "dry-run": { type: "boolean", help: "show every prompt with samples, ask no model" },
        model,
        approval,
        "max-cost": { type: "string", value: "USD", help: "stop when the cost is reached (exit code 4)" },
        issue: {
          type: "string",
          value: "N",
          help: "work on this issue (see docs/issues-and-worktrees.md)",
        },
        issues: {
          type: "string",
          value: "LIST",
          help: "on several, each in a run of its own: 1,2,5-9; nobody is asked anything then",
        },
        parallel: { type: "string", value: "K", help: "so many of them at a time (default 4)" },
        origin: {
          type: "string",
          value: "BRANCH",
          help: "the branch to derive from; else what the issue, its project or the settings say",
        },
        again: {
          type: "boolean",
          help: "work on in the worktree and on the branch that a run left which has ended",
        },
        ...trusting,
      },
      takes: "file",
    },
    resume: {
      form: "resume RUN",
      summary: "go on with a run that was ended from outside",
      options: {
        model,
        approval,
        repeat: {
          type: "boolean",
          help: "what was under way when the run was ended shall be done again",
        },
        done: { type: "boolean", help: "it was done, and shall not be done again" },
        ...trusting,
      },
    },
    runs: {
      form: "runs",
      summary: "runs of this repository, the last used first",
      options: {
        all: { type: "boolean", help: "those of all repositories" },
        limit: { type: "string", value: "N", help: "at most N (default 20)" },
        ...commonOptions,
      },
    },
    logs: {
      form: "logs RUN [-f]",
      summary: "what a run did, record by record",
      options: {
        follow: { type: "boolean", short: "f", help: "go on until the run ends" },
        ...commonOptions,
      },
    },
  },
} as const satisfies CommandDescription;
