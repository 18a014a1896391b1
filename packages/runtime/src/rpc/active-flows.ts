// Runs of flows under way in this process, so that a cancel finds the one it is for.
import type { Execution } from "@codelia/flows";
import type { Params, Result } from "@codelia/protocol";
import type { AgentResult } from "@codelia/shared-types";

export class ActiveFlows {
  readonly #runs = new Map<string, Execution>();

  /** @input caller: aborted when whoever started the run cancels it, or is gone @output the run's Result */
  async run(id: string, execution: Execution, caller: AbortSignal | undefined): Promise<AgentResult> {
    this.#runs.set(id, execution);
    const stop = () => void execution.stop();
    if (caller?.aborted) stop();
    else caller?.addEventListener("abort", stop);
    try {
      return await execution.run();
    } finally {
      caller?.removeEventListener("abort", stop);
      this.#runs.delete(id);
    }
  }

  /** The run ends what is under way; whoever started it gets the Result. */
  cancel({ run_id }: Params<"flow.cancel">): Result<"flow.cancel"> {
    const run = this.#runs.get(run_id);
    void run?.stop();
    return { found: run !== undefined };
  }
}
