// A server's tools as a model may be told of them: bounded, without tags of ours, without characters that act or hide.
import { neutraliseTags } from "@codelia/core";
import { type McpTool, type ToolDefinition, visibleText } from "@codelia/shared-types";
import { sha256 } from "./configured-server.ts";
import { McpError } from "./error.ts";

const maxTools = 2000;
const maxDescription = 4096;
const maxTitle = 200;
const maxSchemaBytes = 32 * 1024;
const maxOfferBytes = 4 * 1024 * 1024;
const maxDepth = 24;
export const maxInstructions = 4096;

/** As the SDK gives a tool; everything in it is the server's word. */
export interface RawTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly annotations?: object | undefined;
}

// What a name may hold so that a person can read it and a rule can name it.
const readableName = /^[\w./:@+-]{1,128}$/;

/**
 * @input  clean: takes out of a text what must not be told
 * @output the tools, as they are pinned and told; what is pinned is what is told, so nothing can change unnoticed
 * @error  McpError when the list cannot be used as a whole
 */
export function readTools(
  server: string,
  raw: readonly RawTool[],
  clean: (text: string) => string = (text) => text,
): McpTool[] {
  const refuse = (problem: string) => new McpError("invalid", server, problem);
  if (raw.length > maxTools) throw refuse(`it offers ${raw.length} tools; at most ${maxTools} are taken`);
  const seen = new Set<string>();
  const tools = raw.map((tool) => {
    if (!readableName.test(tool.name))
      throw refuse(
        `it offers a tool with an unusable name: ${visibleText(JSON.stringify(tool.name.slice(0, 80)))}`,
      );
    // By the names that rules go by: a hash that was made to fit is no way around it.
    const offered = offeredName(server, tool.name);
    if (seen.has(offered)) throw refuse(`it offers two tools named ${tool.name}`);
    seen.add(offered);
    return cleanTool(tool, clean);
  });
  const bytes = Buffer.byteLength(JSON.stringify(tools));
  if (bytes > maxOfferBytes)
    throw refuse(`its tools take ${bytes} bytes; at most ${maxOfferBytes} are taken`);
  return tools;
}

function cleanTool(
  { name, title, description = "", inputSchema, annotations }: RawTool,
  clean: (text: string) => string,
): McpTool {
  const { $schema: _, ...schema } = record(cleaned(inputSchema, clean));
  const isTooLarge = Buffer.byteLength(JSON.stringify(schema)) > maxSchemaBytes;
  const said = cut(cleanText(clean(description)), maxDescription);
  return {
    name,
    ...(title === undefined ? {} : { title: cut(cleanText(clean(title)), maxTitle) }),
    description: isTooLarge ? `${said}\n[The schema of its arguments is too large to be shown.]` : said,
    inputSchema: isTooLarge ? { type: "object" } : { ...schema, type: "object" },
    ...(annotations === undefined ? {} : { annotations: record(cleaned(annotations, clean)) }),
  };
}

/** Text of a server: line feeds and tabs stay, everything that acts or hides is escaped, our tags are spelled out. */
export function cleanText(text: string): string {
  return neutraliseTags(visibleText(text.toWellFormed().replaceAll("\r\n", "\n"))).text;
}

export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`;
}

function cleaned(value: unknown, clean: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return cut(cleanText(clean(value)), maxDescription);
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return {};
  if (Array.isArray(value)) return value.map((each) => cleaned(each, clean, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [cleanText(clean(key)), cleaned(each, clean, depth + 1)]),
  );
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

const maxName = 64;

/**
 * The name by which models and rules know a tool. It begins like no tool of ours, and a server's name holds no
 * underscore, so that none can stand in for another's.
 */
export function offeredName(server: string, tool: string): string {
  const plain = `mcp__${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
  const isExact = plain === `mcp__${server}__${tool}` && plain.length <= maxName;
  // Providers take 64 letters, digits, _ and -; what had to be changed is told apart by a hash.
  return isExact ? plain : `${plain.slice(0, maxName - 9)}_${sha256(tool).slice(0, 8)}`;
}

export function definitionOf(server: string, { name, description, inputSchema }: McpTool): ToolDefinition {
  return {
    name: offeredName(server, name),
    description: `[MCP ${server}] ${description}`,
    parameters: inputSchema,
  };
}
