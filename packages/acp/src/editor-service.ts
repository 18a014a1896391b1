// What an editor can ask for: sessions to open, prompts, modes. One service a connection.
import {
  type AgentContext,
  type CancelNotification,
  type CloseSessionRequest,
  type DeleteSessionRequest,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type LoadSessionResponse,
  type McpServer,
  methods,
  type NewSessionRequest,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  type PromptRequest,
  type PromptResponse,
  RequestError,
  type ResumeSessionRequest,
  type SessionConfigOption,
  type SessionModeState,
  type SetSessionConfigOptionRequest,
  type SetSessionConfigOptionResponse,
  type SetSessionModeRequest,
} from "@agentclientprotocol/sdk";
import type { Client } from "@codelia/protocol";
import { type ApprovalMode, ApprovalModeSchema } from "@codelia/shared-types";
import { broughtServers } from "./brought-servers.ts";
import { type EditorPort, EditorSession } from "./editor-session.ts";
import { configOptions, modelOption, modeOption, modeState, usableModels } from "./modes.ts";
import type { ShownThings } from "./run-updates.ts";
import { slashCommands } from "./slash-commands.ts";

export interface ServiceOptions {
  readonly client: Client;
  readonly version: string;
  /** Of new sessions; the editor can change both. Absent: the configured or the first usable one. */
  readonly model: string | undefined;
  readonly approval: ApprovalMode;
}

interface Choices {
  readonly modes: SessionModeState;
  readonly configOptions: SessionConfigOption[];
}

const listedSessions = 100;

export class EditorService {
  readonly #options: ServiceOptions;
  readonly #sessions = new Map<string, EditorSession>();
  #shown: ShownThings = {};

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  initialize({ clientCapabilities }: InitializeRequest): InitializeResponse {
    this.#shown = clientCapabilities?.session ?? {};
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "codelia", title: "Codelia", version: this.#options.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      },
      authMethods: [],
    };
  }

  async newSession(
    { cwd, mcpServers }: NewSessionRequest,
    editor: AgentContext,
  ): Promise<NewSessionResponse> {
    const { id } = await this.#options.client.call("session.prepare", { cwd });
    const session = this.#open(id, cwd, editor, mcpServers);
    return { sessionId: id, ...(await this.#choices(session)) };
  }

  /** The history is told before the answer. */
  async loadSession(
    { sessionId, cwd, mcpServers }: LoadSessionRequest,
    editor: AgentContext,
  ): Promise<LoadSessionResponse> {
    const session = await this.#reopen(sessionId, cwd, editor, mcpServers);
    await session.replay();
    return await this.#choices(session);
  }

  async resumeSession(
    { sessionId, cwd, mcpServers = [] }: ResumeSessionRequest,
    editor: AgentContext,
  ): Promise<LoadSessionResponse> {
    return await this.#choices(await this.#reopen(sessionId, cwd, editor, mcpServers));
  }

  async listSessions({ cwd }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const scope = { cwd: cwd ?? "/", all: cwd === undefined || cwd === null, limit: listedSessions };
    const { sessions } = await this.#options.client.call("session.list", scope);
    return {
      sessions: sessions.map(({ id, title, updated_at, cwd: place }) => ({
        sessionId: id,
        cwd: place,
        title,
        updatedAt: updated_at,
      })),
    };
  }

  async closeSession({ sessionId }: CloseSessionRequest): Promise<object> {
    await this.#session(sessionId).close();
    this.#sessions.delete(sessionId);
    return {};
  }

  async deleteSession({ sessionId }: DeleteSessionRequest): Promise<object> {
    const open = this.#sessions.get(sessionId);
    await open?.close();
    await this.#options.client.call("session.delete", { cwd: open?.cwd ?? "/", id: sessionId });
    this.#sessions.delete(sessionId);
    return {};
  }

  /** Counts from the next prompt on. */
  async setMode({ sessionId, modeId }: SetSessionModeRequest, editor: AgentContext): Promise<object> {
    const session = this.#session(sessionId);
    session.mode = approvalMode(modeId);
    const { configOptions: options } = await this.#choices(session);
    portTo(editor, sessionId, this.#shown).update({
      sessionUpdate: "config_option_update",
      configOptions: options,
    });
    return {};
  }

  async setConfigOption(
    { sessionId, configId, value }: SetSessionConfigOptionRequest,
    editor: AgentContext,
  ): Promise<SetSessionConfigOptionResponse> {
    const session = this.#session(sessionId);
    if (typeof value !== "string") throw unknownValue(configId, value);
    if (configId === modeOption) {
      session.mode = approvalMode(value);
      portTo(editor, sessionId, this.#shown).update({
        sessionUpdate: "current_mode_update",
        currentModeId: session.mode,
      });
    } else if (configId === modelOption) session.model = value;
    else throw unknownValue("configId", configId);
    return { configOptions: (await this.#choices(session)).configOptions };
  }

  /** @input signal: the editor no longer waits for the answer */
  async prompt({ sessionId, prompt }: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const session = this.#session(sessionId);
    const working = session.prompt(prompt);
    signal.addEventListener("abort", () => session.cancel(), { once: true });
    return { stopReason: await working };
  }

  cancel({ sessionId }: CancelNotification): void {
    this.#sessions.get(sessionId)?.cancel();
  }

  /** @output when nothing runs any more */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  #session(id: string): EditorSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }

  #open(id: string, cwd: string, editor: AgentContext, mcpServers: readonly McpServer[]): EditorSession {
    const port = portTo(editor, id, this.#shown);
    const { client, approval, model } = this.#options;
    const brought = broughtServers(mcpServers);
    const session = new EditorSession(client, port, { id, cwd, mode: approval, model, ...brought });
    this.#sessions.set(id, session);
    session.commands = slashCommands(this.#options.client, cwd);
    // After the answer that makes the session known to the editor.
    setTimeout(() => void offerCommands(session, port), 0);
    return session;
  }

  /** @error ProtocolError when there is no such session, or its whole id was not given */
  async #reopen(
    id: string,
    cwd: string,
    editor: AgentContext,
    mcpServers: readonly McpServer[],
  ): Promise<EditorSession> {
    const { session } = await this.#options.client.call("session.history", { cwd, id, limit: 1 });
    if (session.id !== id) throw RequestError.sessionNotFound(id);
    await this.#sessions.get(id)?.close();
    const opened = this.#open(id, cwd, editor, mcpServers);
    opened.lastModel = session.model;
    return opened;
  }

  async #choices({ mode, model, lastModel }: EditorSession): Promise<Choices> {
    // Settings that are wrong are told by the prompt, which needs them.
    const listed = await this.#options.client.call("models.list", {}).catch(() => undefined);
    const models = listed === undefined ? [] : usableModels(listed);
    return {
      modes: modeState(mode),
      configOptions: configOptions(mode, model ?? lastModel ?? listed?.default_model, models),
    };
  }
}

async function offerCommands({ commands }: EditorSession, port: EditorPort): Promise<void> {
  port.update({ sessionUpdate: "available_commands_update", availableCommands: [...(await commands)] });
}

/** What is told to an editor that has gone is told to nobody. */
function portTo(editor: AgentContext, sessionId: string, shown: ShownThings): EditorPort {
  return {
    update: (update) => {
      editor.notify(methods.client.session.update, { sessionId, update }).catch(() => undefined);
    },
    requestPermission: (request) =>
      editor.request(methods.client.session.requestPermission, { sessionId, ...request }),
    shown,
  };
}

function approvalMode(id: string): ApprovalMode {
  const mode = ApprovalModeSchema.safeParse(id);
  if (!mode.success) throw unknownValue("mode", id);
  return mode.data;
}

function unknownValue(key: string, value: unknown): RequestError {
  return new RequestError(-32602, `${key}: there is no such choice: ${JSON.stringify(value)}`, {
    code: "invalid_params",
  });
}
