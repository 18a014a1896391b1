// codelia agent runs
import { visibleJson } from "@codelia/shared-types";
import { chosenDirectory, parseCommand, settingFlags, wholeNumber } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { renderFlowRuns } from "../render/index.ts";
import { UsageError } from "../usage.ts";

const command = "agent";
const defaultLimit = 20;

export async function agentRunsCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, descriptions.agent.verbs.runs.options);
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  const params = {
    cwd: chosenDirectory(values.directory, io.workingDirectory),
    all: values.all ?? false,
    limit: wholeNumber(command, "--limit", values.limit) ?? defaultLimit,
  };
  const client = await io.connect({ settings: settingFlags(command, values.config), trust: false });
  const result = await client.call("flow.list", params);
  io.stdout.write(values.json ? `${visibleJson(result)}\n` : renderFlowRuns(result, params));
  return exitCode.done;
}
