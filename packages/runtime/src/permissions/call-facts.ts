// What a decision is made on: a call's paths with where they really lead, and a command's parse.
import type { DecidableCall, ToolAccess } from "@codelia/core";
import type { FileSystem } from "@codelia/shared-types";
import type { CommandAnalysis, Reach } from "../shell/index.ts";
import { type FilePath, filePaths } from "./real-path.ts";

export interface CommandFacts {
  readonly text: string;
  readonly cwd: string;
  /** It changes its directory on the way. */
  readonly moves: boolean;
  /** The directories that it may stand in; undefined: nobody can tell. */
  readonly places: readonly string[] | undefined;
  readonly analysis: CommandAnalysis;
  /** Whether it can reach a program, followed by these words. */
  reach(words: readonly string[]): Reach;
  /** Files that redirections open for writing. */
  readonly written: readonly FilePath[];
  /** Files that they only read. */
  readonly read: readonly FilePath[];
  /** What its words may name. Empty where no rule asks. */
  readonly named: readonly FilePath[];
}

export interface CommandFactsOptions {
  /** The user's: what `~` and `cd` alone lead to. */
  readonly home: string;
  /** Words of commands are looked at as names of files, too. */
  readonly asksForFiles: boolean;
}

export interface CallFacts {
  /** Of an MCP server's tool its own name, also when it was called through another. */
  readonly tool: string;
  readonly calledAs: string;
  readonly access: ToolAccess;
  /** Of calls that name files, and of a skill. */
  readonly paths: readonly FilePath[];
  readonly command: CommandFacts | undefined;
}

/**
 * @effects looks at the file system; loads the shell's grammar when the call is a command
 */
export async function callFacts(
  fs: FileSystem,
  { tool, prepared: { access } }: Pick<DecidableCall, "tool"> & { prepared: { access: ToolAccess } },
  options: CommandFactsOptions,
): Promise<CallFacts> {
  return {
    tool: access.kind === "mcp" ? access.tool : tool,
    calledAs: tool,
    access,
    paths: await filePaths(fs, pathsOf(access)),
    command: access.kind === "command" ? await commandFactsOf(fs, access, options) : undefined,
  };
}

async function commandFactsOf(
  fs: FileSystem,
  access: Extract<ToolAccess, { kind: "command" }>,
  options: CommandFactsOptions,
): Promise<CommandFacts> {
  const { commandFacts } = await import("./command-facts.ts");
  return commandFacts(fs, access, options);
}

function pathsOf(access: ToolAccess): readonly string[] {
  if (access.kind === "skill") return [access.path];
  return "paths" in access ? access.paths : [];
}
