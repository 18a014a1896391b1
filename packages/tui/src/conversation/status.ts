// The status line: model, tokens, share of them that came from the cache, cost, and what runs without a question.
import { visibleName } from "@codelia/shared-types";
import { fitted, type Style, visibleWidth } from "../screen/index.ts";
import type { Conversation, Totals } from "./conversation.ts";

/** `12.3k`, so that the line stays where it is. */
export function shortCount(count: number): string {
  if (count < 1000) return `${count}`;
  if (count < 1_000_000) return `${(count / 1000).toFixed(1)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

export function cacheShare({ usage }: Totals): number {
  return usage.input_tokens === 0 ? 0 : Math.round((usage.cached_input_tokens / usage.input_tokens) * 100);
}

export function costText({ costUsd }: Totals): string {
  return costUsd === undefined ? "cost unknown" : `$${costUsd.toFixed(4)}`;
}

export function statusLine(conversation: Conversation, width: number, style: Style, right: string): string {
  const { totals, approval, shownModel } = conversation;
  const { input_tokens: input, output_tokens: output } = totals.usage;
  const figures = [
    `${shortCount(input)} in`,
    `${cacheShare(totals)}% cached`,
    `${shortCount(output)} out`,
    costText(totals),
    ...(approval === "ask" ? [] : [approval]),
  ].join(" · ");
  const end = right === "" ? "" : `  ${right}`;
  // A long name gives way to the figures.
  const model = fitted(
    visibleName(shownModel ?? "no model yet"),
    Math.max(8, width - visibleWidth(figures) - visibleWidth(end) - 3),
  );
  // What the keys do now is never cut off.
  const left = fitted(`${model} · ${figures}`, width - visibleWidth(end));
  const space = Math.max(0, width - visibleWidth(left) - visibleWidth(end));
  return style.dim(fitted(`${left}${" ".repeat(space)}${end}`, width));
}
