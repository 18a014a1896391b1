// codelia agent run
import type { Params } from "@codelia/protocol";
import {
  amountUsd,
  approvalMode,
  chosenDirectory,
  parseCommand,
  settingFlags,
  wholeNumber,
} from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import type { CliIo } from "../io.ts";
import { UsageError } from "../usage.ts";
import { exitCodeOf } from "./exit-code-of.ts";
import { followFlow, showOutcome } from "./follow-flow.ts";
import { issueNumbers } from "./issue-numbers.ts";

const command = "agent";
const defaultParallel = 4;

export async function agentRunCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, descriptions.agent.verbs.run.options);
  const [agent] = positionals;
  if (agent === undefined || agent === "") throw new UsageError("say which agent to run", command);
  if (positionals.length > 1)
    throw new UsageError(`expected one agent, found ${positionals.length}`, command);
  const maxCost = amountUsd(command, "--max-cost", values["max-cost"]);
  const json = values.json ?? false;
  const params: Params<"flow.start"> = {
    cwd: chosenDirectory(values.directory, io.workingDirectory),
    agent,
    args: flowArguments(values.param),
    approval: approvalMode(command, values.approval),
    ...(values.model === undefined ? {} : { model: values.model }),
    ...(maxCost === undefined ? {} : { max_cost_usd: maxCost }),
    ...(values.origin === undefined ? {} : { origin: values.origin }),
    ...(values.again === true ? { again: true } : {}),
  };
  const issues = chosenIssues(values);
  const settings = settingFlags(command, values.config);
  const client = await io.connect({ settings, trust: values.trust ?? false });
  if (values["dry-run"]) {
    const { dryRunAgent } = await import("./agent-graph.ts");
    return await dryRunAgent(client, { cwd: params.cwd, agent, params: params.args, json }, io);
  }
  if (values.issues !== undefined) {
    const parallel = wholeNumber(command, "--parallel", values.parallel) ?? defaultParallel;
    const { runIssues } = await import("./agent-run-issues.ts");
    return await runIssues(client, params, { issues, parallel, json }, io);
  }
  const [issue] = issues;
  if (issue !== undefined) params.issue = issue;
  const outcome = await followFlow(client, (channel) => client.call("flow.start", params, channel), io, {
    json,
  });
  if (!json) showOutcome(outcome, io);
  return exitCodeOf(outcome);
}

/** @error UsageError for numbers that are none, and for flags that need others */
function chosenIssues(values: {
  readonly issue?: string | undefined;
  readonly issues?: string | undefined;
  readonly origin?: string | undefined;
  readonly parallel?: string | undefined;
  readonly again?: boolean | undefined;
}): number[] {
  const { issue, issues, origin, parallel, again } = values;
  if (issue !== undefined && issues !== undefined)
    throw new UsageError("--issue and --issues exclude each other", command);
  if (parallel !== undefined && issues === undefined)
    throw new UsageError("--parallel is about --issues", command);
  if (origin !== undefined && issue === undefined && issues === undefined)
    throw new UsageError("--origin is about --issue or --issues", command);
  if (again && issue === undefined && issues === undefined)
    throw new UsageError("--again is about --issue or --issues", command);
  if (issues !== undefined) return issueNumbers(command, "--issues", issues);
  const number = wholeNumber(command, "--issue", issue);
  return number === undefined ? [] : [number];
}

/** @error UsageError for what is no KEY=VALUE, and for a key that is given twice */
export function flowArguments(pairs: readonly string[] = []): Record<string, string> {
  const args = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at <= 0) throw new UsageError(`--param ${pair}: expected KEY=VALUE, as in --param issue=42`, command);
    const key = pair.slice(0, at);
    if (args.has(key)) throw new UsageError(`--param ${key} is given twice`, command);
    args.set(key, pair.slice(at + 1));
  }
  return Object.fromEntries(args);
}
