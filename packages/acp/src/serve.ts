// Codelia as an agent of the Agent Client Protocol: an editor at the other end of two streams.
import {
  type AgentApp,
  type AgentRequestContext,
  agent,
  methods,
  ndJsonStream,
} from "@agentclientprotocol/sdk";
import { EditorService, type ServiceOptions } from "./editor-service.ts";
import { requestError } from "./errors.ts";

export interface AcpOptions extends ServiceOptions {
  /** From the editor, to the editor. Nothing else may be written there. */
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
  /** Ends the service as if the editor had gone. */
  readonly signal: AbortSignal;
}

/**
 * @effects sessions and runs, as the editor asks for them
 * @output  when the editor is gone and nothing runs any more
 */
export async function serveAcp(options: AcpOptions): Promise<void> {
  const service = new EditorService(options);
  const connection = appOf(service).connect(ndJsonStream(options.output, options.input));
  const close = () => connection.close();
  options.signal.addEventListener("abort", close);
  if (options.signal.aborted) close();
  try {
    await connection.closed;
  } finally {
    options.signal.removeEventListener("abort", close);
    await service.close();
  }
}

function appOf(service: EditorService): AgentApp {
  const { session } = methods.agent;
  return agent({ name: "codelia" })
    .onRequest(
      methods.agent.initialize,
      guarded(({ params }) => service.initialize(params)),
    )
    .onRequest(
      session.new,
      guarded(({ params, client }) => service.newSession(params, client)),
    )
    .onRequest(
      session.load,
      guarded(({ params, client }) => service.loadSession(params, client)),
    )
    .onRequest(
      session.resume,
      guarded(({ params, client }) => service.resumeSession(params, client)),
    )
    .onRequest(
      session.list,
      guarded(({ params }) => service.listSessions(params)),
    )
    .onRequest(
      session.close,
      guarded(({ params }) => service.closeSession(params)),
    )
    .onRequest(
      session.delete,
      guarded(({ params }) => service.deleteSession(params)),
    )
    .onRequest(
      session.setMode,
      guarded(({ params, client }) => service.setMode(params, client)),
    )
    .onRequest(
      session.setConfigOption,
      guarded(({ params, client }) => service.setConfigOption(params, client)),
    )
    .onRequest(
      session.prompt,
      guarded(({ params, signal }) => service.prompt(params, signal)),
    )
    .onNotification(session.cancel, ({ params }) => service.cancel(params));
}

function guarded<P, R>(handler: (context: AgentRequestContext<P>) => R | Promise<R>) {
  return async (context: AgentRequestContext<P>): Promise<R> => {
    try {
      return await handler(context);
    } catch (error) {
      throw requestError(error);
    }
  };
}
