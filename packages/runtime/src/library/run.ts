// A run under way: its events as they come, its result at the end.
import type { Client, ConfirmParams, ConfirmResult, Params, Result, RunEvent } from "@codelia/protocol";

export type RunResult = Result<"run.start">;

export interface RunOptions {
  /** Ends the run; its result says `interrupted`. */
  readonly signal?: AbortSignal;
  /** Requests to the model at most; its result says `limit`. */
  readonly maxTurns?: number;
  readonly maxCostUsd?: number;
  /** Base64. */
  readonly images?: readonly { readonly mediaType: string; readonly data: string }[];
}

/** Iterate over it for events, once; wait for `result` for the end. Both at once, or one of them. */
export interface Run extends AsyncIterable<RunEvent> {
  /** @error CodeliaError when the run could not begin: no trust, no model, wrong settings */
  readonly result: Promise<RunResult>;
  /** Says something while the run works: the model hears it with its next request. */
  steer(text: string): void;
  cancel(): void;
}

type Confirm = (question: ConfirmParams) => Promise<ConfirmResult>;

export class LiveRun implements Run {
  readonly result: Promise<RunResult>;
  readonly #client: Client;
  readonly #events: RunEvent[] = [];
  #id: string | undefined;
  #isCancelled = false;
  readonly #unsaid: string[] = [];
  #hasEnded = false;
  #wake: () => void = () => undefined;

  constructor(
    client: Client,
    params: Params<"run.start">,
    confirm: Confirm | undefined,
    signal?: AbortSignal,
  ) {
    this.#client = client;
    const onAbort = () => this.cancel();
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) this.cancel();
    this.result = client
      .call("run.start", params, { emit: (event) => this.#take(event), confirm })
      .finally(() => {
        signal?.removeEventListener("abort", onAbort);
        this.#hasEnded = true;
        this.#wake();
      });
    // Who only iterates hears of the failure there.
    this.result.catch(() => undefined);
  }

  steer(text: string): void {
    if (this.#id === undefined) this.#unsaid.push(text);
    else void this.#client.call("run.steer", { run_id: this.#id, text });
  }

  cancel(): void {
    this.#isCancelled = true;
    if (this.#id !== undefined) void this.#client.call("run.cancel", { run_id: this.#id });
  }

  async *[Symbol.asyncIterator](): AsyncIterator<RunEvent> {
    for (;;) {
      yield* this.#events.splice(0);
      if (this.#events.length > 0) continue;
      if (this.#hasEnded) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    await this.result;
  }

  #take(event: RunEvent): void {
    if (event.type === "run.started") {
      this.#id = event.run_id;
      // Said before there was a run.
      for (const text of this.#unsaid.splice(0)) this.steer(text);
      if (this.#isCancelled) this.cancel();
    }
    this.#events.push(event);
    this.#wake();
  }
}
