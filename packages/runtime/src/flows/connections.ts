// The models of a run: each is opened when a step first needs it, and shared by its sessions.
import { ExecutionError } from "@codelia/flows";
import { ProtocolError } from "@codelia/protocol";
import type { ModelConnection } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import { type OpenedConnection, openConnection } from "../models/index.ts";
import type { Project } from "../project/index.ts";

/** What the user chose for steps that name no model. */
export interface ChosenModel {
  /** Absent: the configured or the first usable one. */
  readonly model?: string | undefined;
  /** What a path in it is relative to. */
  readonly cwd: string;
}

export class FlowConnections {
  readonly #environment: RuntimeEnvironment;
  readonly #project: Project;
  readonly #chosen: ChosenModel;
  readonly #around: (connection: ModelConnection) => ModelConnection;
  readonly #opened = new Map<string, Promise<OpenedConnection>>();

  /** @input around: what every model is given through */
  constructor(
    environment: RuntimeEnvironment,
    project: Project,
    chosen: ChosenModel,
    around: (connection: ModelConnection) => ModelConnection = (connection) => connection,
  ) {
    this.#environment = environment;
    this.#project = project;
    this.#chosen = chosen;
    this.#around = around;
  }

  /** @error ProtocolError no_model, not_found, invalid_params */
  async open(model: string | undefined): Promise<OpenedConnection> {
    const wanted = model === undefined ? this.#chosen : { model, cwd: this.#project.cwd };
    const key = JSON.stringify([wanted.model, wanted.cwd]);
    const known = this.#opened.get(key);
    if (known !== undefined) return await known;
    const opening = this.#openNew(wanted);
    this.#opened.set(key, opening);
    return await opening;
  }

  async #openNew({ model, cwd }: ChosenModel): Promise<OpenedConnection> {
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
