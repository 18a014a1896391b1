// codelia agent graph, and what codelia agent run --dry-run shows.
import { resolve } from "node:path";
import type { Client } from "@codelia/protocol";
import { visibleJson, visibleName, visibleText } from "@codelia/shared-types";
import { chosenDirectory, parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { renderPreview } from "../render/index.ts";
import { UsageError } from "../usage.ts";

const command = "agent";
const formats = ["mermaid", "svg"] as const;

export async function agentGraphCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, descriptions.agent.verbs.graph.options);
  const [agent] = positionals;
  if (positionals.length > 1)
    throw new UsageError(`expected one agent, found ${positionals.length}`, command);
  if (agent === undefined && values.run === undefined) {
    throw new UsageError("say which agent to draw: its name, or the path of its directory", command);
  }
  if (values.output === "") throw new UsageError("the path is empty", command);
  const format = formatOf(values.format, values.output);
  const cwd = chosenDirectory(values.directory, io.workingDirectory);
  const settings = settingFlags(command, values.config);
  const client = await io.connect({ settings, trust: values.trust ?? false });
  const result = await client.call("flow.graph", {
    cwd,
    format,
    ...(agent === undefined ? {} : { agent }),
    ...(values.run === undefined ? {} : { run: values.run }),
  });
  const text = values.json ? `${visibleJson(result)}\n` : visibleText(result.text);
  if (values.output === undefined) io.stdout.write(text);
  else {
    const path = resolve(io.workingDirectory(), values.output);
    await io.writeFile(path, text);
    io.stderr.write(`Wrote ${visibleName(path)}\n`);
  }
  return exitCode.done;
}

/** The name of the file says it, unless the user does. */
function formatOf(format: string | undefined, output: string | undefined): (typeof formats)[number] {
  if (format === undefined) return output?.toLowerCase().endsWith(".svg") ? "svg" : "mermaid";
  const known = formats.find((each) => each === format);
  if (known === undefined)
    throw new UsageError(`--format ${format}: expected one of ${formats.join(", ")}`, command);
  return known;
}

export interface DryRun {
  readonly cwd: string;
  /** A name or a path. */
  readonly agent: string;
  readonly params: Readonly<Record<string, string>>;
  readonly json: boolean;
}

/**
 * `codelia agent run NAME --dry-run`: every prompt with samples in place of what a model would answer.
 *
 * @output the exit code: failed when a prompt cannot be made
 */
export async function dryRunAgent(
  client: Client,
  { cwd, agent, params, json }: DryRun,
  io: CliIo,
): Promise<number> {
  const result = await client.call("flow.preview", { cwd, agent, params: { ...params } });
  io.stdout.write(json ? `${visibleJson(result)}\n` : renderPreview(result));
  return result.problem_count > 0 ? exitCode.failed : exitCode.done;
}
