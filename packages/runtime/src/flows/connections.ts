// The models of a run: each is opened when a step first needs it, and shared by its sessions.
import { ExecutionError } from "@codelia/flows";
import { ProtocolError } from "@codelia/protocol";
import type { ModelConnection } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import { type OpenedConnection, openConnection } from "../models/index.ts";
import type { Project } from "../project/index.ts";

export class FlowConnections {
  readonly #environment: RuntimeEnvironment;
  readonly #project: Project;
  readonly #chosen: string | undefined;
  readonly #around: (connection: ModelConnection) => ModelConnection;
  readonly #opened = new Map<string, Promise<OpenedConnection>>();

  /**
   * @input chosen: for steps that name no model; undefined: the configured or the first usable one
   * @input around: what every model is given through
   */
  constructor(
    environment: RuntimeEnvironment,
    project: Project,
    chosen: string | undefined,
    around: (connection: ModelConnection) => ModelConnection = (connection) => connection,
  ) {
    this.#environment = environment;
    this.#project = project;
    this.#chosen = chosen;
    this.#around = around;
  }

  /** @error ProtocolError no_model, not_found, invalid_params */
  async open(model: string | undefined): Promise<OpenedConnection> {
    const name = model ?? this.#chosen;
    const known = this.#opened.get(name ?? "");
    if (known !== undefined) return await known;
    const opening = this.#openNew(name);
    this.#opened.set(name ?? "", opening);
    return await opening;
  }

  async #openNew(model: string | undefined): Promise<OpenedConnection> {
    const { cwd } = this.#project;
    const choice = model === undefined ? { cwd } : { cwd, model };
    const opened = await openConnection(this.#environment, this.#project, choice);
    return { ...opened, connection: this.#around(opened.connection) };
  }

  /** As `open`, for a step. @error ExecutionError */
  async openForStep(model: string | undefined): Promise<OpenedConnection> {
    try {
      return await this.open(model);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const hint = error.hint === undefined ? "" : ` ${error.hint}`;
      throw new ExecutionError("NoModel", `${error.message}.${hint}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#opened.values());
    for (const each of opened) if (each.status === "fulfilled") await each.value.close();
  }
}
