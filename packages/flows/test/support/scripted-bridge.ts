// A model for tests: answers by a function of the query, counts what it is asked, hangs when told to.
import { asAgentError, type QueryOptions, type SdkBridge } from "@codelia/flows";
import type { QueryResult } from "@codelia/shared-types";
import type { TestClock } from "./test-clock.ts";

export interface Asked {
  readonly prompt: string;
  readonly step: string;
  readonly session: string | undefined;
  readonly tools: readonly string[] | undefined;
}

/** Answers only by being ended. */
export const hang = Symbol("hang");

export type Answer = string | Error | typeof hang | Partial<QueryResult>;

export class ScriptedBridge implements SdkBridge {
  readonly asked: Asked[] = [];
  readonly #answer: (asked: Asked, count: number) => Answer | Promise<Answer>;
  readonly #clock: TestClock;
  #sessions = 0;

  constructor(answer: (asked: Asked, count: number) => Answer | Promise<Answer>, clock: TestClock) {
    this.#answer = answer;
    this.#clock = clock;
  }

  async query(prompt: string, { step, session, tools, signal }: QueryOptions): Promise<QueryResult> {
    const asked = { prompt, step, session, tools };
    this.asked.push(asked);
    const answer = await this.#answer(asked, this.asked.length);
    this.#clock.pass(10);
    if (answer instanceof Error) throw answer;
    if (answer === hang) return await never(signal);
    const given = typeof answer === "string" ? { text: answer } : answer;
    this.#sessions += session === undefined ? 1 : 0;
    return {
      text: "",
      session: session ?? `session-${this.#sessions}`,
      usage: { inputTokens: 10, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 5 },
      costUsd: 0.25,
      ...given,
    };
  }
}

function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(asAgentError(signal.reason));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

/** A response that holds this output. */
export function json(output: unknown): string {
  return `Done.\n\n\`\`\`json\n${JSON.stringify(output)}\n\`\`\`\n`;
}
