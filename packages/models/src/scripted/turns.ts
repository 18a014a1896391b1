// Which turn of a script answers a request.
import type { ModelRequest } from "@codelia/shared-types";
import { containsAll, firstUserText } from "./expectation.ts";
import { quoted } from "./quoted.ts";
import type { Script, ScriptConversation, ScriptTurn } from "./schema.ts";

export interface TakenTurn {
  /** Undefined when the script is used up. */
  readonly turn: ScriptTurn | undefined;
  /** From 1, repetitions counted. */
  readonly number: number;
  /** For messages. */
  readonly place: string;
  /** It was sent to its end. */
  played(): void;
  /** It was not: the next request may have it. Safe to call again. */
  giveBack(): void;
}

export interface TurnSource {
  /** @output the turn, or in words why there is none */
  take(request: ModelRequest): TakenTurn | string;
}

interface Turns {
  readonly turns: readonly ScriptTurn[];
  readonly after_last?: Script["after_last"];
}

export function turnSource(script: Script): TurnSource {
  const { name, turns = [], after_last, conversations } = script;
  return conversations === undefined
    ? new TurnsInOrder(name, { turns, after_last })
    : new ConversationTurns(name, conversations);
}

/** One turn after the other. A turn that was not played goes back, unless a later one has been taken. */
class TurnsInOrder implements TurnSource {
  readonly #name: string;
  readonly #turns: Turns;
  #taken = 0;

  constructor(name: string, turns: Turns) {
    this.#name = name;
    this.#turns = turns;
  }

  take(): TakenTurn {
    const index = this.#taken;
    this.#taken += 1;
    // Once only: afterwards the turn may be another request's.
    let isHeld = true;
    return {
      turn: turnAt(this.#turns, index),
      number: index + 1,
      place: `turn ${index + 1} of the script ${this.#name}`,
      played: () => {
        isHeld = false;
      },
      giveBack: () => {
        if (isHeld && this.#taken === index + 1) this.#taken = index;
        isHeld = false;
      },
    };
  }
}

/**
 * A turn follows from the request alone: as many answers as it holds were given before. So sessions may be mixed, and
 * go on in another process. Errors leave no answer; how many came since the last one is kept for each session.
 */
class ConversationTurns implements TurnSource {
  readonly #name: string;
  readonly #conversations: readonly ScriptConversation[];
  readonly #errors = new Map<string, { readonly answers: number; readonly count: number }>();

  constructor(name: string, conversations: readonly ScriptConversation[]) {
    this.#name = name;
    this.#conversations = conversations;
  }

  take(request: ModelRequest): TakenTurn | string {
    const asked = firstUserText(request);
    const which = this.#conversations.findIndex(({ when }) => containsAll(asked, when.first_user_contains));
    const conversation = this.#conversations[which];
    if (conversation === undefined)
      return `the script ${this.#name}: no conversation fits; it begins with ${quoted(asked)}`;
    const answers = request.messages.filter(({ role }) => role === "assistant").length;
    const session = request.cacheKey ?? asked;
    const known = this.#errors.get(session);
    const count = known?.answers === answers ? known.count : 0;
    const index = indexAfter(conversation, answers) + count;
    const turn = turnAt(conversation, index);
    return {
      turn,
      number: index + 1,
      place: `turn ${index + 1} of conversation ${which + 1} of the script ${this.#name}`,
      played: () => {
        if (turn?.error !== undefined) this.#errors.set(session, { answers, count: count + 1 });
      },
      giveBack: () => undefined,
    };
  }
}

/** The first index that so many answers came before. */
function indexAfter({ turns }: Turns, answers: number): number {
  let index = 0;
  let left = answers;
  for (const { error, repeat = 1 } of turns) {
    if (left === 0) return index;
    if (error !== undefined) {
      index += repeat;
      continue;
    }
    const played = Math.min(left, repeat);
    index += played;
    left -= played;
  }
  return index + left;
}

/** The turn for the nth request, from 0; undefined when there are no more. */
function turnAt({ turns, after_last = "error" }: Turns, index: number): ScriptTurn | undefined {
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
