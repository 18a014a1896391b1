// Runs of flows under way in this process, so that a cancel finds the one it is for.
import type { Execution } from "@codelia/flows";
import type { Params, Result } from "@codelia/protocol";
import type { AgentResult } from "@codelia/shared-types";

export class ActiveFlows {
  readonly #cancels = new Map<string, () => void>();

  /** @input caller: as for `during` @output the run's Result */
  async run(id: string, execution: Execution, caller: AbortSignal | undefined): Promise<AgentResult> {
    return await this.during(
      id,
      () => void execution.stop(),
      () => execution.run(),
      caller,
    );
  }

  /**
   * @input  caller: aborted when whoever started the run cancels it, or is gone
   * @effects `work`; while it goes on, a cancel of the run calls `cancel`
   */
  async during<T>(
    id: string,
    cancel: () => void,
    work: () => Promise<T>,
    caller: AbortSignal | undefined,
  ): Promise<T> {
    this.#cancels.set(id, cancel);
    caller?.addEventListener("abort", cancel);
    try {
      const working = work();
      // What was cancelled before it began is ended as soon as there is something to end.
      if (caller?.aborted) cancel();
      return await working;
    } finally {
      caller?.removeEventListener("abort", cancel);
      this.#cancels.delete(id);
    }
  }

  /** The run ends what is under way; whoever started it gets the Result. */
  cancel({ run_id }: Params<"flow.cancel">): Result<"flow.cancel"> {
    const cancel = this.#cancels.get(run_id);
    cancel?.();
    return { found: cancel !== undefined };
  }
}
