// Keeps a conversation within its model's window: before a request is too large, and after a provider said so.
import type { CompactionTrigger, ModelConnection, ToolDefinition, Usage } from "@codelia/shared-types";
import type { PrefixMessage } from "../context/index.ts";
import type { EmitEvent } from "../events/index.ts";
import { addedUsage } from "../response/index.ts";
import type { SessionLog } from "../session/index.ts";
import { compact } from "./compact.ts";
import type { CarriedText } from "./compacted-message.ts";
import { messageSize, toolsSize, totalSize } from "./size.ts";
import type { KeepText } from "./trim.ts";

export interface CompactionPolicy {
  /** false: a full context ends the run instead. */
  readonly enabled: boolean;
  /** The share of the window at which room is made. */
  readonly compactAt: number;
  /** What has to outlive a compaction besides the conversation. */
  readonly carried: () => readonly CarriedText[];
  readonly keep: KeepText;
  /** The context was made anew: whoever remembers what is in it has to look again. */
  readonly onCompacted: () => void;
}

export interface KeeperOptions {
  readonly policy: CompactionPolicy;
  readonly log: SessionLog;
  readonly connection: ModelConnection;
  readonly prefix: readonly PrefixMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly cacheKey: string;
  readonly signal: AbortSignal;
  readonly emit: EmitEvent;
  readonly onUsage: (usage: Usage) => void;
}

/** `full`: there is no room, and none is made. */
export type Room = "free" | "full" | "aborted";

export interface RequestedCompaction {
  readonly outcome: "compacted" | "failed" | "aborted";
  /** Tokens of the next request, before and after. */
  readonly before: number;
  readonly after: number;
}

/** After a compaction that brought too little, the context may grow by this share before the next one is tried. */
const patience = 0.05;

export class ContextKeeper {
  readonly #options: KeeperOptions;
  readonly #fixed: number;
  /** Tokens below which no further compaction is tried. */
  #notBelow = 0;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#fixed = totalSize(options.prefix) + toolsSize(options.tools);
  }

  /** @effects may compact; a compaction that fails leaves the conversation as it was, and the run goes on */
  async beforeRequest(): Promise<Room> {
    const { policy, connection } = this.#options;
    const window = connection.contextWindow;
    if (window === undefined) return "free";
    const tokens = this.nextRequest();
    if (tokens < policy.compactAt * window) return "free";
    if (!policy.enabled) return "full";
    if (tokens < this.#notBelow) return "free";
    return (await this.#compact("threshold", window)) === "aborted" ? "aborted" : "free";
  }

  /** After the provider refused a request as too large. */
  async afterOverflow(): Promise<Room> {
    const { policy, connection } = this.#options;
    if (!policy.enabled) return "full";
    const tokens = this.nextRequest();
    // A window that is unknown, or larger than what was just refused, is no help.
    const outcome = await this.#compact("overflow", Math.min(connection.contextWindow ?? tokens, tokens));
    if (outcome === "failed") return "full";
    return outcome === "aborted" ? "aborted" : "free";
  }

  /** The user wants room now. @effects as of `beforeRequest` */
  async onRequest(): Promise<RequestedCompaction> {
    const before = this.nextRequest();
    const outcome = await this.#compact("request", this.#options.connection.contextWindow ?? 2 * before);
    return { outcome, before, after: this.nextRequest() };
  }

  /** Tokens of the next request: what the provider counted last, and an estimate of what came after. */
  nextRequest(): number {
    const { items, counted } = this.#options.log.conversation;
    const isFresh = counted !== undefined && counted.usage.inputTokens > 0;
    const known = isFresh ? counted.usage.inputTokens + counted.usage.outputTokens : this.#fixed;
    const later = items.slice(isFresh ? counted.items : 0);
    return later.reduce((sum, { message }) => sum + messageSize(message), known);
  }

  async #compact(trigger: CompactionTrigger, window: number): Promise<"compacted" | "failed" | "aborted"> {
    const { policy, log, connection, prefix, tools, cacheKey, signal, emit, onUsage } = this.#options;
    const before = this.nextRequest();
    emit({ type: "compaction.started", trigger, tokens: before });
    const result = await compact({
      conversation: log.conversation,
      prefix,
      tools,
      connection,
      cacheKey,
      trigger,
      window,
      carried: policy.carried(),
      keep: policy.keep,
      signal,
    });
    if (result.outcome === "aborted") return "aborted";
    // Told once it is kept: nobody hears of what could be lost.
    const tellUsage = () => result.usages.forEach(onUsage);
    if (result.outcome === "failed") {
      const { reason, usages } = result;
      const usage = usages.length === 0 ? {} : { usage: usages.reduce(addedUsage) };
      await log.append({ type: "compaction.failed", trigger, reason, ...usage });
      tellUsage();
      emit({ type: "compaction.failed", reason });
      this.#notBelow = before + patience * window;
      return "failed";
    }
    await log.append(result.record);
    await log.flush();
    tellUsage();
    policy.onCompacted();
    const after = this.nextRequest();
    this.#notBelow = after + patience * window;
    emit({ type: "compaction.finished", tokens: after });
    return "compacted";
  }
}
