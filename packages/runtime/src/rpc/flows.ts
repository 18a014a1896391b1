// `flow.start` and `flow.resume`.
import { noUsage } from "@codelia/core";
import { foldRecords, type RunHistory } from "@codelia/flows";
import { type Channel, type FlowOutcome, type Params, ProtocolError } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import {
  FlowConnections,
  findAgent,
  findRun,
  loadFlow,
  newRunId,
  openRunJournal,
  parsedRecord,
  resumeFlow,
  startFlow,
} from "../flows/index.ts";
import { openProject, projectNotices, requireTrust } from "../project/index.ts";
import type { ActiveFlows } from "./active-flows.ts";
import { paced } from "./caller.ts";
import { flowTelling, flowToItsEnd, unbegunFlow } from "./flow-telling.ts";

/** @error ProtocolError when there is no such agent, trust or model; what is wrong with the flow is in the Result */
export async function startFlowRun(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  flows: ActiveFlows,
  params: Params<"flow.start">,
  channel: Channel,
): Promise<FlowOutcome> {
  const project = await openProject(environment, options, params.cwd);
  const { directory } = await findAgent(environment, options, project, params.agent);
  const loaded = await loadFlow(directory);
  if (!("definition" in loaded)) return unbegunFlow(loaded, channel);
  const { definition } = loaded;
  const { name, steps } = definition.flow;
  const connections = new FlowConnections(environment, project, params.model, (each) => paced(each, channel));
  const maxCost = params.max_cost_usd;
  // Before anything is done: a run must not find out in its middle that there is no model.
  if (Object.values(steps).some(({ model }) => model === undefined))
    await requireModel(connections, maxCost !== undefined);
  const surroundings = {
    environment,
    project,
    connections,
    approval: params.approval,
    ...flowTelling(channel),
  };
  const id = newRunId(environment.now());
  const ready = await startFlow(surroundings, definition, {
    id,
    args: params.args,
    model: params.model,
    limits: maxCost === undefined ? {} : { costUsd: maxCost },
  });
  if (!("execution" in ready)) return unbegunFlow(ready, channel);
  channel.emit({
    type: "flow.started",
    run_id: id,
    agent: name,
    cwd: project.cwd,
    resumed: false,
    notices: [...projectNotices(project), ...loaded.notices],
  });
  return await flowToItsEnd(flows, id, ready, channel);
}

/** @error ProtocolError when there is no such run, it is in use (with who has it), or it has ended */
export async function resumeFlowRun(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  flows: ActiveFlows,
  params: Params<"flow.resume">,
  channel: Channel,
): Promise<FlowOutcome> {
  const here = await openProject(environment, options, params.cwd);
  const scope = { codeliaHome: here.codeliaHome, repository: here.trust.identity };
  const found = await findRun(environment.disk, scope, params.run_id);
  const journal = await openRunJournal(environment, found.directory);
  try {
    const records = journal.records.map((record, index) => parsedRecord(found.id, index + 1, record));
    const { cwd, definition, chosen = {} } = requireOpen(found.id, foldRecords(records)).start;
    const project = await openProject(environment, options, cwd);
    requireTrust(project.trust, project.root.path);
    const connections = new FlowConnections(environment, project, params.model ?? chosen.model, (each) =>
      paced(each, channel),
    );
    const approval = params.approval ?? chosen.approval ?? "ask";
    const surroundings = {
      environment,
      project,
      connections,
      approval,
      ...flowTelling(channel, records),
    };
    const ready = await resumeFlow(surroundings, definition.name, journal, params.answer);
    channel.emit({
      type: "flow.started",
      run_id: found.id,
      agent: definition.name,
      cwd,
      resumed: true,
      notices: [...projectNotices(project), ...journal.notices],
    });
    return await flowToItsEnd(flows, found.id, ready, channel);
  } finally {
    await journal.close();
  }
}

function requireOpen(id: string, history: RunHistory | undefined): RunHistory {
  if (history === undefined)
    throw new ProtocolError("unreadable", `${id}: nothing of this run can be read`, "Begin a new one.");
  if (history.end === undefined) return history;
  throw new ProtocolError(
    "refused",
    `${id}: this run has ended`,
    `See what came of it with: codelia agent logs ${id}`,
  );
}

async function requireModel(connections: FlowConnections, needsPrice: boolean): Promise<void> {
  const { connection, costOf } = await connections.open(undefined);
  if (!needsPrice || costOf(noUsage) !== undefined) return;
  await connections.close();
  throw new ProtocolError(
    "invalid_params",
    `the price of ${connection.id} is not known, so a cost limit cannot hold`,
    "Give its price in models.prices, or leave out --max-cost and use the flow's limits.",
  );
}
