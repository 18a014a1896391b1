// codelia run
import { basename, resolve } from "node:path";
import type { Client, Params } from "@codelia/protocol";
import { imageMediaType, maxImageBytes } from "@codelia/shared-types";
import {
  amountUsd,
  approvalMode,
  atMostOnePath,
  chosenDirectory,
  parseCommand,
  settingFlags,
  wholeNumber,
} from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import type { CliIo } from "../io.ts";
import { UsageError } from "../usage.ts";
import { followRun } from "./follow-run.ts";
import { pickSession } from "./pick-session.ts";

const command = "run";

const { options } = descriptions.run;

export async function runCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, withOptionalId(args), options);
  const choices = [values.resume, values.fork, values.continue].filter((choice) => choice !== undefined);
  if (choices.length > 1) {
    throw new UsageError("--resume, --continue and --fork exclude each other", command);
  }
  if (values.replay !== undefined && (values.record !== undefined || values.model !== undefined)) {
    throw new UsageError("--replay stands in for the model: leave out -m and --record", command);
  }
  if (positionals.length > 1) {
    // What followed --resume was taken for the prompt.
    const why = values.resume === "" ? ", and --resume=ID for an id that does not look like one" : "";
    throw new UsageError(`expected one prompt, found ${positionals.length}: put it in quotes${why}`, command);
  }
  const cwd = chosenDirectory(values.directory, io.workingDirectory);
  const maxTurns = wholeNumber(command, "--max-turns", values["max-turns"]);
  const maxCost = amountUsd(command, "--max-cost", values["max-cost"]);
  const client = await io.connect({
    settings: settingFlags(command, values.config),
    trust: values.trust ?? false,
  });
  const session = await sessionChoice(values, client, cwd, io);
  const params: Params<"run.start"> = {
    cwd,
    prompt: await promptText(
      atMostOnePath(
        command,
        positionals.filter((text) => text !== ""),
      ),
      io,
    ),
    images: await Promise.all((values.image ?? []).map((file) => readImage(resolve(cwd, file), io))),
    approval: approvalMode(command, values.approval),
    ...(values.model === undefined ? {} : { model: values.model }),
    ...(maxTurns === undefined ? {} : { max_turns: maxTurns }),
    ...(maxCost === undefined ? {} : { max_cost_usd: maxCost }),
    ...(values.record === undefined ? {} : { record: resolve(cwd, values.record) }),
    ...(values.replay === undefined ? {} : { replay: resolve(cwd, values.replay) }),
    ...(session === undefined ? {} : { session }),
    compact: !(values["no-compact"] ?? false),
  };
  if (params.prompt.trim() === "" && params.images.length === 0 && session === undefined) {
    throw new UsageError(
      'the prompt is empty: say what to do, as in codelia run "fix the failing test"',
      command,
    );
  }
  return followRun(client, params, io, { json: values.json ?? false });
}

/** `--resume` may stand without an id; then the next argument, unless it looks like one, is the prompt. */
function withOptionalId(args: readonly string[]): string[] {
  const at = args.indexOf("--resume");
  if (at < 0) return [...args];
  const next = args[at + 1];
  const hasId = next !== undefined && /^(?=.*\d)[0-9a-fT-]{4,}$/.test(next);
  return [...args.slice(0, at), `--resume=${hasId ? next : ""}`, ...args.slice(hasId ? at + 2 : at + 1)];
}

async function sessionChoice(
  values: { resume?: string; fork?: string; continue?: boolean },
  client: Client,
  cwd: string,
  io: CliIo,
): Promise<Params<"run.start">["session"]> {
  if (values.continue) return { how: "continue" };
  if (values.fork !== undefined) return { how: "fork", id: values.fork };
  if (values.resume === undefined) return undefined;
  return { how: "resume", id: values.resume === "" ? await pickSession(client, cwd, io) : values.resume };
}

async function promptText(prompt: string | undefined, io: CliIo): Promise<string> {
  if (prompt !== undefined && prompt !== "-") return prompt;
  if (prompt === undefined && io.stdin.isTTY) return "";
  const text = await io.stdin.readAll(maxPromptBytes);
  if (text !== undefined) return text;
  throw new UsageError("the prompt has more than 32 MiB: give it as a file to read", command);
}

// As much as one message of the protocol.
const maxPromptBytes = 32 * 1024 * 1024;

async function readImage(path: string, io: CliIo): Promise<{ media_type: string; data: string }> {
  const bytes = await io.readFile(path, maxImageBytes).catch((error: unknown) => {
    throw new UsageError(
      `--image ${path}: ${error instanceof Error ? error.message : String(error)}`,
      command,
    );
  });
  const type = imageMediaType(bytes);
  if (type === undefined)
    throw new UsageError(`--image ${basename(path)}: expected a PNG, JPEG, GIF or WebP image`, command);
  return { media_type: type, data: Buffer.from(bytes).toString("base64") };
}
