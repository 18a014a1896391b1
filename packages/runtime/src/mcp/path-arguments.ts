// The arguments of an MCP tool that name files of this machine, as its schema declares them.
import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { McpTool } from "@codelia/shared-types";

// MCP has no mark for paths. These are the names and formats that servers use for them.
const pathName =
  /^(?:path|paths|file|files|filename|filepath|directory|dir|folder|cwd|root|source|destination)$|(?:_|[a-z])(?:_path|Path|_paths|Paths|_file|File|_dir|Dir|_directory|Directory|_folder|Folder)$/;
const pathFormats = new Set(["path", "file-path", "directory-path", "file-uri"]);

const maxPaths = 64;

/** @output absolute, normalised paths; relative ones start at the server's own directory */
export function pathArguments(
  { inputSchema }: Pick<McpTool, "inputSchema">,
  args: Readonly<Record<string, unknown>>,
  directory: string,
): string[] {
  const { properties } = inputSchema;
  if (!isRecord(properties)) return [];
  const texts = Object.entries(properties)
    .filter(([name, schema]) => isRecord(schema) && (pathName.test(name) || hasPathFormat(schema)))
    .flatMap(([name]) => textsIn(Object.hasOwn(args, name) ? args[name] : undefined));
  const paths = texts.map((text) => absolute(text, directory)).filter((path) => path !== undefined);
  return [...new Set(paths)].slice(0, maxPaths);
}

function hasPathFormat(schema: Readonly<Record<string, unknown>>): boolean {
  const { format, items } = schema;
  return pathFormats.has(String(format)) || (isRecord(items) && pathFormats.has(String(items.format)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function absolute(text: string, directory: string): string | undefined {
  if (text === "" || text.includes("\0")) return undefined;
  if (text.startsWith("file:")) {
    try {
      return resolve(fileURLToPath(text));
    } catch {
      return undefined;
    }
  }
  // An address names nothing on this machine.
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined;
  return isAbsolute(text) ? resolve(text) : resolve(directory, text);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
