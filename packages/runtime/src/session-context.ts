// The fixed start of a session: made and kept when it is new, sent as it was when it goes on.
import {
  type AgentsResolver,
  describeTool,
  foldAgentsRecords,
  sessionPrefix,
  type Tool,
} from "@codelia/core";
import type { SessionRecordOf } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "./environment.ts";
import type { SessionMcp } from "./mcp/index.ts";
import { createResolver, loadInstructions, type Project } from "./project/index.ts";
import type { SessionSkills } from "./session-skills/index.ts";
import { type OpenSession, type ResumedSession, reenter } from "./sessions/index.ts";
import { loadsSkills, skillTools } from "./tools/index.ts";

type ContextRecord = SessionRecordOf<"session.context">;

export interface EnteredParts {
  readonly environment: RuntimeEnvironment;
  readonly project: Project;
  readonly session: OpenSession | ResumedSession;
  readonly model: string;
  /** As for an agent. */
  readonly openCalls?: "close" | "run";
  readonly tools: ReadonlyMap<string, Tool>;
  readonly skills: SessionSkills;
  readonly mcp: SessionMcp | undefined;
}

export interface Entered {
  readonly context: ContextRecord;
  readonly resolver: AgentsResolver;
}

/** @error AgentsError when instructions cannot be read; StorageError when the session cannot be written */
export async function enterContext(parts: EnteredParts): Promise<Entered> {
  const { context } = parts.session.log.conversation;
  return context === undefined ? await fresh(parts) : await resumed(parts, context);
}

/** The context of a new session is made once, and kept with it. So is that of one that ended before it had any. */
async function fresh({ environment, project, session, tools, skills, mcp }: EnteredParts): Promise<Entered> {
  const { initial, resolver } = await loadInstructions(environment, project);
  const { cwd, root } = project;
  const date = environment.now().toISOString().slice(0, 10);
  const facts = { cwd, root: root.path, platform: process.platform, shell: "bash", date };
  const there = loadsSkills(tools) ? await skills.initial() : undefined;
  const offered = [...tools.values()].filter(({ name }) => there !== undefined || !skillTools.includes(name));
  const context: ContextRecord = {
    type: "session.context",
    prefix: sessionPrefix(facts, initial.bundle, there?.text),
    tools: [...offered.map(describeTool), ...(mcp?.definitions(describeTool) ?? [])],
    agents: initial.record,
    ...(there?.paths === undefined ? {} : { skills: [...there.paths] }),
  };
  await session.log.append(context);
  return { context, resolver };
}

/** The context of an old session is sent as it was; what has changed since is told at the end. */
async function resumed(parts: EnteredParts, context: ContextRecord): Promise<Entered> {
  const { environment, project, session, model, openCalls = "close", skills, mcp } = parts;
  const keepsOpenCalls = openCalls === "run";
  if ("state" in session) await reenter({ environment, project, model, keepsOpenCalls, ...session });
  const isOpen = session.log.conversation.openCalls.length > 0;
  const changed = isOpen ? undefined : await skills.changes();
  if (changed !== undefined) await session.log.append(changed);
  // Nothing may come between a call and its result.
  const changedTools = isOpen ? undefined : mcp?.changes(session.log);
  if (changedTools !== undefined) await session.log.append(changedTools);
  const records = session.log.conversation.agentsRecords();
  return { context, resolver: createResolver(environment, project, foldAgentsRecords(records)) };
}
