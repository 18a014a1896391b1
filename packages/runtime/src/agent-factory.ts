// Makes an agent for a session, new or resumed: its fixed prefix, its tools, and the seams that connect them to policies.
import {
  type AgentsResolver,
  type CompactionPolicy,
  ContextKeeper,
  type DecidableCall,
  type EmitEvent,
  foldAgentsRecords,
  type LoopLimits,
  type OutputStore,
  type RequestedCompaction,
  type RunResult,
  runLoop,
  type Tool,
  type ToolSeams,
} from "@codelia/core";
import type { ClientServer } from "@codelia/protocol";
import type { AgentsRecord, UserMessage } from "@codelia/shared-types";
import { quietly } from "@codelia/storage";
import type { RuntimeEnvironment } from "./environment.ts";
import type { Confirm, EnteredServers, ServerAnswers, SessionMcp } from "./mcp/index.ts";
import type { OpenedConnection } from "./models/index.ts";
import { type ApprovalOptions, projectApproval } from "./permissions/index.ts";
import { type Project, skillOptions } from "./project/index.ts";
import { createSandbox, decideWithSandbox, sandboxOptions } from "./sandbox/index.ts";
import { childEnvironment, knownSecrets, type Secret, secretVariables } from "./secrets/index.ts";
import { enterContext } from "./session-context.ts";
import { carriedSkills, SessionSkills } from "./session-skills/index.ts";
import type { OpenSession, ResumedSession } from "./sessions/index.ts";
import { openCatalog, type ResolvedSkill } from "./skills/index.ts";
import {
  createToolbox,
  loadsSkills,
  ReadVersions,
  renderTodo,
  restrictDecision,
  restrictTools,
  type TodoItem,
  type Toolbox,
  type ToolRestriction,
  todoItems,
} from "./tools/index.ts";

export interface AgentOptions {
  readonly environment: RuntimeEnvironment;
  readonly project: Project;
  readonly session: OpenSession | ResumedSession;
  readonly opened: Pick<OpenedConnection, "connection" | "model" | "costOf">;
  readonly approval: Pick<ApprovalOptions, "mode" | "confirm" | "tellsChanges">;
  /** Variables for commands, on top of the user's. */
  readonly commandEnv?: Readonly<Record<string, string>>;
  /** Besides ours. */
  readonly tools?: readonly Tool[];
  /** MCP servers that the client brings, besides those of the settings. */
  readonly clientServers?: readonly ClientServer[];
  /** What the user said about MCP servers earlier, by session; absent: an answer holds for this run. */
  readonly serverAnswers?: ServerAnswers;
  /** false: a full context ends the run. */
  readonly compact: boolean;
  /** What it may do at most; absent: whatever the approval allows. */
  readonly restriction?: ToolRestriction;
  /** Servers that outlive this agent; absent: it has its own. */
  readonly servers?: ServerKeeper;
  /** Calls that an interrupted run left without a result: they are closed in words, or kept to be run. */
  readonly openCalls?: "close" | "run";
  /** What the user should know, as it turns out. */
  readonly notify: (notice: string) => void;
}

/** Keeps the MCP servers of several agents, and ends them. */
export interface ServerKeeper {
  /** @output what is kept, or what `enter` gives; that asks by the `confirm` that it is called with */
  take(
    confirm: Confirm | undefined,
    enter: (confirm: Confirm | undefined) => Promise<EnteredServers>,
  ): Promise<EnteredServers>;
}

export interface RunOptions {
  readonly limits: LoopLimits;
  readonly takeSteering: () => UserMessage[];
  readonly signal: AbortSignal;
  readonly emit: EmitEvent;
}

export interface Agent {
  /** The instruction files of the session's start. */
  readonly instructionFiles: readonly string[];
  /** @input prompt: undefined goes on where an interrupted run ended */
  run(prompt: UserMessage | undefined, options: RunOptions): Promise<RunResult>;
  /** Makes room in the context, without a prompt. */
  compact(options: Pick<RunOptions, "signal" | "emit">): Promise<RequestedCompaction>;
  /** Calls that were refused because nobody could be asked. */
  readonly refusedCalls: number;
  /** MCP servers that are not used because nobody could be asked. */
  readonly refusedServers: number;
  /** The model's own list, as it is now. */
  readonly todo: readonly TodoItem[];
  /** What turned out when it was made. */
  readonly notices: readonly string[];
  /** Ends whatever still runs in the background. */
  dispose(): Promise<void>;
}

/** @error AgentsError when instructions cannot be read; StorageError when the session cannot be written */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const { environment, project } = options;
  const secrets = knownSecrets(environment.env, project.settings.values);
  const servers = await enteredServers(options, secrets);
  const endServers = async () => {
    if (options.servers === undefined) await servers?.servers.dispose();
  };
  try {
    return await agentWith(options, secrets, await mcpWith(servers, options), endServers);
  } catch (error) {
    await endServers();
    throw error;
  }
}

async function agentWith(
  options: AgentOptions,
  secrets: readonly Secret[],
  mcp: SessionMcp | undefined,
  endServers: () => Promise<void>,
): Promise<Agent> {
  const { environment, project, session, opened } = options;
  const { connection, model, costOf } = opened;
  const { log, blobs } = session;
  const readVersions = new ReadVersions();
  const outputs: OutputStore = { open: () => blobs.create() };
  const skills = new SessionSkills({
    open: () => openCatalog(skillOptions(environment, project)),
    log,
    blobs,
    outputs,
    disk: environment.disk,
    secrets,
  });
  const sandbox = createSandbox(sandboxOptions(environment, project, [blobs.directory]));
  const approval = await projectApproval(environment, project, {
    ...options.approval,
    outputs: blobs.directory,
    allowedCalls: "state" in session ? session.state.allowedCalls : [],
    notify: options.notify,
  });
  const toolbox = createToolbox(
    {
      cwd: project.cwd,
      workspace: project.root.path,
      env: childEnvironment(
        environment.env,
        secretVariables(environment.env, project.settings.values, secrets),
        options.commandEnv ?? {},
      ),
      sandbox,
      approvesAll: options.approval.mode === "full",
      forbiddenFiles: (tool) => approval.forbiddenFiles(tool),
      secrets,
      readVersions,
    },
    {
      outputs: blobs,
      todo: "state" in session ? todoItems(session.state.todo) : [],
      skills,
      disk: environment.disk,
      own: options.tools ?? [],
    },
  );
  const tools = restrictTools(toolbox.tools, options.restriction);
  const { context, resolver } = await enterContext({ ...options, model, tools, skills, mcp });
  readVersions.replace(log.conversation.seenFiles());
  const decide = restrictDecision(
    decideWithSandbox({
      sandbox,
      isRequired: project.settings.values.sandbox.enabled === "require",
      decide: (call, standing) => approval.decide(call, standing),
      notify: options.notify,
    }),
    options.restriction,
  );
  // Of the run that is under way: whoever interrupts it does not wait for a server that hangs.
  let runSignal: AbortSignal | undefined;
  const seams: ToolSeams = {
    decide: mcp === undefined ? decide : mcp.deciding(decide, () => runSignal ?? AbortSignal.abort()),
    remind: (paths) => remind(resolver, paths),
    outputs,
    keepContent: (content) => blobs.put(content),
    takeSeen: (paths) => readVersions.takeChanges(paths),
    now: () => performance.now(),
  };
  const compaction: CompactionPolicy = {
    enabled: options.compact,
    compactAt: project.settings.values.context.compactAt,
    carried: () => [...carriedTodo(toolbox), ...carriedSkills(log.conversation.skillsInForce)],
    keep: (text) => blobs.put(new TextEncoder().encode(text)),
    onCompacted: () => {
      resolver.replaceState(foldAgentsRecords(log.conversation.agentsRecords()));
      readVersions.replace(log.conversation.seenFiles());
    },
  };
  return {
    instructionFiles: context.agents.presented.map(({ path }) => path),
    get refusedCalls() {
      return approval.refusedCalls + (mcp?.refused.calls ?? 0);
    },
    get todo() {
      return toolbox.todo.items;
    },
    refusedServers: mcp?.refused.servers ?? 0,
    notices: mcp?.notices ?? [],
    dispose: async () => {
      // What cannot be kept is looked for again.
      await quietly(() => skills.leave());
      await endServers();
      await toolbox.dispose();
      await sandbox.dispose();
    },
    compact: (work) =>
      new ContextKeeper({
        policy: compaction,
        log,
        connection,
        prefix: context.prefix,
        tools: context.tools,
        cacheKey: session.id,
        ...work,
        onUsage: () => undefined,
      }).onRequest(),
    run: (prompt, run) => {
      runSignal = run.signal;
      return runLoop(prompt, {
        connection,
        prefix: context.prefix,
        toolDefinitions: context.tools,
        tools: mcp === undefined ? tools : new Map([...tools, ...mcp.tools(context.tools)]),
        log,
        seams,
        compaction,
        costOf,
        accompany: async (message) =>
          loadsSkills(tools) ? skills.accompany(message, (skill) => decide(mentionCall(skill))) : [],
        cacheKey: session.id,
        ...run,
      });
    },
  };
}

/**
 * Where there is no server, and the session's start names none, nothing of MCP is loaded. A run whose tools are named
 * has those and no others.
 */
async function enteredServers(
  options: AgentOptions,
  secrets: readonly Secret[],
): Promise<EnteredServers | undefined> {
  const { environment, project, session, approval, restriction, servers, serverAnswers } = options;
  const { clientServers: brought = [] } = options;
  if (restriction?.tools !== undefined || restriction?.onlyLooks) return undefined;
  const isUsed = Object.values(project.settings.values.mcp.servers).some(({ enabled }) => enabled !== false);
  const isNamed = session.log.conversation.context?.tools.some(({ name }) => name === "mcp_call") ?? false;
  if (!isUsed && brought.length === 0 && !isNamed) return undefined;
  const { answersOf, enterServers } = await import("./mcp/index.ts");
  const answers = serverAnswers && answersOf(serverAnswers, session.id);
  const enter = (confirm: Confirm | undefined) =>
    enterServers({ environment, project, brought, confirm, answers, secrets });
  return await (servers === undefined ? enter(approval.confirm) : servers.take(approval.confirm, enter));
}

async function mcpWith(
  servers: EnteredServers | undefined,
  { opened: { connection } }: AgentOptions,
): Promise<SessionMcp | undefined> {
  if (servers === undefined) return undefined;
  const { SessionMcp } = await import("./mcp/index.ts");
  return new SessionMcp(servers, connection.contextWindow);
}

async function remind(
  resolver: AgentsResolver,
  paths: readonly string[],
): Promise<{ text: string | undefined; records: AgentsRecord[] }> {
  const texts: string[] = [];
  const records: AgentsRecord[] = [];
  for (const path of paths) {
    const { reminder, record } = await resolver.resolveAgentsForPath(path);
    if (reminder !== undefined) texts.push(reminder);
    if (record !== undefined) records.push(record);
  }
  return { text: texts.length === 0 ? undefined : texts.join("\n"), records };
}

/** A skill that the user names is loaded as if the model had called for it. */
function mentionCall({ skill: { name }, realPath }: ResolvedSkill): DecidableCall {
  const access = { kind: "skill" as const, name, path: realPath };
  const prepared = { title: `skill_load ${name}`, paths: [], access, execute: () => Promise.resolve() };
  return { id: `mention-${name}`, tool: "skill_load", prepared };
}

function carriedTodo({ todo }: Toolbox): { title: string; text: string }[] {
  return todo.items.length === 0 ? [] : [{ title: "Your todo list", text: renderTodo(todo.items) }];
}
