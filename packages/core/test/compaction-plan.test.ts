import { describe, expect, test } from "bun:test";
import { Conversation, type ConversationItem, planCompaction } from "@codelia/core";
import type { SessionRecord } from "@codelia/shared-types";
import fc from "fast-check";
import { trimOutputs } from "../src/compaction/trim.ts";
import { answer, compaction, entriesOf, reminder, result, user } from "./session-records.ts";

function items(...records: readonly SessionRecord[]): readonly ConversationItem[] {
  return new Conversation(entriesOf(records)).items;
}

/** Its size is this many tokens, more or less ten. */
function text(tokens: number): string {
  return "x".repeat(tokens * 4);
}

function plan(records: readonly SessionRecord[], budget: number): unknown {
  const planned = planCompaction(items(...records), budget);
  if (planned === undefined) return undefined;
  const { dropped, kept, isTight } = planned;
  return { dropped: dropped.map(({ seq }) => seq), kept: kept.map(({ seq }) => seq), isTight };
}

describe("a plan", () => {
  const records = [
    user(text(100)),
    answer("", "a"),
    result("a", text(100)),
    answer("", "b", "c"),
    result("b", text(100)),
    result("c", text(100)),
    user(text(100)),
  ];

  test("keeps as many of the last groups as the budget holds, calls with their results", () => {
    expect(plan(records, 150)).toEqual({ dropped: [1, 2, 3, 4, 5, 6], kept: [7], isTight: false });
    expect(plan(records, 300)).toEqual({ dropped: [1, 2, 3, 4, 5, 6], kept: [7], isTight: false });
    expect(plan(records, 380)).toEqual({ dropped: [1, 2, 3], kept: [4, 5, 6, 7], isTight: false });
    expect(plan(records, 520)).toEqual({ dropped: [1], kept: [2, 3, 4, 5, 6, 7], isTight: false });
  });

  test("is none when everything fits, or nothing is there", () => {
    expect(plan(records, 1000)).toBeUndefined();
    expect(plan([], 1000)).toBeUndefined();
    expect(plan([], 0)).toBeUndefined();
  });

  test("keeps the last group even when it is too large, and says so", () => {
    expect(plan([user("x"), answer("", "a"), result("a", text(1000))], 100)).toEqual({
      dropped: [1],
      kept: [2, 3],
      isTight: true,
    });
    expect(plan([answer("", "a"), result("a", text(1000))], 100)).toEqual({
      dropped: [],
      kept: [1, 2],
      isTight: true,
    });
  });

  test("is none when the only group is too large and nothing of it can be shortened", () => {
    expect(plan([user(text(1000))], 100)).toBeUndefined();
    expect(plan([answer("", "a"), result("a", text(200))], 100)).toBeUndefined();
  });

  test("leaves a compaction of before alone: it is carried on in its parts", () => {
    expect(plan([...records, compaction(7)], 150)).toBeUndefined();
    expect(plan([...records, compaction(7), answer(text(100))], 150)).toEqual({
      dropped: [7],
      kept: [9],
      isTight: false,
    });
  });
});

const group = fc.oneof(
  fc.nat(400).map((tokens) => ({ kind: "user" as const, sizes: [tokens] })),
  fc.nat(50).map((tokens) => ({ kind: "reminder" as const, sizes: [tokens] })),
  fc.array(fc.nat(400), { maxLength: 4 }).map((sizes) => ({ kind: "answer" as const, sizes })),
);

function recordsOf(groups: readonly (typeof group extends fc.Arbitrary<infer T> ? T : never)[]) {
  return groups.flatMap(({ kind, sizes }, index): SessionRecord[] => {
    const [size = 0] = sizes;
    if (kind === "user") return [user(text(size))];
    if (kind === "reminder") return [reminder(text(size))];
    const ids = sizes.map((_, call) => `${index}-${call}`);
    return [answer("", ...ids), ...ids.map((id, call) => result(id, text(sizes[call] ?? 0)))];
  });
}

test("a plan parts the conversation in two at a group, and the kept part is the longest that fits", () => {
  fc.assert(
    fc.property(fc.array(group, { maxLength: 12 }), fc.nat(2000), (groups, budget) => {
      const all = items(...recordsOf(groups));
      const planned = planCompaction(all, budget);
      if (planned === undefined) return;
      const { dropped, kept, isTight } = planned;
      expect([...dropped, ...kept]).toEqual([...all]);
      expect(kept[0]?.origin).not.toBe("tool");
      const lastGroup = all.findLastIndex(({ origin }) => origin !== "tool");
      expect(kept.length).toBeGreaterThanOrEqual(all.length - lastGroup);
      if (isTight) expect(kept.length).toBe(all.length - lastGroup);
      if (isTight) return;
      expect(planCompaction(kept, budget)).toBeUndefined();
      const before = dropped.findLastIndex(({ origin }) => origin !== "tool");
      // One group more would not have fitted.
      expect(planCompaction(all.slice(before), budget)?.kept).toEqual(kept);
    }),
    { numRuns: 300 },
  );
});

test("images count as what they take, and leave with the output of their call where room is tight", async () => {
  const images = Array.from({ length: 3 }, (_, at) => ({
    type: "image" as const,
    mediaType: "image/png",
    data: "AAAA",
    label: `${at}.png`,
  }));
  const shown = result("a", "shown below");
  const showing = { ...shown, message: { ...shown.message, images } };
  const records = [user("x"), answer("", "a"), showing];
  expect(plan(records, 4000)).toEqual({ dropped: [1], kept: [2, 3], isTight: true });
  const trimmed = await trimOutputs(items(...records), () => Promise.resolve("ref-1"));
  const left = new Conversation(entriesOf([...records, compaction(2, { trimmed })])).messages.at(-1);
  expect(left).toEqual({
    ...shown.message,
    output: [
      "shown below",
      '<system-reminder type="tool.output.trimmed">',
      "This output was shortened to make room: 11 of 11 characters are left. The whole: tool_output_read or tool_output_search with ref ref-1. Its 3 images were left out.",
      "</system-reminder>",
    ].join("\n"),
  });
});
