// A transcript as text, written as it comes.
import type { SessionSummary, TranscriptEntry } from "@codelia/protocol";
import { type TranscriptStep, TranscriptSteps } from "./steps.ts";

/** Each call gives the next part of the text. */
export interface TranscriptWriter {
  begin(session: SessionSummary): string;
  add(entry: TranscriptEntry): string;
  /** Whether another writer could go on from here. */
  readonly isSettled: boolean;
  /** @input notices what could not be read */
  end(notices: readonly string[]): string;
}

/** How steps look. */
export interface StepFormat {
  begin(session: SessionSummary): string;
  step(step: TranscriptStep): string;
  end(notices: readonly string[]): string;
}

export function stepWriter(format: StepFormat): TranscriptWriter {
  const steps = new TranscriptSteps();
  const written = (each: readonly TranscriptStep[]) => each.map((step) => format.step(step)).join("");
  return {
    begin: (session) => format.begin(session),
    add: (entry) => written(steps.add(entry)),
    get isSettled() {
      return steps.isSettled;
    },
    end: (notices) => written(steps.end()) + format.end(notices),
  };
}
