// Enters a session again: as it was left, with what has changed since told at its end.
import {
  diffForResume,
  foldAgentsRecords,
  interruptedResult,
  renderReminder,
  type SessionLog,
} from "@codelia/core";
import type { AgentsRecord, SessionRecordOf } from "@codelia/shared-types";
import { visibleName } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import { isTrustedIn, type Project } from "../project/index.ts";
import type { SessionState } from "./fold.ts";

export interface Reentry {
  readonly environment: RuntimeEnvironment;
  readonly project: Project;
  readonly log: SessionLog;
  readonly state: SessionState;
  readonly model: string;
  /** Calls without a result will be run: nothing may come between them and their results. */
  readonly keepsOpenCalls: boolean;
}

/**
 * Calls without a result are closed in words, unless they are kept; what changed around the session is told once.
 * @effects appends records; stats of known instruction files
 */
export async function reenter(reentry: Reentry): Promise<void> {
  const { environment, project, log, state, model, keepsOpenCalls } = reentry;
  const { cwd, root } = project;
  const { conversation, progress, undone } = state;
  await log.append({ type: "session.resume", program: environment.version, cwd, root: root.path, model });
  if (keepsOpenCalls && conversation.openCalls.length > 0) return;
  for (const call of conversation.openCalls) {
    await log.append(interruptedResult(call, progress.get(call.id) ?? "not_started"));
  }
  const diff = await diffForResume({
    fs: environment.fs,
    settings: project.settings.values.agents,
    userHome: environment.userHome,
    codeliaHome: project.codeliaHome,
    isTrusted: isTrustedIn(environment, project),
    previous: foldAgentsRecords(conversation.agentsRecords()),
    cwd,
    root: root.path,
  });
  const texts = [
    ...(diff === undefined ? [] : [diff.reminder]),
    ...(undone.length === 0 ? [] : [undoneReminder(undone)]),
  ];
  if (texts.length === 0) return;
  await log.append(resumeReminder(texts.join("\n"), diff === undefined ? [] : [diff.record]));
}

function resumeReminder(text: string, agents: AgentsRecord[]): SessionRecordOf<"reminder"> {
  return { type: "reminder", kind: "session.resume.diff", text, agents };
}

function undoneReminder(paths: readonly string[]): string {
  const lines = paths.map((path) => `- ${visibleName(path)}`);
  return renderReminder(
    "session.resume.diff",
    `The user put these files back to what they were before the last changes; read them again:\n${lines.join("\n")}`,
  );
}
