// Runs a tool's call as the loop does: arguments through the schema, then prepare, then execute.
import { type Tool, ToolError } from "@codelia/core";
import type { PermissionDecision } from "@codelia/shared-types";
import { noSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import type { ToolEnvironment } from "../../src/tools/environment.ts";
import { ReadVersions } from "../../src/tools/read-versions.ts";

export function environmentAt(
  cwd: string,
  env: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? "" },
  sandbox: Sandbox = noSandbox("this test is about something else"),
): ToolEnvironment {
  return {
    cwd,
    workspace: cwd,
    env,
    sandbox,
    approvesAll: false,
    forbiddenFiles: () => undefined,
    secrets: [],
    readVersions: new ReadVersions(),
  };
}

/** As if a person had been asked. */
export const allowedByUser: PermissionDecision = {
  decision: "allow",
  by: "user",
  reason: "allowed by the user",
};

/** What a call says before it runs. */
export async function announced<Arguments>(tool: Tool<Arguments>, args: unknown): Promise<unknown> {
  const { title, paths, access } = await tool.prepare(tool.parameters.parse(args));
  return { title, paths, access };
}

export async function runTool<Arguments>(
  tool: Tool<Arguments>,
  args: unknown,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  const call = await tool.prepare(tool.parameters.parse(args));
  const chunks: Uint8Array[] = [];
  await call.execute({
    decision: allowedByUser,
    signal,
    presentSkill: () => undefined,
    presentImage: () => undefined,
    intendChanges: () => Promise.resolve(),
    output: {
      write(chunk) {
        chunks.push(typeof chunk === "string" ? new TextEncoder().encode(chunk) : Uint8Array.from(chunk));
        return Promise.resolve();
      },
    },
  });
  return Buffer.concat(chunks).toString("utf8");
}

/** What the model is told when a call fails. */
export async function failure(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => "no failure",
    (error: unknown) => (error instanceof ToolError ? error.message : `not a ToolError: ${String(error)}`),
  );
}
