// `session.compact`: makes room in a session's context, without a prompt.
import { type Channel, type Params, ProtocolError, type Result } from "@codelia/protocol";
import { createAgent } from "../agent-factory.ts";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject, requireTrust } from "../project/index.ts";
import { enterSession } from "../sessions/index.ts";
import type { ActiveRuns } from "./active-runs.ts";
import { openModel } from "./run.ts";
import { wireEvent } from "./run-events.ts";

/** Can be cancelled like a run, by the session's id. */
export async function compactSession(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  runs: ActiveRuns,
  params: Params<"session.compact">,
  channel: Channel,
): Promise<Result<"session.compact">> {
  const { cwd, id, model } = params;
  const project = await openProject(environment, options, cwd);
  requireTrust(project.trust, project.root.path);
  const choice = id === undefined ? { how: "continue" as const } : { how: "resume" as const, id };
  await using cleanup = new AsyncDisposableStack();
  const session = cleanup.adopt(await enterSession(environment, project, choice), (each) => each.close());
  const wanted = { cwd, ...(model === undefined ? {} : { model }) };
  const opened = cleanup.adopt(await openModel(environment, project, wanted, session), (each) =>
    each.close(),
  );
  const agent = cleanup.adopt(
    await createAgent({
      environment,
      project,
      session,
      opened,
      approval: { mode: "ask", confirm: undefined },
      compact: true,
      notify: (text) => channel.emit({ type: "run.notice", text }),
    }),
    (each) => each.dispose(),
  );
  const { abort, end } = runs.add(session.id, channel.signal);
  cleanup.defer(end);
  let reason = "the session stays as it was";
  const { outcome, before, after } = await agent.compact({
    signal: abort.signal,
    emit: (event) => {
      if (event.type === "compaction.failed") reason = event.reason;
      channel.emit(wireEvent(event, false));
    },
  });
  if (outcome === "compacted") return { id: session.id, tokens_before: before, tokens_after: after };
  throw new ProtocolError(
    "refused",
    outcome === "aborted" ? "compaction was cancelled" : `could not compact: ${reason}`,
    "The session can be used as before.",
  );
}
