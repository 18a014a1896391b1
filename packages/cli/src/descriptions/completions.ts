import { type CommandDescription, commonOptions } from "./description.ts";

const options = { help: commonOptions.help } as const;

export const completions = {
  form: "completions SHELL",
  summary: "what a shell needs to complete commands and flags",
  usage: [["bash|zsh|fish"]],
  about: [
    "Prints a script for the shell. In ~/.bashrc: source <(codelia completions bash). For zsh, into a folder of fpath: codelia completions zsh > ~/.zfunc/_codelia. For fish: codelia completions fish > ~/.config/fish/completions/codelia.fish.",
  ],
  options,
  verbs: {
    bash: { form: "bash", summary: "for bash 4 or newer", options },
    zsh: { form: "zsh", summary: "for zsh", options },
    fish: { form: "fish", summary: "for fish", options },
  },
} as const satisfies CommandDescription;
