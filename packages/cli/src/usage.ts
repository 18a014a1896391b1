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

Usage: codelia [OPTIONS]           work with an agent in this terminal
       codelia COMMAND [OPTIONS]

  run [PROMPT]     do a task in this repository
  agent            agents that are written down as steps with checked inputs and outputs: make, check, draw, run them
  worktrees        the worktrees of issues: list, prune, unlock
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
  acp              serve an editor: Zed, JetBrains, Neovim, Emacs
  doctor           what is wrong on this machine and in this project, with the fix for each
  rpc              let another program drive the agent: JSON-RPC on standard input and output
  help [COMMAND]   more about a command

  --version        the version of this program
`;

const common = `  -C DIR             work as if started in DIR
  -c KEY=VALUE       set a setting for this run (see \`codelia config\`)
  --json             print JSON`;

export const commandHelp: Readonly<Record<string, string>> = {
  open: `Usage: codelia [OPTIONS]

Opens the terminal UI in this directory. /help there says what can be typed.

  -m PROVIDER/MODEL  the model (see \`codelia models\`)
  --approval MODE    as for codelia run: ask (default), auto-edit, full
  --resume ID        go on with a session
  --continue         go on with the last session of this project
  --plain            line by line, without redrawing: for screen readers
  --trust            trust the project for this run only
  -C DIR             work as if started in DIR
  -c KEY=VALUE       set a setting for this run (see \`codelia config\`)
`,
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
  agent: `Usage: codelia agent [list]                    the flow agents of this project
       codelia agent new NAME                  make one that is valid and runs
       codelia agent validate [NAME|PATH...]   all that is wrong, at once; exit code 1 when there is an error
       codelia agent graph NAME [--run RUN]    draw it; with a run, what that run did
       codelia agent migrate [NAME|PATH...]    rewrite what is deprecated
       codelia agent run NAME [OPTIONS]        run one; with --dry-run, only show what it would ask
       codelia agent run NAME --issue N        work on an issue, on a branch and in a worktree of its own
       codelia agent resume RUN [OPTIONS]      go on with a run that was ended from outside
       codelia agent runs                      runs of this repository, the last used first
       codelia agent logs RUN [-f]             what a run did, record by record

NAME is a directory below .codelia/agents, or the path of one; validate and migrate also take a folder above agents, and
without one the agents of this project. Progress goes to standard error, the outputs of the steps to standard output. RUN
is the id of a run, or its beginning or end.

  --param KEY=VALUE  run: a parameter of the flow; may be repeated
  --dry-run          run: show every prompt with samples, ask no model; migrate: only say what would be rewritten
  -m PROVIDER/MODEL  run, resume: the model for steps that name none (see \`codelia models\`)
  --approval MODE    run, resume: as for codelia run; a step may ask for less, never for more
  --max-cost USD     run: stop when the cost is reached (exit code 4)
  --issue N          run: work on this issue (see docs/issues-and-worktrees.md)
  --issues LIST      run: on several, each in a run of its own: 1,2,5-9; nobody is asked anything then
  --parallel K       run: so many of them at a time (default 4)
  --origin BRANCH    run: the branch to derive from; else what the issue, its project or the settings say
  --repeat           resume: what was under way when the run was ended shall be done again
  --done             resume: it was done, and shall not be done again
  -f, --follow       logs: go on until the run ends
  --all              runs: those of all repositories
  --limit N          runs: at most N (default 20)
  --description TEXT new: what the agent is for
  --dir PATH         new: in this folder of agents instead of the project's
  --strict           validate: exit code 1 also when there are only warnings
  --run RUN          graph: mark visited steps, retries, time and cost of this run
  --format FORMAT    graph: mermaid (default) or svg
  -o, --output FILE  graph: write it to FILE; *.svg is SVG
  --trust            trust the project for this run only
${common}
                     with --json, run and resume: one event a line; logs: one record a line
`,
  worktrees: `Usage: codelia worktrees [list]             issues that are worked on, or were, and where
       codelia worktrees prune [ISSUE...]   remove worktrees and branches that hold nothing of their own
       codelia worktrees unlock ISSUE       take an issue from an owner that cannot be seen from here

prune without ISSUE takes those whose run is finished. What is not committed, not pushed, locked or in use is never
removed, and it says why. A lock of a process that died here needs no unlock: the next run takes it over.

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
       codelia permissions check [OPTIONS] --skill NAME | --url URL
       codelia permissions list [OPTIONS]                 the rules in force, and where each was written

Explains a decision without running or asking anything: how the command was read, the rule, the outcome (allow,
confirm or deny), and what would allow it. COMMAND as one argument is a shell text; several arguments are words.
Exit code 0: a decision was made, whichever.

  --approval MODE    as for codelia run: ask (default), auto-edit, full
  --tool NAME        a tool that names files: read, write, edit, …
  --path PATH        a file that it names; may be repeated
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
  acp: `Usage: codelia acp [OPTIONS]

Speaks the Agent Client Protocol on standard input and output; an editor starts it. See docs/editors.md for the settings
of Zed, JetBrains, Neovim and Emacs. A project has to be trusted before: codelia trust.

  -m PROVIDER/MODEL  the model of new sessions (see \`codelia models\`); the editor can change it
  --approval MODE    the mode of new sessions: ask (default), auto-edit, full; the editor can change it
  -c KEY=VALUE       set a setting for this run (see \`codelia config\`)
`,
  doctor: `Usage: codelia doctor [OPTIONS]

Looks at everything that a run needs: this program, your settings, the trust of this project, the sandbox, the programs
that it starts, and the models, whose providers are really asked with your keys. Exit code 0: no problem; 1: there is one.

  --trust            trust the project for this run only
${common}
`,
  rpc: `Usage: codelia rpc [OPTIONS]

Serves the protocol (docs/protocol.md) on standard input and output: JSON-RPC 2.0, one message a line. It ends when its
standard input does; what it was doing is cancelled then. Problems are told on standard error.

  --trust            trust the projects that are worked on, for this run only
  -c KEY=VALUE       set a setting for this run (see \`codelia config\`)
`,
  trust: `Usage: codelia trust [PATH]            trust the project that holds PATH (default: the working directory)
       codelia trust --list             list the trusted projects
       codelia trust --remove [PATH]    take trust back

Until a project is trusted, none of its instructions and settings are used.

${common}
`,
};
