// codelia sessions
import type { Params } from "@codelia/protocol";
import { visibleJson } from "@codelia/shared-types";
import { chosenDirectory, parseCommand, settingFlags, wholeNumber } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { renderSearch, renderSessions, renderUndo } from "../render/index.ts";
import { UsageError } from "../usage.ts";
import { deleteSessions } from "./sessions-delete.ts";
import { writeTranscript } from "./sessions-transcript.ts";

const command = "sessions";

const { verbs } = descriptions.sessions;

type Subcommand = (args: readonly string[], io: CliIo) => Promise<number>;

const subcommands: Readonly<Record<string, Subcommand>> = {
  list: listCommand,
  show: showCommand,
  search: searchCommand,
  export: exportCommand,
  undo: undoCommand,
  delete: deleteCommand,
};

export function sessionsCommand(args: readonly string[], io: CliIo): Promise<number> {
  const [name = "list", ...rest] = args;
  if (name.startsWith("-")) return listCommand(args, io);
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (subcommand === undefined) {
    const known = Object.keys(subcommands).join(", ");
    throw new UsageError(`unknown command 'sessions ${name}': expected one of ${known}`, command);
  }
  return subcommand(rest, io);
}

async function listCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.list.options);
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  const scope = scopeOf(values, io);
  const result = await (await connect(values, io)).call("session.list", scope);
  io.stdout.write(values.json ? `${visibleJson(result)}\n` : renderSessions(result, scope));
  return exitCode.done;
}

async function searchCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.search.options);
  const [text] = positionals;
  if (text === undefined || text.trim() === "") throw new UsageError("say what to search for", command);
  if (positionals.length > 1) {
    throw new UsageError(`expected one text, found ${positionals.length}: put it in quotes`, command);
  }
  const scope = scopeOf(values, io);
  const result = await (await connect(values, io)).call("session.search", { ...scope, text });
  io.stdout.write(values.json ? `${visibleJson(result)}\n` : renderSearch(result, scope));
  return exitCode.done;
}

async function showCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.show.options);
  const session = chosenSession(positionals, values.directory, io);
  return writeTranscript(
    await connect(values, io),
    { ...session, format: values.json ? "json" : "text" },
    io,
  );
}

async function exportCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.export.options);
  const format = values.format ?? (values.json ? "json" : "md");
  if (format !== "md" && format !== "html" && format !== "json") {
    throw new UsageError(`--format ${format}: expected one of md, html, json`, command);
  }
  if (values.json && format !== "json") throw new UsageError(`--json is not --format ${format}`, command);
  const session = chosenSession(positionals, values.directory, io);
  return writeTranscript(await connect(values, io), { ...session, format }, io);
}

async function undoCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.undo.options);
  const params: Params<"session.undo"> = {
    ...chosenSession(positionals, values.directory, io),
    dry_run: values["dry-run"] ?? false,
  };
  const result = await (await connect(values, io)).call("session.undo", params);
  io.stdout.write(values.json ? `${visibleJson(result)}\n` : renderUndo(result, params));
  return exitCode.done;
}

async function deleteCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.delete.options);
  if (positionals.length === 0 || positionals.includes("")) {
    throw new UsageError("say which session to delete (see `codelia sessions`)", command);
  }
  const cwd = chosenDirectory(values.directory, io.workingDirectory);
  return deleteSessions(await connect(values, io), { cwd, ids: positionals, json: values.json ?? false }, io);
}

function connect(values: { config?: string[] }, io: CliIo) {
  return io.connect({ settings: settingFlags(command, values.config), trust: false });
}

const defaultLimit = 20;

function scopeOf(
  values: { directory?: string; all?: boolean; limit?: string },
  io: CliIo,
): Params<"session.list"> {
  return {
    cwd: chosenDirectory(values.directory, io.workingDirectory),
    all: values.all ?? false,
    limit: wholeNumber(command, "--limit", values.limit) ?? defaultLimit,
  };
}

function chosenSession(
  positionals: readonly string[],
  directory: string | undefined,
  io: CliIo,
): { cwd: string; id?: string } {
  if (positionals.length > 1) throw new UsageError(`expected one ID, found ${positionals.length}`, command);
  const [id] = positionals;
  if (id === "") throw new UsageError("the ID is empty", command);
  return {
    cwd: chosenDirectory(directory, io.workingDirectory),
    ...(id === undefined ? {} : { id }),
  };
}
