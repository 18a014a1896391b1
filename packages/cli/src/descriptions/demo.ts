import { type CommandDescription, commonOptions } from "./description.ts";

export const demo = {
  form: "demo",
  summary: "watch an agent fix a failing test, without key or network",
  about: [
    "Copies an example project to a temporary directory and lets a scripted model fix its failing test: it reads, meets further instructions, edits, runs the tests. Nothing leaves your machine.",
  ],
  options: {
    json: { type: "boolean", help: "print JSON, one event a line" },
    help: commonOptions.help,
  },
} as const satisfies CommandDescription;
