import { type CommandDescription, commonOptions } from "./description.ts";

const { config, help } = commonOptions;

export const rpc = {
  form: "rpc",
  summary: "let another program drive the agent: JSON-RPC on standard input and output",
  about: [
    "Serves the protocol (docs/protocol.md) on standard input and output: JSON-RPC 2.0, one message a line. It ends when its standard input does; what it was doing is cancelled then. Problems are told on standard error.",
  ],
  options: {
    trust: { type: "boolean", help: "trust the projects that are worked on, for this run only" },
    config,
    help,
  },
} as const satisfies CommandDescription;
