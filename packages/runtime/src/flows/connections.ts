// The models of a run: each is opened when a step first needs it, and shared by its sessions.
import { ExecutionError } from "@codelia/flows";
import { ProtocolError } from "@codelia/protocol";
import type { RuntimeEnvironment } from "../environment.ts";
import { type OpenedConnection, openConnection } from "../models/index.ts";
import type { Project } from "../project/index.ts";

export class FlowConnections {
  readonly #environment: RuntimeEnvironment;
  readonly #project: Project;
  readonly #chosen: string | undefined;
  readonly #opened = new Map<string, Promise<OpenedConnection>>();

  /** @input chosen: for steps that name no model; undefined: the configured or the first usable one */
  constructor(environment: RuntimeEnvironment, project: Project, chosen: string | undefined) {
    this.#environment = environment;
    this.#project = project;
    this.#chosen = chosen;
  }

  /** @error ProtocolError no_model, not_found, invalid_params */
  async open(model: string | undefined): Promise<OpenedConnection> {
    const name = model ?? this.#chosen;
    const known = this.#opened.get(name ?? "");
    if (known !== undefined) return await known;
    const opening = openConnection(this.#environment, this.#project, {
      cwd: this.#project.cwd,
      ...(name === undefined ? {} : { model: name }),
    });
    this.#opened.set(name ?? "", opening);
    return await opening;
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
