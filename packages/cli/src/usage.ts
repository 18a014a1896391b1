// What can be typed, and what is said when something else was.
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}

/** The user asked how a command is used; what else was typed does not count. */
export class HelpRequest extends Error {
  override readonly name = "HelpRequest";
  readonly command: string;

  constructor(command: string) {
    super(`help for ${command}`);
    this.command = command;
  }
}

export const overview = `Codelia: a coding agent whose context is exact.

Usage: codelia COMMAND [OPTIONS]

  run [PROMPT]     do a task in this repository
  demo             watch an agent fix a failing test, without key or network
  models           which models are usable, and why not
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
  run: `Usage: codelia run [PROMPT] [OPTIONS]

Does what PROMPT asks in this repository. Without PROMPT, or with -, it is read from standard input. Progress goes to
standard error, the answer to standard output.

  -m PROVIDER/MODEL  the model (see \`codelia models\`)
  --approval MODE    ask: ask before writes, commands and network (default); auto-edit: edits inside the project are
                     free; full: everything is free. Without a terminal, what would be asked is refused (exit code 3)
  --image FILE       send an image with the prompt; may be repeated
  --max-turns N      stop after N requests to the model (exit code 4)
  --max-cost USD     stop when the cost is reached (exit code 4)
  --trust            trust the project for this run only
  --record FILE      write what the model says to FILE
  --replay FILE      take what the model says from FILE instead of a model
${common}
                     with --json: one event a line
`,
  demo: `Usage: codelia demo [--json]

Copies an example project to a temporary directory and lets a scripted model fix its failing test: it reads, meets
further instructions, edits, runs the tests. Nothing leaves your machine.
`,
  models: `Usage: codelia models [OPTIONS]

Lists the providers that are usable, where their key comes from, and why the others are not.

${common}
`,
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
