// What can be typed, and what is said when something else was.
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}

export const overview = `Codelia: a coding agent whose context is exact.

Usage: codelia COMMAND [OPTIONS]

  context [PATH]   which instructions an agent gets here, and why
  config           the settings in force, and where each came from
  trust [PATH]     let a project's files take part
  help [COMMAND]   more about a command

  --version        the version of this program
`;

const common = `  -C DIR             work as if started in DIR
  -c KEY=VALUE       set a setting for this run (see \`codelia config\`)
  --json             print JSON`;

export const commandHelp: Readonly<Record<string, string>> = {
  context: `Usage: codelia context [PATH] [OPTIONS]

Shows the root and the rule that chose it, each AGENTS.md that a session started here would be given, what was
cut or skipped and why, and, with PATH, what a tool call on that path would be reminded of.

  --show             print the exact text that would be sent, and nothing else
  --tree             draw the instruction files of the whole project (below PATH), with inherited bytes
  --trust            trust the project for this run only
  --root DIR         use DIR as the root (agents.root.projectRootOverride)
  --markers LIST     comma-separated names that mark a root (agents.root.markers)
${common}
`,
  config: `Usage: codelia config [OPTIONS]

Shows every setting in force with its source: default < user < project (trusted only) < environment < flag.

  --trust            trust the project for this run only
${common}
`,
  trust: `Usage: codelia trust [PATH]            trust the project that holds PATH (default: the working directory)
       codelia trust --list             list the trusted projects
       codelia trust --remove [PATH]    take trust back

Until a project is trusted, none of its instructions and settings are used.

${common}
`,
};
