// Makes an agent for one session: its fixed prefix, its tools, and the seams that connect them to policies.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  describeTool,
  type EmitEvent,
  type LoopLimits,
  type PrefixMessage,
  type RunResult,
  runLoop,
  sessionPrefix,
} from "@codelia/core";
import type {
  AgentsBundle,
  AgentsRecord,
  HistoryStore,
  Message,
  ModelConnection,
  ToolDefinition,
  Usage,
  UserMessage,
} from "@codelia/shared-types";
import { openOutputFiles } from "@codelia/storage";
import type { RuntimeEnvironment } from "./environment.ts";
import { Approval, type ApprovalOptions } from "./permissions/index.ts";
import { loadInstructions, type Project } from "./project/index.ts";
import { childEnvironment, createToolbox, ReadVersions } from "./tools/index.ts";

export interface AgentOptions {
  readonly environment: RuntimeEnvironment;
  readonly project: Project;
  readonly connection: ModelConnection;
  readonly costOf: (usage: Usage) => number | undefined;
  readonly approval: Pick<ApprovalOptions, "mode" | "confirm">;
  readonly store: HistoryStore;
  /** Variables for commands, on top of the user's. */
  readonly commandEnv: Readonly<Record<string, string>>;
}

export interface RunOptions {
  readonly limits: LoopLimits;
  readonly takeSteering: () => UserMessage[];
  readonly signal: AbortSignal;
  readonly emit: EmitEvent;
}

export interface Agent {
  readonly sessionId: string;
  readonly bundle: AgentsBundle;
  readonly prefix: readonly PrefixMessage[];
  readonly toolDefinitions: readonly ToolDefinition[];
  run(prompt: UserMessage, options: RunOptions): Promise<RunResult>;
  /** Calls that were refused because nobody could be asked. */
  readonly refusedCalls: number;
  /** Ends whatever still runs in the background. */
  dispose(): Promise<void>;
}

/** @error AgentsError when instructions cannot be read */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const { environment, project, connection, store } = options;
  const { fs, now } = environment;
  const { cwd, root, codeliaHome } = project;
  const { initial, resolver } = await loadInstructions(environment, project);
  const sessionId = `${now()
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/g, "")}-${randomBytes(4).toString("hex")}`;
  const toolbox = createToolbox({
    cwd,
    workspace: root.path,
    env: childEnvironment(environment.env, options.commandEnv),
    readVersions: new ReadVersions(),
  });
  const outputs = openOutputFiles(join(codeliaHome, "outputs", sessionId));
  const approval = new Approval({
    ...options.approval,
    fs,
    workspace: (await fs.realPath(root.path)) ?? root.path,
    outputs: outputs.directory,
  });
  const prefix = sessionPrefix(
    {
      cwd,
      root: root.path,
      platform: process.platform,
      shell: "bash",
      date: now().toISOString().slice(0, 10),
    },
    initial.bundle,
  );
  const toolDefinitions = [...toolbox.tools.values()].map(describeTool);
  const history: Message[] = [];
  await store.append({
    type: "session.start",
    id: sessionId,
    cwd,
    model: connection.id,
    prefix,
    tools: toolDefinitions,
    agents: initial.record,
  });

  async function remind(
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

  return {
    sessionId,
    bundle: initial.bundle,
    prefix,
    toolDefinitions,
    get refusedCalls() {
      return approval.refusedCalls;
    },
    dispose: () => toolbox.dispose(),
    run: (prompt, { limits, takeSteering, signal, emit }) =>
      runLoop(prompt, {
        connection,
        prefix,
        toolDefinitions,
        tools: toolbox.tools,
        history,
        append: (record) => store.append(record),
        seams: { decide: (call) => approval.decide(call), remind, outputs, now: () => performance.now() },
        limits,
        costOf: options.costOf,
        takeSteering,
        cacheKey: sessionId,
        signal,
        emit,
      }),
  };
}
