// Which of an agent's own tools reads a file, and how it is called.
import { field, text } from "./json.ts";
import type { DeclaredTool } from "./wires/index.ts";

export interface FileReader {
  readonly tool: string;
  argumentsFor(path: string): Record<string, unknown>;
}

const readers = ["read", "read_file", "readfile", "view"];
const pathArguments = ["file_path", "filePath", "path", "absolute_path"];
const shells = ["exec_command", "shell_command", "shell", "bash", "run_shell_command"];
const commandArguments = ["cmd", "command"];

/** The tool that reads files or, for an agent without one, its shell with `cat`. */
export function readingTool(tools: readonly DeclaredTool[]): FileReader | undefined {
  const reader = choose(tools, readers, pathArguments);
  if (reader) return { tool: reader.name, argumentsFor: (path) => ({ [reader.argument]: path }) };

  const shell = choose(tools, shells, commandArguments);
  if (!shell) return undefined;
  return {
    tool: shell.name,
    argumentsFor: (path) => ({
      [shell.argument]: shell.type === "array" ? ["cat", path] : `cat '${path}'`,
    }),
  };
}

function choose(tools: readonly DeclaredTool[], names: readonly string[], argumentNames: readonly string[]) {
  for (const name of names) {
    const tool = tools.find((candidate) => candidate.name.toLowerCase() === name);
    if (!tool) continue;
    const properties = field(tool.parameters, "properties");
    const argument = argumentNames.find((candidate) => field(properties, candidate) !== undefined);
    if (argument === undefined) continue;
    return { name: tool.name, argument, type: text(field(field(properties, argument), "type")) };
  }
  return undefined;
}
