// What a run needs from outside.
import type { FileSystem, FlowRecord, IterationSummary } from "@codelia/shared-types";
import type { CommandRunner, SdkBridge } from "../connection/index.ts";
import type { Clock } from "./clock.ts";
import type { EffectDecision, IndeterminateEffect } from "./effects.ts";
import type { FlowJournal } from "./run-log.ts";

export interface Dependencies {
  readonly bridge: SdkBridge;
  /** Needed by flows with command checks. */
  readonly commands?: CommandRunner | undefined;
  readonly journal: FlowJournal;
  readonly clock: Clock;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  readonly fs?: FileSystem;
  /** Asked about an effect that nobody knows the end of; without it the run stays as it is. */
  readonly decide?: (effect: IndeterminateEffect) => Promise<EffectDecision>;
  /** Hears of every record once it is written. */
  readonly onRecord?: (record: FlowRecord) => void;
  /** Hears of every iteration that begins; of a resumed run, of those that are not known from before. */
  readonly onIteration?: (place: IterationPlace) => void;
  /** Called once, when the run has stopped. */
  readonly release?: () => Promise<void>;
}

export type IterationPlace = Pick<IterationSummary, "iteration" | "step" | "visit" | "attempt">;

/** The run that effects belong to. */
export interface RunPlace {
  readonly id: string;
  readonly cwd: string;
  /** Every parameter that has a value. */
  readonly args: Readonly<Record<string, string>>;
}
