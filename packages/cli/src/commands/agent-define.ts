// codelia agent list, new, validate, migrate: for those who write flow agents.
import { visibleJson, visibleText } from "@codelia/shared-types";
import { parseCommand } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { renderAgents, renderFlowValidation, renderMigration, renderNewAgent } from "../render/index.ts";
import { UsageError } from "../usage.ts";
import { connectHere } from "./connect-here.ts";

const command = "agent";

const { verbs } = descriptions.agent;

export async function agentListCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.list.options);
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  const { client, cwd } = await connectHere(command, values, io);
  const result = await client.call("flow.agents", { cwd });
  if (values.json) io.stdout.write(`${visibleJson(result)}\n`);
  else {
    io.stdout.write(renderAgents(result));
    for (const notice of result.notices) io.stderr.write(`${visibleText(notice)}\n`);
  }
  return exitCode.done;
}

export async function agentNewCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.new.options);
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) {
    throw new UsageError(`expected one name, found ${positionals.length}`, command);
  }
  if (values.dir === "") throw new UsageError("the path is empty", command);
  const { client, cwd } = await connectHere(command, values, io);
  const result = await client.call("flow.new", {
    cwd,
    name,
    ...(values.description === undefined ? {} : { description: values.description }),
    ...(values.dir === undefined ? {} : { dir: values.dir }),
  });
  if (values.json) io.stdout.write(`${visibleJson(result)}\n`);
  else {
    io.stdout.write(renderNewAgent(result, cwd));
    for (const notice of result.notices) io.stderr.write(`${visibleText(notice)}\n`);
  }
  return exitCode.done;
}

export async function agentValidateCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.validate.options);
  if (positionals.includes("")) throw new UsageError("the path is empty", command);
  const { client, cwd } = await connectHere(command, values, io);
  const result = await client.call("flow.validate", { cwd, targets: positionals });
  io.stdout.write(values.json ? `${visibleJson(result)}\n` : renderFlowValidation(result, cwd));
  const isFailed = result.error_count > 0 || (values.strict === true && result.warning_count > 0);
  return isFailed ? exitCode.failed : exitCode.done;
}

export async function agentMigrateCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.migrate.options);
  if (positionals.includes("")) throw new UsageError("the path is empty", command);
  const { client, cwd } = await connectHere(command, values, io);
  const dryRun = values["dry-run"] ?? false;
  const result = await client.call("flow.migrate", { cwd, targets: positionals, dry_run: dryRun });
  io.stdout.write(values.json ? `${visibleJson(result)}\n` : renderMigration(result, cwd));
  return exitCode.done;
}
