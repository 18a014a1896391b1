// The session that the user is in: which one goes on, what was said to it, what it cost.
import {
  type Client,
  type ConfirmParams,
  type ConfirmResult,
  isFlowEvent,
  type Params,
  type Result,
  type RunEvent,
  type UsageWire,
} from "@codelia/protocol";
import type { ApprovalMode } from "@codelia/shared-types";

type SessionChoice = Params<"run.start">["session"];

export interface ConversationOptions {
  readonly cwd: string;
  readonly approval: ApprovalMode;
  readonly model: string | undefined;
  readonly session: SessionChoice;
}

/** What a run is asked for and tells. */
export interface RunPorts {
  readonly emit: (event: RunEvent) => void;
  /** @input signal: aborted when the answer is of no use any more */
  readonly confirm: (question: ConfirmParams, signal?: AbortSignal) => Promise<ConfirmResult>;
}

export interface Prompt {
  readonly text: string;
  readonly images: readonly Params<"run.start">["images"][number][];
}

export interface Totals {
  readonly usage: UsageWire;
  /** Undefined when a price is not known. */
  readonly costUsd: number | undefined;
  readonly turns: number;
  readonly prompts: number;
}

const noUsage: UsageWire = {
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
};

export class Conversation {
  readonly cwd: string;
  approval: ApprovalMode;
  /** As the user chose it; undefined: the session's, or the configured one. */
  model: string | undefined;
  #next: SessionChoice;
  #session: string | undefined;
  #runId: string | undefined;
  #under: AbortController | undefined;
  #usedModel: string | undefined;
  #before: Totals = { usage: noUsage, costUsd: 0, turns: 0, prompts: 0 };
  #current: Pick<Totals, "usage" | "costUsd" | "turns"> | undefined;

  constructor({ cwd, approval, model, session }: ConversationOptions) {
    this.cwd = cwd;
    this.approval = approval;
    this.model = model;
    this.#next = session;
    if (session !== undefined && session.how !== "continue") this.#session = session.id;
  }

  get isRunning(): boolean {
    return this.#under !== undefined;
  }

  /** The session that was entered last; undefined: nothing was said yet. */
  get session(): string | undefined {
    return this.#session;
  }

  /** The model that answered last, or the one that will. */
  get shownModel(): string | undefined {
    return this.model ?? this.#usedModel;
  }

  get totals(): Totals {
    const { usage, costUsd, turns } = this.#current ?? { usage: noUsage, costUsd: 0, turns: 0 };
    return {
      usage: added(this.#before.usage, usage),
      costUsd:
        costUsd === undefined || this.#before.costUsd === undefined
          ? undefined
          : this.#before.costUsd + costUsd,
      turns: this.#before.turns + turns,
      prompts: this.#before.prompts,
    };
  }

  /** What the next prompt goes to. */
  enter(session: SessionChoice): void {
    this.#next = session;
    this.#session = session !== undefined && session.how !== "continue" ? session.id : undefined;
    this.#usedModel = undefined;
    this.#before = { usage: noUsage, costUsd: 0, turns: 0, prompts: 0 };
  }

  /**
   * One prompt, to its end. The session goes on with the next.
   * @error ProtocolError, when the run could not begin
   */
  async run(client: Client, { text, images }: Prompt, ports: RunPorts): Promise<Result<"run.start">> {
    const under = this.begin();
    this.#before = { ...this.#before, prompts: this.#before.prompts + 1 };
    const params: Params<"run.start"> = {
      cwd: this.cwd,
      prompt: text,
      images: [...images],
      approval: this.approval,
      compact: true,
      ...(this.model === undefined ? {} : { model: this.model }),
      ...(this.#next === undefined ? {} : { session: this.#next }),
    };
    try {
      return await client.call("run.start", params, {
        emit: (event) => {
          if (isFlowEvent(event)) return;
          this.#follow(event);
          ports.emit(event);
        },
        confirm: ports.confirm,
        signal: under,
      });
    } finally {
      this.#before = this.totals;
      this.#current = undefined;
      this.finish();
      this.#runId = undefined;
    }
  }

  /** Says something to the run under way. @output false: there is none that could hear it */
  async steer(client: Client, text: string): Promise<boolean> {
    if (this.#runId === undefined) return false;
    return (await client.call("run.steer", { run_id: this.#runId, text })).found;
  }

  /** Something is under way that `cancel` ends, until `finish`. */
  begin(): AbortSignal {
    this.#under = new AbortController();
    return this.#under.signal;
  }

  finish(): void {
    this.#under = undefined;
  }

  cancel(): void {
    this.#under?.abort();
  }

  #follow(event: RunEvent): void {
    if (event.type === "run.started") {
      this.#runId = event.run_id;
      this.#session = event.session_id;
      this.#next = { how: "resume", id: event.session_id };
      this.#usedModel = event.model;
    }
    if (event.type === "usage") {
      this.#current = { usage: event.total, costUsd: event.cost_usd, turns: event.turn };
    }
    if (event.type === "run.finished") {
      this.#current = { usage: event.usage, costUsd: event.cost_usd, turns: event.turns };
    }
  }
}

function added(a: UsageWire, b: UsageWire): UsageWire {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
  };
}
