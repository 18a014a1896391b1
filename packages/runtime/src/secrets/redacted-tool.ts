// A tool whose words hold no known secret: not in its output, its title, its preview, nor in what it says when it fails.
import { type PreparedCall, type TextChange, type Tool, ToolError } from "@codelia/core";
import type { Secret } from "./known-secrets.ts";
import { createRedactor, redactText } from "./redactor.ts";

export function redactedTool(tool: Tool, secrets: readonly Secret[]): Tool {
  if (secrets.length === 0) return tool;
  return {
    ...tool,
    prepare: async (args) => {
      const call = await tool.prepare(args).catch((error: unknown) => {
        throw withoutSecrets(error, secrets);
      });
      return redactedCall(call, secrets);
    },
  };
}

function redactedCall(call: PreparedCall, secrets: readonly Secret[]): PreparedCall {
  return {
    ...call,
    title: redactText(secrets, call.title),
    ...(call.preview === undefined ? {} : { preview: redactText(secrets, call.preview) }),
    ...(call.changes === undefined
      ? {}
      : { changes: call.changes.map((change) => redactedChange(change, secrets)) }),
    execute: async ({ output, ...execution }) => {
      const redactor = createRedactor(secrets);
      const encoder = new TextEncoder();
      const write = async (bytes: Uint8Array) => {
        if (bytes.length > 0) await output.write(bytes);
      };
      try {
        await call.execute({
          ...execution,
          output: {
            write: (chunk) => write(redactor.push(typeof chunk === "string" ? encoder.encode(chunk) : chunk)),
          },
        });
      } catch (error) {
        throw withoutSecrets(error, secrets);
      } finally {
        await write(redactor.end());
      }
    },
  };
}

function redactedChange({ path, before, after }: TextChange, secrets: readonly Secret[]): TextChange {
  const clean = (text: string | undefined) => (text === undefined ? undefined : redactText(secrets, text));
  return { path, before: clean(before), after: clean(after) };
}

/** @output an error whose words hold none of them */
export function withoutSecrets(error: unknown, secrets: readonly Secret[]): unknown {
  if (!(error instanceof Error)) return error;
  const message = redactText(secrets, error.message);
  if (message === error.message) return error;
  // The cause could hold it too, so it is not kept.
  return error instanceof ToolError ? new ToolError(message) : new Error(message);
}
