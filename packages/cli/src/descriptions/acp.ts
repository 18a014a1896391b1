import { approvalOption, type CommandDescription, commonOptions, modelOption } from "./description.ts";

export const acp = {
  form: "acp",
  summary: "serve an editor: Zed, JetBrains, Neovim, Emacs",
  about: [
    "Speaks the Agent Client Protocol on standard input and output; an editor starts it. See docs/editors.md for the settings of Zed, JetBrains, Neovim and Emacs. A project has to be trusted before: codelia trust.",
  ],
  options: {
    model: modelOption("the model of new sessions (see `codelia models`); the editor can change it"),
    approval: approvalOption(
      "the mode of new sessions: ask (default), auto-edit, full; the editor can change it",
    ),
    config: commonOptions.config,
    help: commonOptions.help,
  },
} as const satisfies CommandDescription;
