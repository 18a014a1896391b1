// A tool of the program that embeds Codelia. It goes the way of every tool: permission, bounded output, no secrets.
import { resolve } from "node:path";
import type { Tool, ToolAccess } from "@codelia/core";
import type { z } from "zod";

/** What a call touches; rules and the approval mode decide by it. Paths may be relative to the session's directory. */
export type OwnToolAccess =
  /** Nothing but the conversation: needs no question. */
  | "none"
  | { readonly reads: readonly string[] }
  | { readonly writes: readonly string[] }
  | { readonly fetches: string };

export interface OwnToolOptions<Arguments> {
  /** As the model calls it: letters, digits and underscores. */
  readonly name: string;
  /** For the model: short, because it is sent with every request. */
  readonly description: string;
  readonly parameters: z.ZodType<Arguments>;
  /** What this call will touch. It has to be said: what touches the machine is decided like the same act of ours. */
  readonly access: (args: Arguments) => OwnToolAccess;
  /**
   * @input  signal: ends the call
   * @output what the model sees; long texts are cut for it and kept whole
   * @error  whatever is thrown is told to the model, which may try otherwise
   */
  readonly execute: (args: Arguments, signal: AbortSignal) => string | Promise<string>;
}

/** A tool, ready for `createSession`. */
export interface OwnTool {
  readonly name: string;
  /** @input cwd: the session's directory */
  readonly toTool: (cwd: string) => Tool;
}

/**
 * @output the tool; nothing is called before the model calls it
 * @error  TypeError for a name that no model could call
 */
export function defineTool<Arguments>(options: OwnToolOptions<Arguments>): OwnTool {
  const { name, description, parameters } = options;
  if (!/^[A-Za-z]\w{0,63}$/.test(name)) {
    throw new TypeError(`${JSON.stringify(name)} is no name for a tool: use letters, digits and underscores`);
  }
  return {
    name,
    toTool: (cwd) => ({
      name,
      description,
      parameters,
      prepare: async (raw) => {
        const args = parameters.parse(raw);
        const access = toolAccess(options.access(args), cwd);
        return {
          title: name,
          paths: "paths" in access ? access.paths : [],
          access,
          execute: async ({ output, signal }) => output.write(await options.execute(args, signal)),
        };
      },
    }),
  };
}

function toolAccess(access: OwnToolAccess, cwd: string): ToolAccess {
  if (access === "none") return { kind: "none" };
  if ("fetches" in access) return { kind: "network", url: access.fetches };
  if ("reads" in access) return { kind: "read", paths: access.reads.map((path) => resolve(cwd, path)) };
  return { kind: "write", paths: access.writes.map((path) => resolve(cwd, path)) };
}
