// A working directory with an agent's file tools in it, for tests.
import { readFileSync, statSync } from "node:fs";
import { type PreparedCall, type Tool, ToolError } from "@codelia/core";
import type { ToolImage } from "@codelia/shared-types";
import { z } from "zod";
import { TemporaryTree, type TreeDescription } from "../../../../test/support/tree.ts";
import { noSandbox } from "../../src/sandbox/index.ts";
import type { ToolEnvironment } from "../../src/tools/environment.ts";
import { createReadTool } from "../../src/tools/read.ts";
import { ReadVersions } from "../../src/tools/read-versions.ts";
import { allowedByUser } from "./tool-run.ts";

export class FileToolScene extends TemporaryTree {
  readonly environment: ToolEnvironment;

  constructor(description: TreeDescription) {
    super({ "work/": "", ...Object.fromEntries(entriesBelow("work", description)) });
    this.environment = {
      cwd: this.at("work"),
      workspace: this.at("work"),
      env: { HOME: this.at("home") },
      sandbox: noSandbox("files are written without commands"),
      approvesAll: false,
      forbiddenFiles: () => undefined,
      secrets: [],
      readVersions: new ReadVersions(),
    };
  }

  /** A path in the working directory. */
  in(...names: string[]): string {
    return this.at("work", ...names);
  }

  text(name: string): string {
    return readFileSync(this.in(name), "utf8");
  }

  mode(name: string): number {
    return statSync(this.in(name)).mode & 0o7777;
  }

  /** Lets the model see a file. */
  async see(...names: string[]): Promise<void> {
    const tool = createReadTool(this.environment);
    for (const path of names) await output(tool, { path });
  }
}

function entriesBelow(folder: string, description: TreeDescription) {
  return Object.entries(description).map(([name, content]) => [`${folder}/${name}`, content] as const);
}

/** @output what it writes; what it shows is put into `images` */
export async function execute(
  call: PreparedCall,
  signal = new AbortController().signal,
  images: ToolImage[] = [],
): Promise<string> {
  const chunks: string[] = [];
  const write = async (chunk: string | Uint8Array) => {
    chunks.push(typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk));
  };
  await call.execute({
    decision: allowedByUser,
    signal,
    output: { write },
    presentSkill: () => undefined,
    presentImage: (image) => images.push(image),
    intendChanges: () => Promise.resolve(),
  });
  return chunks.join("");
}

/** What the model sees of a call. */
export async function output<Arguments>(tool: Tool<Arguments>, args: Arguments): Promise<string> {
  return await execute(await tool.prepare(tool.parameters.parse(args)));
}

/** What the model is told of a call that fails; any other error fails the test. */
export async function refusal<Arguments>(tool: Tool<Arguments>, args: Arguments): Promise<string> {
  return await refusalOf(async () => await output(tool, args));
}

export async function refusalOf(action: () => Promise<unknown>): Promise<string> {
  try {
    await action();
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
  throw new Error("the call was not refused");
}

/** Bytes that a tool's description costs in every request. */
export function requestBytes<Arguments>(tool: Tool<Arguments>): number {
  return (
    Buffer.byteLength(tool.description) + Buffer.byteLength(JSON.stringify(z.toJSONSchema(tool.parameters)))
  );
}

/** A system error as the file system would raise it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made up by the test`), { code });
}
