// `flow.start` and `flow.resume`.
import { join } from "node:path";
import { noUsage } from "@codelia/core";
import { foldRecords, type RunHistory } from "@codelia/flows";
import { type Channel, type FlowOutcome, type Params, ProtocolError } from "@codelia/protocol";
import type { IssueWork } from "@codelia/shared-types";
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
  runsFolder,
  startFlow,
} from "../flows/index.ts";
import { openProject, type Project, projectNotices, requireTrust } from "../project/index.ts";
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
  const id = newRunId(environment.now());
  const limits = maxCost === undefined ? {} : { costUsd: maxCost };
  /** @input place: the project, or its worktree for an issue */
  const start = async (place: Project, args: Readonly<Record<string, string>>, work?: IssueWork) => {
    const surroundings = {
      environment,
      project: place,
      connections,
      approval: params.approval,
      ...flowTelling(channel),
    };
    const run = { id, args, model: params.model, limits, ...(work === undefined ? {} : { work }) };
    const ready = await startFlow(surroundings, definition, run);
    if (!("execution" in ready)) return ready;
    const notices = [...projectNotices(place), ...loaded.notices];
    const started = { run_id: id, agent: name, cwd: place.cwd, resumed: false, notices };
    channel.emit({ type: "flow.started", ...started });
    return ready;
  };
  const { issue, origin } = params;
  if (issue !== undefined) {
    const { argumentsFor, startIssueFlow } = await import("./issue-flows.ts");
    const journal = join(runsFolder(project.codeliaHome, project.trust.identity), id);
    const flow = { environment, options, flows, channel, project, run: id, agent: name, journal };
    const wanted = { issue, ...(origin === undefined ? {} : { origin }) };
    let isBegun = false;
    const outcome = await startIssueFlow(flow, wanted, async ({ worktree }, work) => {
      isBegun = true;
      const args = argumentsFor(definition.flow.parameters, work, params.args);
      return await start(await openProject(environment, options, worktree), args, work);
    });
    // A run closes them at its end.
    if (!isBegun) await connections.close();
    return outcome;
  }
  const ready = await start(project, params.args);
  if (!("execution" in ready)) return unbegunFlow(ready, channel);
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
    const history = requireOpen(found.id, foldRecords(records));
    const { cwd, definition, chosen = {}, work } = history.start;
    const goOn = async () => {
      const project = await openProject(environment, options, cwd);
      requireTrust(project.trust, project.root.path);
      const model = params.model ?? chosen.model;
      const connections = new FlowConnections(environment, project, model, (each) => paced(each, channel));
      const approval = params.approval ?? chosen.approval ?? "ask";
      const telling = flowTelling(channel, records);
      const surroundings = { environment, project, connections, approval, ...telling };
      const ready = await resumeFlow(surroundings, definition.name, journal, params.answer);
      const notices = [...projectNotices(project), ...journal.notices];
      const started = { run_id: found.id, agent: definition.name, cwd, resumed: true, notices };
      channel.emit({ type: "flow.started", ...started });
      return ready;
    };
    if (work !== undefined) {
      const { resumeIssueFlow } = await import("./issue-flows.ts");
      const { id: run, directory: journalFolder } = found;
      const flow = {
        environment,
        options,
        flows,
        channel,
        project: here,
        run,
        agent: definition.name,
        journal: journalFolder,
      };
      return await resumeIssueFlow(flow, work, async () => {
        if (history.end === undefined) return await goOn();
        // The flow is complete: what is left is the host's.
        await journal.close();
        return history.end.result;
      });
    }
    return await flowToItsEnd(flows, found.id, await goOn(), channel);
  } finally {
    await journal.close();
  }
}

function requireOpen(id: string, history: RunHistory | undefined): RunHistory {
  if (history === undefined)
    throw new ProtocolError("unreadable", `${id}: nothing of this run can be read`, "Begin a new one.");
  const isLeft = history.start.work !== undefined && !history.isWorkEnded && history.end?.result.success;
  if (history.end === undefined || isLeft) return history;
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
