// `run.start`, `run.steer` and `run.cancel`.
import { noUsage } from "@codelia/core";
import { type Channel, type Params, ProtocolError, type Result } from "@codelia/protocol";
import type { HistoryStore, UserMessage } from "@codelia/shared-types";
import { createAgent } from "../agent-factory.ts";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openConnection } from "../models/index.ts";
import { openProject, projectNotices } from "../project/index.ts";
import type { ActiveRuns } from "./active-runs.ts";
import { wireEvent, wireResult } from "./run-events.ts";

// The next step makes it durable; until then a run's history lives as long as the run.
const memoryStore: HistoryStore = { append: () => Promise.resolve() };

export async function startRun(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  runs: ActiveRuns,
  params: Params<"run.start">,
  channel: Channel,
): Promise<Result<"run.start">> {
  if (params.prompt.trim() === "" && params.images.length === 0) {
    throw new ProtocolError("invalid_params", "the prompt is empty", 'Say what to do: codelia run "…".');
  }
  const project = await openProject(environment, options, params.cwd);
  if (project.trust.state === "untrusted") {
    const { path } = project.root;
    throw new ProtocolError(
      "untrusted",
      `${path}: this project is not trusted`,
      `Trust it once with: codelia trust ${path}\nor for this run only with --trust.`,
    );
  }
  const { connection, costOf, close } = await openConnection(environment, project, params);
  if (params.max_cost_usd !== undefined && costOf(noUsage) === undefined) {
    await close();
    throw new ProtocolError(
      "invalid_params",
      `the price of ${connection.id} is not known, so a cost limit cannot hold`,
      "Give its price in models.prices, or leave out --max-cost and use --max-turns.",
    );
  }
  const agent = await createAgent({
    environment,
    project,
    connection,
    costOf,
    approval: { mode: params.approval, confirm: channel.confirm },
    store: memoryStore,
    commandEnv: params.env ?? {},
  });
  const { abort, steering } = runs.add(agent.sessionId);
  try {
    channel.emit({
      type: "run.started",
      run_id: agent.sessionId,
      model: connection.id,
      cwd: project.cwd,
      root: project.root.path,
      instruction_files: agent.bundle.files.map(({ path }) => path),
      notices: projectNotices(project),
    });
    const result = await agent.run(promptMessage(params), {
      limits: {
        ...(params.max_turns === undefined ? {} : { maxTurns: params.max_turns }),
        ...(params.max_cost_usd === undefined ? {} : { maxCostUsd: params.max_cost_usd }),
      },
      takeSteering: () => steering.splice(0),
      signal: abort.signal,
      emit: (event) => channel.emit(wireEvent(event)),
    });
    const wire = wireResult(agent.sessionId, result, agent.refusedCalls);
    channel.emit({ type: "run.finished", ...wire });
    return wire;
  } finally {
    runs.end(agent.sessionId);
    await agent.dispose();
    await close();
  }
}

function promptMessage({ prompt, images }: Params<"run.start">): UserMessage {
  return {
    role: "user",
    content: [
      ...(prompt.trim() === "" ? [] : [{ type: "text" as const, text: prompt }]),
      ...images.map(({ media_type, data }) => ({ type: "image" as const, mediaType: media_type, data })),
    ],
  };
}
