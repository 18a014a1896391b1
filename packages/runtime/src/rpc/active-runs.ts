// Runs under way, so that a message or a cancel finds the one it is for.
import type { Params, Result } from "@codelia/protocol";
import type { UserMessage } from "@codelia/shared-types";

interface ActiveRun {
  readonly abort: AbortController;
  readonly steering: UserMessage[];
}

export class ActiveRuns {
  readonly #runs = new Map<string, ActiveRun>();

  add(id: string): ActiveRun {
    const run = { abort: new AbortController(), steering: [] };
    this.#runs.set(id, run);
    return run;
  }

  end(id: string): void {
    this.#runs.delete(id);
  }

  /** The message reaches the model with its next request. */
  steer({ run_id, text }: Params<"run.steer">): Result<"run.steer"> {
    const run = this.#runs.get(run_id);
    run?.steering.push({ role: "user", content: [{ type: "text", text }] });
    return { found: run !== undefined };
  }

  cancel({ run_id }: Params<"run.cancel">): Result<"run.cancel"> {
    const run = this.#runs.get(run_id);
    run?.abort.abort();
    return { found: run !== undefined };
  }
}
