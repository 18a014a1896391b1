import { type CommandDescription, commonOptions } from "./description.ts";

export const man = {
  form: "man",
  summary: "the manual page",
  usage: [[""]],
  about: [
    "Prints the manual page as a man program reads it: codelia man | man -l -. To install it: codelia man > /usr/local/share/man/man1/codelia.1.",
  ],
  options: { help: commonOptions.help },
} as const satisfies CommandDescription;
