// `flow.start` and `flow.resume`.
import { join } from "node:path";
import { noUsage } from "@codelia/core";
import { foldRecords, type RunHistory, wayOn } from "@codelia/flows";
import { type Channel, type FlowOutcome, type Params, ProtocolError } from "@codelia/protocol";
import type { FlowStep, IssueWork } from "@codelia/shared-types";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import {
  canGoOn,
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
  const maxCost = params.max_cost_usd;
  const chosen = { model: params.model, cwd: project.cwd };
  const connections = new FlowConnections(environment, project, chosen, (each) => paced(each, channel));
  const model = await requireModels(connections, steps, maxCost !== undefined);
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
    const run = {
      id,
      args,
      model: params.model === undefined ? undefined : model,
      limits,
      ...(work === undefined ? {} : { work }),
    };
    const ready = await startFlow(surroundings, definition, run);
    if (!("execution" in ready)) return ready;
    const notices = [...projectNotices(place), ...loaded.notices];
    const started = { run_id: id, agent: name, cwd: place.cwd, resumed: false, notices };
    channel.emit({ type: "flow.started", ...started });
    return ready;
  };
  const { issue, origin, again = false } = params;
  if (issue !== undefined) {
    const { argumentsFor, startIssueFlow } = await import("./issue-flows.ts");
    const journal = join(runsFolder(project.codeliaHome, project.trust.identity), id);
    const flow = { environment, options, flows, channel, project, run: id, agent: name, journal };
    const wanted = { issue, again, ...(origin === undefined ? {} : { origin }) };
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
    // For an issue they are those of where the user is, as when the run began: its worktree may have to be made again.
    const models = work === undefined ? await openProject(environment, options, cwd) : here;
    requireTrust(models.trust, models.root.path);
    const model =
      params.model === undefined
        ? { model: chosen.model, cwd: models.cwd }
        : { model: params.model, cwd: here.cwd };
    const connections = new FlowConnections(environment, models, model, (each) => paced(each, channel));
    // Otherwise a key that this shell does not have would end the run for good.
    if (history.end === undefined) await requireModels(connections, definition.steps, false);
    const goOn = async () => {
      const project = await openProject(environment, options, cwd);
      requireTrust(project.trust, project.root.path);
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
  if (canGoOn(history)) return history;
  const { work, definition } = history.start;
  const again =
    work === undefined ? "" : `${wayOn({ ...work, issue: work.issue.number, agent: definition.name })}\n`;
  throw new ProtocolError(
    "refused",
    `${id}: this run has ended`,
    `${again}See what came of it with: codelia agent logs ${id}`,
  );
}

/**
 * Before anything is done: a run must not find out in its middle that there is no model.
 *
 * @output the model for steps that name none, as it can be given to -m again; undefined when all name one
 * @error  ProtocolError no_model, not_found, invalid_params
 */
async function requireModels(
  connections: FlowConnections,
  steps: Readonly<Record<string, FlowStep>>,
  needsPrice: boolean,
): Promise<string | undefined> {
  const named = new Set(Object.values(steps).map(({ model }) => model));
  for (const model of named) await connections.open(model);
  if (!named.has(undefined)) return undefined;
  const { connection, model, costOf } = await connections.open(undefined);
  if (!needsPrice || costOf(noUsage) !== undefined) return model;
  await connections.close();
  throw new ProtocolError(
    "invalid_params",
    `the price of ${connection.id} is not known, so a cost limit cannot hold`,
    "Give its price in models.prices, or leave out --max-cost and use the flow's limits.",
  );
}
