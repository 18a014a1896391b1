// The scripted model: a connection that plays a script, the same parts for the same requests every time.
import type { ModelConnection, ModelRequest, StreamPart } from "@codelia/shared-types";
import { answerParts, fillTurn } from "./answer.ts";
import { lastToolOutput, mismatch } from "./expectation.ts";
import { abortedFailure, failureOf } from "./failure.ts";
import { pause, type Sleep } from "./pause.ts";
import { type CacheRules, PromptCache, providerCacheRules } from "./prompt-cache.ts";
import { requestBytes } from "./request-bytes.ts";
import type { Script } from "./schema.ts";
import { type TakenTurn, turnSource } from "./turns.ts";

export interface ScriptedModelOptions {
  readonly sleep: Sleep;
  /** As providers have it, when absent. */
  readonly cache?: CacheRules;
}

/**
 * Turns: a request takes the next one when it begins; requests at the same time get turns in the order they began.
 * The turn stays taken when it was played to its end, an error included. A request that was aborted, given up or
 * refused gives it back, unless a later one has begun. Conversations: the turn follows from the request itself.
 *
 * @effects waits through `sleep`, nothing else
 * @error   none: every failure is a part, as the connection contract says
 */
export function createScriptedModel(script: Script, options: ScriptedModelOptions): ModelConnection {
  const cache = new PromptCache(options.cache ?? providerCacheRules);
  const source = turnSource(script);

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamPart, void> {
    const taken = source.take(request);
    if (typeof taken === "string") {
      yield failureOf("InvalidRequest", taken);
      return;
    }
    let isPlayed = false;
    try {
      if (!signal.aborted) {
        const answer = answerTo(taken, request, cache);
        if (!answer.ok) {
          taken.giveBack();
          yield failureOf("InvalidRequest", answer.problem);
          return;
        }
        if (await pause(options.sleep, answer.delayMs, signal)) {
          for (const part of answer.parts) {
            if (signal.aborted) break;
            // Before the yield: a reader that has the last part need not come back.
            isPlayed = part.type === "finish" || part.type === "failure";
            if (isPlayed) taken.played();
            yield part;
          }
        }
      }
      if (isPlayed) return;
      taken.giveBack();
      yield abortedFailure();
    } finally {
      taken.giveBack();
    }
  }

  return { id: `scripted/${script.name}`, contextWindow: script.contextWindow, stream };
}

type TurnAnswer =
  | { readonly ok: true; readonly delayMs: number; readonly parts: Iterable<StreamPart> }
  | { readonly ok: false; readonly problem: string };

function answerTo({ turn, number, place }: TakenTurn, request: ModelRequest, cache: PromptCache): TurnAnswer {
  const refuse = (problem: string): TurnAnswer => ({ ok: false, problem: `${place}: ${problem}` });
  try {
    const input = cache.count(requestBytes(request));
    if (turn === undefined) return refuse("there is no such turn; add it, or set after_last");
    const unmet = mismatch(turn.expect ?? {}, request);
    if (unmet !== undefined) return refuse(unmet);
    const answer = fillTurn(turn, number, lastToolOutput(request));
    return { ok: true, delayMs: turn.delay_ms ?? 0, parts: answerParts(turn, number, answer, input) };
  } catch (error) {
    // A template without its value, or a request that is no JSON.
    return refuse(error instanceof Error ? error.message : String(error));
  }
}
