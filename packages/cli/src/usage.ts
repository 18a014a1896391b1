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
  sessions         list, show, search, export, delete sessions; undo the last changes
  skills           list, search, show, check and make skills; switch them on and off
  mcp              add, approve, test and remove MCP servers; be one for other agents
  models           which models are usable, and why not
  context [PATH]   which instructions an agent gets here, and why
  config           the settings in force, and where each came from
  permissions      what a command would be decided to be, and the rules in force
  sandbox check    what holds commands back here, each wall tried for real
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
  --resume [ID]      go on with a session; without ID, choose one
  --continue         go on with the last session of this project
  --fork ID          go on with a copy of a session
  --no-compact       end the run when the context is full (exit code 4) instead of making room in it
  --record FILE      write what the model says to FILE
  --replay FILE      take what the model says from FILE instead of a model
${common}
                     with --json: one event a line
`,
  demo: `Usage: codelia demo [--json]

Copies an example project to a temporary directory and lets a scripted model fix its failing test: it reads, meets
further instructions, edits, runs the tests. Nothing leaves your machine.
`,
  sessions: `Usage: codelia sessions [list]              sessions of this repository, the last used first
       codelia sessions show [ID]           what was said and done in one
       codelia sessions search TEXT         where a text was said or seen
       codelia sessions export [ID]         as Markdown, HTML or JSON, on standard output
       codelia sessions undo [ID]           put back the files that the last prompt's tools changed
       codelia sessions delete ID...        remove sessions for good

An ID may be given by its beginning or its end; show, export and undo take the last session of this project without
one. Go on with a session by codelia run --resume ID.

  --all              list, search: the sessions of all repositories
  --limit N          list, search: at most N (default 20)
  --format FORMAT    export: md (default), html or json
  --dry-run          undo: only say what would be done
${common}
`,
  skills: `Usage: codelia skills [list]                    the skills that an agent has here
       codelia skills search QUERY              those that fit, the best first
       codelia skills show NAME|PATH            one of them, as a model is given it
       codelia skills validate [PATH...]        all that is wrong with skills; exit code 1 when there is an error
       codelia skills enable|disable NAME|PATH  switch one on or off, in your own config.json
       codelia skills new NAME                  make one to begin with

A PATH is that of a SKILL.md or of its directory; validate also takes any folder above skills, and without PATH the
skills of this project. A NAME is about all skills that have it, where a single one is wanted it must be the only one.

  --all                 list: those that are disabled, too
  --reload              list: read every SKILL.md anew
  --limit N             search: at most N
  --scope repo|user     search: only the project's, or only your own
  --strict              validate: exit code 1 also when there are only warnings
  --description TEXT    new: what the skill does and when to use it
  --user                new: among your own skills (~/.agents/skills) instead of the project's
  --dir PATH            new: in this folder of skills
  --trust               trust the project for this run only
${common}
`,
  mcp: `Usage: codelia mcp [list]                              the servers that are configured, and which are used
       codelia mcp add NAME [OPTIONS] -- COMMAND...    a program that speaks MCP over its standard streams
       codelia mcp add NAME [OPTIONS] URL              a server that speaks it over HTTP
       codelia mcp approve NAME [--revoke]             let a server and its tools be used as they are now
       codelia mcp test NAME                           start or reach it, and show what it offers
       codelia mcp login|logout NAME                   get a token for a server on the network, or forget it
       codelia mcp remove NAME                         take it out of the settings
       codelia mcp serve                               offer skills and instructions to other agents, over stdio

A server is used once it was approved, with exactly the command and the tools that it had then; see docs/mcp.md. Without
a terminal a server that is not approved is not used, and the run ends with exit code 3.

  --project             add, remove: in the project's .codelia/config.json instead of your own
  --env NAME=VALUE      add: a variable for the server; may be repeated
  --pass-env NAME       add: a variable of your environment that it gets, a key for example; may be repeated
  --network HOST        add: a host that it may reach; may be repeated
  --no-sandbox          add: it runs with all that you may do (not with --project)
  --bearer-env NAME     add: the variable that holds the token for URL
  --trust               trust the project for this run only
${common}
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
  --skills           show the skills that a session would be told of; with --show, that text alone
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
  permissions: `Usage: codelia permissions check [OPTIONS] -- COMMAND     what would be decided about a shell command
       codelia permissions check [OPTIONS] --tool NAME --path PATH...
       codelia permissions check [OPTIONS] --tool NAME --server NAME
       codelia permissions check [OPTIONS] --skill NAME | --url URL
       codelia permissions list [OPTIONS]                 the rules in force, and where each was written

Explains a decision without running or asking anything: how the command was read, the rule, the outcome (allow,
confirm or deny), and what would allow it. COMMAND as one argument is a shell text; several arguments are words.
Exit code 0: a decision was made, whichever.

  --approval MODE    as for codelia run: ask (default), auto-edit, full
  --tool NAME        a tool that names files: read, write, edit, …; or one of an MCP server
  --path PATH        a file that it names; may be repeated
  --server NAME      the MCP server whose tool it is
  --skill NAME       a skill that would be loaded
  --url URL          an address that would be fetched
  --trust            trust the project for this run only
${common}
`,
  sandbox: `Usage: codelia sandbox check [OPTIONS]

Tries each wall of the sandbox in this project, and says what is missing and how to install it. Exit code 0: the
sandbox is in force; 1: it is not.

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
