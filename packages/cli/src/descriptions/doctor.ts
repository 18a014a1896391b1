import { type CommandDescription, commonOptions, trustOption } from "./description.ts";

export const doctor = {
  form: "doctor",
  summary: "what is wrong on this machine and in this project, with the fix for each",
  about: [
    "Looks at everything that a run needs: this program, your settings, the trust of this project, the sandbox, the programs that it starts, and the models, whose providers are really asked with your keys. Exit code 0: no problem; 1: there is one.",
  ],
  options: { ...trustOption, ...commonOptions },
} as const satisfies CommandDescription;
