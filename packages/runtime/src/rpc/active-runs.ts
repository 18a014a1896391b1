// Runs under way, so that a message or a cancel finds the one it is for.
import type { Params, Result } from "@codelia/protocol";
import type { UserMessage } from "@codelia/shared-types";

interface ActiveRun {
  readonly abort: AbortController;
  readonly steering: UserMessage[];
  readonly end: () => void;
}

export class ActiveRuns {
  readonly #runs = new Map<string, ActiveRun>();

  /** @input caller: aborted when whoever started the run cancels it, or is gone */
  add(id: string, caller: AbortSignal | undefined): ActiveRun {
    const abort = new AbortController();
    const onAbort = () => abort.abort();
    if (caller?.aborted) abort.abort();
    else caller?.addEventListener("abort", onAbort);
    const end = () => {
      caller?.removeEventListener("abort", onAbort);
      this.#runs.delete(id);
    };
    const run = { abort, steering: [], end };
    this.#runs.set(id, run);
    return run;
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
