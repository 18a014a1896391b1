// Which part of a conversation stays as it is. Pure.
import type { ConversationItem } from "../session/index.ts";
import { messageSize } from "./size.ts";
import { canBeTrimmed } from "./trim.ts";

export interface CompactionPlan {
  /** Left out, and summed up. Never a compaction of before: that is carried on in its parts. */
  readonly dropped: readonly ConversationItem[];
  /** Stays, whole groups only: an answer with the results of its calls. */
  readonly kept: readonly ConversationItem[];
  /** The last group alone is larger than the budget: its outputs have to be shortened. */
  readonly isTight: boolean;
}

/**
 * @input  budget: tokens that the kept part may take
 * @output as many of the last groups as fit, at least the last one; undefined: there is nothing to leave out
 */
export function planCompaction(
  items: readonly ConversationItem[],
  budget: number,
): CompactionPlan | undefined {
  const present = items.filter(({ origin }) => origin !== "compaction");
  const starts = present.flatMap(({ origin }, index) => (origin === "tool" ? [] : [index])).toReversed();
  let keptFrom = starts[0] ?? present.length;
  let size = sizeOf(present.slice(keptFrom));
  const isTight = size > budget;
  for (const start of starts.slice(1)) {
    size += sizeOf(present.slice(start, keptFrom));
    if (size > budget) break;
    keptFrom = start;
  }
  const kept = present.slice(keptFrom);
  if (keptFrom === 0 && !(isTight && kept.some(canBeTrimmed))) return undefined;
  return { dropped: present.slice(0, keptFrom), kept, isTight };
}

function sizeOf(items: readonly ConversationItem[]): number {
  return items.reduce((sum, { message }) => sum + messageSize(message), 0);
}
