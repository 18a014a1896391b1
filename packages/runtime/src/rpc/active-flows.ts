// Runs of flows under way in this process, so that a cancel finds the one it is for.
import type { Execution } from "@codelia/flows";
import type { Params, Result } from "@codelia/protocol";
import type { AgentResult } from "@codelia/shared-types";

export class ActiveFlows {
  readonly #runs = new Map<string, Execution>();

  /** @output the run's Result */
  async run(id: string, execution: Execution): Promise<AgentResult> {
    this.#runs.set(id, execution);
    try {
      return await execution.run();
    } finally {
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
