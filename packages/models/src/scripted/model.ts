// The scripted model: a connection that plays a script, the same parts for the same requests every time.
import type { ModelConnection, ModelRequest, StreamPart } from "@codelia/shared-types";
import { answerParts, fillTurn } from "./answer.ts";
import { lastToolOutput, mismatch } from "./expectation.ts";
import { abortedFailure, failureOf } from "./failure.ts";
import { pause, type Sleep } from "./pause.ts";
import { type CacheRules, PromptCache, providerCacheRules } from "./prompt-cache.ts";
import { requestBytes } from "./request-bytes.ts";
import type { Script, ScriptTurn } from "./schema.ts";

export interface ScriptedModelOptions {
  readonly sleep: Sleep;
  /** As providers have it, when absent. */
  readonly cache?: CacheRules;
}

/**
 * A request takes the next turn when it begins; requests at the same time get turns in the order they began.
 * The turn stays taken when it was played to its end, an error included. A request that was aborted, given up or
 * refused gives it back, unless a later one has begun.
 *
 * @effects waits through `sleep`, nothing else
 * @error   none: every failure is a part, as the connection contract says
 */
export function createScriptedModel(script: Script, options: ScriptedModelOptions): ModelConnection {
  const cache = new PromptCache(options.cache ?? providerCacheRules);
  let taken = 0;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamPart, void> {
    const index = taken;
    taken += 1;
    let played = false;
    let held = true;
    // Once only: afterwards the turn may be another request's.
    const giveBack = () => {
      if (held && !played && taken === index + 1) taken = index;
      held = false;
    };
    try {
      if (!signal.aborted) {
        const answer = answerTo(script, index, request, cache);
        if (!answer.ok) {
          giveBack();
          yield failureOf("InvalidRequest", answer.problem);
          return;
        }
        if (await pause(options.sleep, answer.delayMs, signal)) {
          for (const part of answer.parts) {
            if (signal.aborted) break;
            // Before the yield: a reader that has the last part need not come back.
            played = part.type === "finish" || part.type === "failure";
            yield part;
          }
        }
      }
      if (played) return;
      giveBack();
      yield abortedFailure();
    } finally {
      giveBack();
    }
  }

  return { id: `scripted/${script.name}`, contextWindow: script.contextWindow, stream };
}

type TurnAnswer =
  | { readonly ok: true; readonly delayMs: number; readonly parts: Iterable<StreamPart> }
  | { readonly ok: false; readonly problem: string };

function answerTo(script: Script, index: number, request: ModelRequest, cache: PromptCache): TurnAnswer {
  const refuse = (problem: string): TurnAnswer => ({
    ok: false,
    problem: `turn ${index + 1} of the script ${script.name}: ${problem}`,
  });
  try {
    const input = cache.count(requestBytes(request));
    const turn = turnAt(script, index);
    if (turn === undefined) return refuse("there is no such turn; add it, or set after_last");
    const unmet = mismatch(turn.expect ?? {}, request);
    if (unmet !== undefined) return refuse(unmet);
    const answer = fillTurn(turn, index + 1, lastToolOutput(request));
    return { ok: true, delayMs: turn.delay_ms ?? 0, parts: answerParts(turn, index + 1, answer, input) };
  } catch (error) {
    // A template without its value, or a request that is no JSON.
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** The turn for the nth request, from 0; undefined when the script is used up. */
function turnAt({ turns, after_last = "error" }: Script, index: number): ScriptTurn | undefined {
  let end = 0;
  for (const turn of turns) {
    end += turn.repeat ?? 1;
    if (index < end) return turn;
  }
  switch (after_last) {
    case "stop":
      return {};
    case "repeat_last":
      return turns.at(-1);
    case "error":
      return undefined;
  }
}
