// Prompts on their way: the run under way, what was said to it, and what waits for its end.
import {
  type Client,
  type ConfirmParams,
  type ConfirmResult,
  ProtocolError,
  type RunEvent,
} from "@codelia/protocol";
import type { Message } from "../composer/index.ts";
import type { Conversation } from "../conversation/index.ts";

export interface WorkPorts {
  readonly client: () => Client;
  readonly conversation: Conversation;
  readonly begin: (message: Message) => void;
  readonly emit: (event: RunEvent) => void;
  readonly confirm: (question: ConfirmParams, signal?: AbortSignal) => Promise<ConfirmResult>;
  /** A run has ended; `returned` could not be said and goes back to where it was written. */
  readonly end: (ended: Ended) => void;
  readonly changed: () => void;
}

export interface Ended {
  readonly problem?: string | undefined;
  readonly hint?: string | undefined;
  readonly isInterrupted: boolean;
  readonly returned: readonly Message[];
}

export class Work {
  readonly #ports: WorkPorts;
  /** Said to the run, and not yet taken by it. */
  #said: Message[] = [];
  #queue: Message[] = [];
  #running: Promise<void> | undefined;
  #isCancelling = false;

  constructor(ports: WorkPorts) {
    this.#ports = ports;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get isCancelling(): boolean {
    return this.#isCancelling;
  }

  /** What waits, as it is shown. */
  get waiting(): readonly { readonly text: string; readonly how: "said" | "queued" }[] {
    return [
      ...this.#said.map(({ shown }) => ({ text: shown, how: "said" as const })),
      ...this.#queue.map(({ shown }) => ({ text: shown, how: "queued" as const })),
    ];
  }

  start(message: Message): void {
    this.#running = this.#follow(() => this.#run(message), [message]);
  }

  /** Something else that takes a while, such as a compaction. Prompts wait for its end. */
  async do(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    let failure: unknown;
    this.#running = this.#follow(async () => {
      const { conversation } = this.#ports;
      await task(conversation.begin()).catch((error: unknown) => {
        failure = error;
      });
      conversation.finish();
      return { isInterrupted: false, returned: [] };
    }, []);
    await this.#running;
    if (failure !== undefined) throw failure;
  }

  /** Said to the run under way. What cannot be said to it waits for its end. */
  async steer(message: Message): Promise<void> {
    if (message.images.length > 0) return this.queue(message);
    this.#said.push(message);
    const { client, conversation } = this.#ports;
    const isHeard = await conversation.steer(client(), message.text).catch(() => false);
    // A run that ended meanwhile has left it to be asked next.
    if (isHeard || !this.#said.includes(message)) return;
    this.#heard(message.text);
    if (this.isRunning) this.queue(message);
    else this.start(message);
  }

  queue(message: Message): void {
    this.#queue.push(message);
    this.#ports.changed();
  }

  cancel(): void {
    this.#isCancelling = true;
    this.#ports.conversation.cancel();
  }

  /** When nothing is under way any more. */
  async rest(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #heard(text: string): void {
    const at = this.#said.findIndex((message) => message.text === text);
    if (at >= 0) this.#said.splice(at, 1);
  }

  async #follow(task: () => Promise<Ended>, messages: readonly Message[]): Promise<void> {
    for (const message of messages) this.#ports.begin(message);
    const ended = await task();
    this.#running = undefined;
    this.#isCancelling = false;
    // What was said in the last moment of a run and not taken by it is asked next.
    const [next, ...later] = [...this.#said, ...this.#queue];
    this.#said = [];
    const goesOn = next !== undefined && !ended.isInterrupted && ended.problem === undefined;
    this.#queue = goesOn ? later : [];
    const waited = goesOn || next === undefined ? [] : [next, ...later];
    this.#ports.end({ ...ended, returned: [...ended.returned, ...waited] });
    if (goesOn) this.start(next);
  }

  async #run(message: Message): Promise<Ended> {
    const { client, conversation, emit, confirm } = this.#ports;
    let hasBegun = false;
    try {
      const result = await conversation.run(client(), message, {
        emit: (event) => {
          if (event.type === "run.started") hasBegun = true;
          if (event.type === "user.message" && event.steering) this.#heard(event.text);
          emit(event);
        },
        confirm,
      });
      const isInterrupted = result.status === "interrupted";
      return { isInterrupted, problem: result.error, hint: result.hint, returned: [] };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const hint = error instanceof ProtocolError ? error.hint : undefined;
      // What never reached a session goes back to where it was written.
      return { isInterrupted: false, problem, hint, returned: hasBegun ? [] : [message] };
    }
  }
}
