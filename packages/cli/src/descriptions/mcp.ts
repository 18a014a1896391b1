import { type CommandDescription, commonOptions, trustOption } from "./description.ts";

const trusting = { ...trustOption, ...commonOptions } as const;

const project = {
  type: "boolean",
  help: "in the project's .codelia/config.json instead of your own",
} as const;

export const mcp = {
  form: "mcp",
  summary: "add, approve, test and remove MCP servers; be one for other agents",
  about: [
    "A server is used once it was approved, with exactly the command and the tools that it had then; see docs/mcp.md. Without a terminal a server that is not approved is not used, and the run ends with exit code 3.",
  ],
  verbs: {
    list: {
      form: "[list]",
      summary: "the servers that are configured, and which are used",
      options: trusting,
    },
    add: {
      form: "add NAME (URL | -- COMMAND...)",
      summary: "a server over HTTP, or a program that is one over stdio",
      options: {
        project,
        env: {
          type: "string",
          multiple: true,
          value: "NAME=VALUE",
          help: "a variable for the server; may be repeated",
        },
        "pass-env": {
          type: "string",
          multiple: true,
          value: "NAME",
          help: "a variable of your environment that it gets, a key for example; may be repeated",
        },
        network: {
          type: "string",
          multiple: true,
          value: "HOST",
          help: "a host that it may reach; may be repeated",
        },
        "no-sandbox": { type: "boolean", help: "it runs with all that you may do (not with --project)" },
        "bearer-env": { type: "string", value: "NAME", help: "the variable that holds the token for URL" },
        ...trusting,
      },
    },
    approve: {
      form: "approve NAME",
      summary: "let a server and its tools be used as they are now",
      options: { revoke: { type: "boolean", help: "take it back" }, ...trusting },
    },
    test: { form: "test NAME", summary: "start or reach it, and show what it offers", options: trusting },
    login: { form: "login NAME", summary: "get a token for a server on the network", options: trusting },
    logout: { form: "logout NAME", summary: "forget the token", options: trusting },
    remove: {
      form: "remove NAME",
      summary: "take it out of the settings",
      options: { project, ...trusting },
    },
    serve: {
      form: "serve",
      summary: "offer skills and instructions to other agents, over stdio",
      options: trusting,
    },
  },
} as const satisfies CommandDescription;
