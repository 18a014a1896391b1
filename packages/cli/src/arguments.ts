// Parses a command's arguments; anything unexpected is a usage error.
import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { type ApprovalMode, ApprovalModeSchema, type SettingFlag } from "@codelia/shared-types";
import { HelpRequest, UsageError } from "./usage.ts";

export { commonOptions } from "./descriptions/index.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * `parseArgs`, strict.
 * @error UsageError with the problem; HelpRequest for --help
 */
export function parseCommand<O extends Options>(command: string, args: readonly string[], options: O) {
  const parsed = parseStrictly(command, args, options);
  if ("help" in parsed.values) throw new HelpRequest(command);
  return parsed;
}

function parseStrictly<O extends Options>(command: string, args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    // Node appends advice about `--` behind the first sentence; ours is the usage text.
    const [problem] = (error instanceof Error ? error.message : String(error)).split(". ");
    throw new UsageError(problem ?? "unknown argument", command);
  }
}

export function atMostOnePath(command: string, positionals: readonly string[]): string | undefined {
  if (positionals.length > 1) throw new UsageError(`expected one path, found ${positionals.length}`, command);
  if (positionals[0] === "") throw new UsageError("the path is empty", command);
  return positionals[0];
}

/** @error UsageError for anything but a whole number greater than 0 */
export function wholeNumber(command: string, flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`${flag} ${text}: expected a whole number greater than 0`, command);
}

/** @error UsageError for anything but an amount greater than 0 */
export function amountUsd(command: string, flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`${flag} ${text}: expected an amount in USD greater than 0`, command);
}

/** @error UsageError for a mode that there is not */
export function approvalMode(command: string, mode: string | undefined): ApprovalMode {
  const parsed = ApprovalModeSchema.safeParse(mode ?? "ask");
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `--approval ${mode}: expected one of ${ApprovalModeSchema.options.join(", ")}`,
    command,
  );
}

/** `-C DIR` against the working directory, which is asked for only when it is needed. */
export function chosenDirectory(directory: string | undefined, workingDirectory: () => string): string {
  if (directory?.startsWith("/")) return resolve(directory);
  return resolve(workingDirectory(), directory ?? ".");
}

/** `-c agents.initial.maxBytes=100`: the value is JSON, or plain text where it is not. */
export function settingFlags(command: string, pairs: readonly string[] = []): SettingFlag[] {
  return pairs.map((pair) => {
    const separator = pair.indexOf("=");
    if (separator <= 0) {
      throw new UsageError(`-c ${pair}: expected KEY=VALUE, as in -c agents.initial.maxBytes=4096`, command);
    }
    return {
      written: `-c ${pair}`,
      key: pair.slice(0, separator),
      value: jsonOrText(pair.slice(separator + 1)),
    };
  });
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
