// The journal of a run, as the run sees it: what is known from before, and what is added.
import type {
  EffectIntent,
  EffectOutcome,
  FlowRecord,
  FlowRecordOf,
  HostIntent,
  HostOutcome,
} from "@codelia/shared-types";
import { ExecutionError } from "../error.ts";

/** Takes the records of one run. What was appended survives the end of the process, what was flushed a power cut. */
export interface FlowJournal {
  append(record: FlowRecord): Promise<unknown>;
  flush(): Promise<void>;
}

export interface RecordedEffect {
  readonly intent: EffectIntent;
  readonly ended: { readonly outcome: EffectOutcome; readonly elapsedMs: number } | undefined;
  /** It was decided that it may be done again, and it has not begun since. */
  readonly mayRepeat: boolean;
}

/** What the host did after the flow, or began to do. */
export interface RecordedHostEffect {
  readonly intent: HostIntent;
  readonly outcome: HostOutcome | undefined;
}

/** What a journal says about a run. */
export interface RunHistory {
  readonly start: FlowRecordOf<"run.start">;
  readonly effects: ReadonlyMap<number, RecordedEffect>;
  readonly iterations: number;
  readonly transitions: number;
  /** Time that the run had taken when its last effect ended. */
  readonly elapsedMs: number;
  readonly end: FlowRecordOf<"run.end"> | undefined;
  /** In the order of their beginning. */
  readonly host: readonly RecordedHostEffect[];
  /** Everything that was to be done for its issue is done. */
  readonly isWorkEnded: boolean;
}

/** @output undefined when the records begin no run */
export function foldRecords(records: readonly FlowRecord[]): RunHistory | undefined {
  const [start] = records;
  if (start?.type !== "run.start") return undefined;
  const effects = new Map<number, RecordedEffect>();
  let iterations = 0;
  let transitions = 0;
  let spentMs = 0;
  let end: FlowRecordOf<"run.end"> | undefined;
  const host: RecordedHostEffect[] = [];
  let isWorkEnded = false;
  for (const record of records) {
    switch (record.type) {
      case "run.start":
        break;
      case "effect.intent":
        effects.set(record.effect, { intent: record.intent, ended: undefined, mayRepeat: false });
        break;
      case "effect.result": {
        const { effect, outcome, elapsedMs } = record;
        spentMs = elapsedMs;
        const known = effects.get(effect);
        if (known !== undefined) effects.set(effect, { ...known, ended: { outcome, elapsedMs } });
        break;
      }
      case "effect.decided": {
        const known = effects.get(record.effect);
        if (known !== undefined)
          effects.set(record.effect, { ...known, mayRepeat: record.decision === "repeat" });
        break;
      }
      case "iteration":
        iterations += 1;
        break;
      case "transition":
        transitions += 1;
        break;
      case "run.end":
        end = record;
        break;
      case "host.intent":
        host.push({ intent: record.intent, outcome: undefined });
        break;
      case "host.result":
        // One at a time: a result is of the last that began.
        host.splice(-1, 1, { intent: record.intent, outcome: record.outcome });
        break;
      case "work.end":
        isWorkEnded = true;
        break;
    }
  }
  return { start, effects, iterations, transitions, elapsedMs: spentMs, end, host, isWorkEnded };
}

export class RunLog {
  readonly #journal: FlowJournal;
  readonly #tell: (record: FlowRecord) => void;
  #knownIterations: number;
  #knownTransitions: number;

  constructor(journal: FlowJournal, tell: (record: FlowRecord) => void, history: RunHistory | undefined) {
    this.#journal = journal;
    this.#tell = tell;
    this.#knownIterations = history?.iterations ?? 0;
    this.#knownTransitions = history?.transitions ?? 0;
  }

  /** @error ExecutionError JournalFailed: what cannot be kept must not go on */
  async append(record: FlowRecord, durability: "flushed" | "appended" = "appended"): Promise<void> {
    try {
      await this.#journal.append(record);
      if (durability === "flushed") await this.#journal.flush();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ExecutionError("JournalFailed", `The run's journal cannot be written: ${reason}`, {
        cause: error,
      });
    }
    this.#tell(record);
  }

  /** Not again, where the journal has it from before a crash. */
  async iteration(record: FlowRecordOf<"iteration">): Promise<void> {
    if (this.#knownIterations > 0) this.#knownIterations -= 1;
    else await this.append(record);
  }

  async transition(record: FlowRecordOf<"transition">): Promise<void> {
    if (this.#knownTransitions > 0) this.#knownTransitions -= 1;
    else await this.append(record);
  }
}

const unended: ReadonlySet<string> = new Set([
  "JournalFailed",
  "JournalMismatch",
  "IndeterminateEffect",
  "Interrupted",
]);

/** The run itself has not ended then: its journal can be taken up again. */
export function leavesRunOpen(code: string): boolean {
  return unended.has(code);
}
