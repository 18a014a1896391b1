// `run.start`: a prompt's way through a session.
import { join } from "node:path";
import { noUsage, type Tool } from "@codelia/core";
import { type Channel, type Params, ProtocolError, type Result } from "@codelia/protocol";
import { sessionFormat, type UserMessage, visibleName } from "@codelia/shared-types";
import { createAgent } from "../agent-factory.ts";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import type { ServerAnswers } from "../mcp/index.ts";
import { type OpenedConnection, openConnection } from "../models/index.ts";
import { openProject, type Project, projectNotices, requireTrust } from "../project/index.ts";
import {
  createSession,
  enterSession,
  goOn,
  isSessionId,
  newSessionId,
  type OpenSession,
  type ResumedSession,
  repositoryFolder,
} from "../sessions/index.ts";
import { ToolNameTaken } from "../tools/index.ts";
import type { ActiveRuns } from "./active-runs.ts";
import { attachedText } from "./attached-text.ts";
import { paced, untilAborted } from "./caller.ts";
import { wireEvent, wireResult } from "./run-events.ts";

/** What one run leaves to others of this program. */
export interface SharedByRuns {
  readonly runs: ActiveRuns;
  readonly serverAnswers: ServerAnswers;
}

export async function startRun(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  shared: SharedByRuns,
  params: Params<"run.start">,
  channel: Channel,
): Promise<Result<"run.start">> {
  const project = await openProject(environment, options, params.cwd);
  requireTrust(project.trust, project.root.path);
  const old = await sessionBefore(environment, project, params.session);
  try {
    const prompt = promptMessage(params, old);
    const opened = await openModel(environment, project, params, old);
    try {
      const session = old ?? (await newSession(environment, project, opened, params));
      try {
        return await run({
          environment,
          tools: options.tools ?? [],
          project,
          shared,
          params,
          channel,
          opened,
          session,
          prompt,
        });
      } finally {
        if (session !== old) await session.close();
      }
    } finally {
      await opened.close();
    }
  } finally {
    await old?.close();
  }
}

/** @output the session to go on with; undefined: a new one begins */
async function sessionBefore(
  environment: RuntimeEnvironment,
  project: Project,
  choice: Params<"run.start">["session"],
): Promise<ResumedSession | undefined> {
  if (choice?.how !== "prepared") return choice && (await enterSession(environment, project, choice));
  const { id } = choice;
  if (!isSessionId(id)) {
    throw new ProtocolError(
      "invalid_params",
      `${visibleName(id)} is no session's id`,
      "Take one of session.prepare.",
    );
  }
  const folder = repositoryFolder(project.codeliaHome, project.trust.identity);
  const isThere = (await environment.disk.lstat(join(folder, id)).catch(() => undefined)) !== undefined;
  return isThere ? enterSession(environment, project, { how: "resume", id }) : undefined;
}

/** The model that was asked for, else the session's, else the configured one. */
export async function openModel(
  environment: RuntimeEnvironment,
  project: Project,
  params: Pick<Params<"run.start">, "cwd" | "model" | "record" | "replay" | "max_cost_usd">,
  old: ResumedSession | undefined,
): Promise<OpenedConnection> {
  const model = params.model ?? old?.state.last.model;
  const opened = await openConnection(environment, project, {
    ...params,
    ...(model === undefined ? {} : { model }),
  });
  if (params.max_cost_usd === undefined || opened.costOf(noUsage) !== undefined) return opened;
  await opened.close();
  throw new ProtocolError(
    "invalid_params",
    `the price of ${opened.connection.id} is not known, so a cost limit cannot hold`,
    "Give its price in models.prices, or leave out --max-cost and use --max-turns.",
  );
}

const titleLength = 200;

function newSession(
  environment: RuntimeEnvironment,
  { cwd, root, trust, codeliaHome }: Project,
  { model }: OpenedConnection,
  { prompt, session }: Params<"run.start">,
): Promise<OpenSession> {
  return createSession(environment, repositoryFolder(codeliaHome, trust.identity), {
    type: "session.start",
    format: sessionFormat,
    id: session?.how === "prepared" ? session.id : newSessionId(environment.now()),
    program: environment.version,
    cwd,
    root: root.path,
    repository: trust.identity,
    model,
    title: prompt.trim().slice(0, titleLength).toWellFormed(),
  });
}

interface RunRequest {
  readonly environment: RuntimeEnvironment;
  readonly tools: readonly Tool[];
  readonly project: Project;
  readonly shared: SharedByRuns;
  readonly params: Params<"run.start">;
  readonly channel: Channel;
  readonly opened: OpenedConnection;
  readonly session: OpenSession | ResumedSession;
  readonly prompt: UserMessage;
}

async function run(request: RunRequest): Promise<Result<"run.start">> {
  const { environment, tools, project, shared, params, channel, opened, session, prompt } = request;
  const { connection } = opened;
  const { abort, steering, end } = shared.runs.add(session.id, channel.signal);
  const agent = await createAgent({
    environment,
    project,
    session,
    opened: { ...opened, connection: paced(connection, channel) },
    approval: {
      mode: params.approval,
      confirm: untilAborted(channel.confirm, abort.signal),
      tellsChanges: params.include_files ?? false,
    },
    tools,
    clientServers: params.mcp_servers ?? [],
    serverAnswers: shared.serverAnswers,
    commandEnv: params.env ?? {},
    compact: params.compact,
    notify: (text) => channel.emit({ type: "run.notice", text }),
  }).catch((error: unknown) => {
    end();
    if (!(error instanceof ToolNameTaken)) throw error;
    throw new ProtocolError("invalid_params", error.message, "Give your tool another name.", {
      cause: error,
    });
  });
  try {
    channel.emit({
      type: "run.started",
      run_id: session.id,
      session_id: session.id,
      resumed: "state" in session,
      model: connection.id,
      cwd: project.cwd,
      root: project.root.path,
      instruction_files: [...agent.instructionFiles],
      notices: [...projectNotices(project), ...session.notices, ...agent.notices],
    });
    const result = await agent.run(prompt, {
      limits: {
        ...(params.max_turns === undefined ? {} : { maxTurns: params.max_turns }),
        ...(params.max_cost_usd === undefined ? {} : { maxCostUsd: params.max_cost_usd }),
      },
      takeSteering: () => steering.splice(0),
      signal: abort.signal,
      emit: (event) => {
        channel.emit(wireEvent(event, params.include_files ?? false));
        if (event.type === "tool.finished" && event.tool === "todo" && !event.isError)
          channel.emit({ type: "todo.changed", items: [...agent.todo] });
      },
    });
    const wire = wireResult(session.id, result, agent);
    channel.emit({ type: "run.finished", ...wire });
    return wire;
  } finally {
    end();
    await agent.dispose();
  }
}

/** @error ProtocolError when there is nothing to do */
function promptMessage(
  { prompt, images, attachments = [] }: Params<"run.start">,
  old: ResumedSession | undefined,
): UserMessage {
  const isEmpty = prompt.trim() === "" && images.length === 0 && attachments.length === 0;
  const fault = isEmpty ? nothingToDo(old) : undefined;
  if (fault !== undefined)
    throw new ProtocolError("invalid_params", fault, 'Say what to do: codelia run "…".');
  const text = isEmpty ? goOn : prompt;
  return {
    role: "user",
    content: [
      ...attachments.map((attachment) => ({ type: "text" as const, text: attachedText(attachment) })),
      ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
      ...images.map(({ media_type, data }) => ({ type: "image" as const, mediaType: media_type, data })),
    ],
  };
}

/** Why there is nothing to do without a prompt; undefined: there is. */
function nothingToDo(old: ResumedSession | undefined): string | undefined {
  if (old === undefined) return "the prompt is empty";
  const { ended, conversation } = old.state;
  if (conversation.items.length === 0)
    return `${old.id}: this session was ended before anything was said, and the prompt is empty`;
  return ended === "done" ? `${old.id}: this session was finished, and the prompt is empty` : undefined;
}
