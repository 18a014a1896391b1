// What the host does after a flow, so that a crash neither repeats nor loses it: intent on disk, then the effect, then
// its result. Unlike the effects of a flow, one that failed is tried again when the run is resumed.
import { isDeepStrictEqual } from "node:util";
import type { FlowRecord, HostIntent, HostOutcome } from "@codelia/shared-types";
import type { Probe } from "../connection/index.ts";
import { asAgentError } from "../error.ts";
import { type FlowJournal, type RecordedHostEffect, RunLog } from "../execution/index.ts";

export type Done = Omit<Extract<HostOutcome, { state: "done" }>, "state">;

export interface HostEffect {
  readonly intent: HostIntent;
  /** @error AgentError; it becomes the effect's result, and ends the work for now */
  readonly act: () => Promise<Done>;
  /** Whether it was done before a crash. @effects none */
  readonly probe: () => Promise<Probe<Done>>;
}

export interface HostEffectsOptions {
  readonly journal: FlowJournal;
  readonly onRecord?: (record: FlowRecord) => void;
  /** From before a crash. */
  readonly history: readonly RecordedHostEffect[];
}

export class HostEffects {
  readonly #log: RunLog;
  readonly #history: readonly RecordedHostEffect[];

  constructor({ journal, onRecord = () => undefined, history }: HostEffectsOptions) {
    this.#log = new RunLog(journal, onRecord, undefined);
    this.#history = history;
  }

  /** @output what was done of this kind, the last first */
  done(kind: HostIntent["kind"]): Done[] {
    return this.#history
      .flatMap(({ intent, outcome }) => (intent.kind === kind && outcome?.state === "done" ? [outcome] : []))
      .toReversed();
  }

  /**
   * @output what came of it, now or before a crash
   * @effects the effect, unless the journal or a probe says that it was done
   * @error  the AgentError that it ended with; JournalFailed
   */
  async perform(effect: HostEffect): Promise<Done> {
    const known = this.#history.findLast(({ intent }) => isDeepStrictEqual(intent, effect.intent));
    if (known?.outcome?.state === "done") return known.outcome;
    if (known !== undefined && known.outcome === undefined) {
      const probe = await effect.probe();
      if (probe.state === "done") return await this.#end(effect.intent, probe.result);
    }
    await this.#log.append({ type: "host.intent", intent: effect.intent }, "flushed");
    try {
      return await this.#end(effect.intent, await effect.act());
    } catch (error) {
      const failure = asAgentError(error).toFailure();
      if (failure.code !== "JournalFailed") await this.#append(effect.intent, { state: "failed", failure });
      throw error;
    }
  }

  /** Everything that was planned is done. */
  async close(): Promise<void> {
    await this.#log.append({ type: "work.end" }, "flushed");
  }

  async #end(intent: HostIntent, done: Done): Promise<Done> {
    await this.#append(intent, { state: "done", ...done });
    return done;
  }

  async #append(intent: HostIntent, outcome: HostOutcome): Promise<void> {
    await this.#log.append({ type: "host.result", intent, outcome }, "flushed");
  }
}
