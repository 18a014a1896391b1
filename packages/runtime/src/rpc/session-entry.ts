// `session.open` and `session.fork`: what comes before a run goes on with a session.
import type { Params, Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { enterSession, lookInto, requireSameRepository } from "../sessions/index.ts";
import { todoItems } from "../tools/index.ts";
import { protocolError } from "./failures.ts";
import { type ChosenSession, chosenSession, findChosen, summaryOf } from "./session-choice.ts";

type Opened = Result<"session.open">;

/** @effects reads only; takes no lock */
export async function inspectSession(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, id }: Params<"session.open">,
): Promise<Opened> {
  const chosen = await chosenSession(environment, options, { cwd, id });
  const { found, session } = chosen;
  const isRunning = session.state === "running";
  const { state, prompts, answers, notices } = await lookInto(environment.disk, found.directory, isRunning);
  const obstacle = await obstacleTo(environment, chosen);
  return {
    session,
    cwd: state.last.cwd,
    model: state.last.model,
    prompts,
    answers,
    // Of one that is running these are calls that are being worked on.
    open_calls: (isRunning ? [] : state.conversation.openCalls).map(({ id: callId, name }) => ({
      call_id: callId,
      tool: name,
      progress: state.progress.get(callId) ?? "not_started",
    })),
    todo: [...todoItems(state.todo)],
    ...(obstacle === undefined ? {} : { obstacle }),
    notices: [...notices],
  };
}

async function obstacleTo(
  environment: RuntimeEnvironment,
  { project, found, session }: ChosenSession,
): Promise<Opened["obstacle"]> {
  if (session.state === "running") {
    return {
      message: `${session.id}: this session is in use`,
      hint: "Wait until it has ended, or go on with a copy: session.fork",
    };
  }
  try {
    await requireSameRepository(environment, found.directory, project);
    return undefined;
  } catch (error) {
    const { message, hint } = protocolError(error);
    return { message, ...(hint === undefined ? {} : { hint }) };
  }
}

/** @effects a new session, which nobody has open */
export async function copySession(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, id }: Params<"session.fork">,
): Promise<Result<"session.fork">> {
  const { project, found } = await chosenSession(environment, options, { cwd, id });
  const copy = await enterSession(environment, project, { how: "fork", id: found.id });
  await copy.close();
  const session = await summaryOf(environment, await findChosen(environment, project, copy.id));
  return { session, notices: [...copy.notices] };
}
