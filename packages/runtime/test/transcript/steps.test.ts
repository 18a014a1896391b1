import { describe, expect, test } from "bun:test";
import type { TranscriptEntry } from "@codelia/protocol";
import type { TranscriptStep } from "../../src/transcript/steps.ts";
import { stepWriter } from "../../src/transcript/writer.ts";

describe("the steps of a transcript", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const answer = (seq: number, ...ids: string[]): TranscriptEntry => ({
    seq,
    at,
    type: "answer",
    text: "",
    reasoning: "",
    calls: ids.map((id) => ({ call_id: id, tool: "bash", arguments: id })),
    interrupted: false,
  });
  const tool = (seq: number, id: string, output: string, isError = false): TranscriptEntry => ({
    seq,
    at,
    type: "tool",
    call_id: id,
    tool: "bash",
    output,
    is_error: isError,
  });

  function outcomes(entries: readonly TranscriptEntry[]): string[] {
    const seen: string[] = [];
    const told = (step: TranscriptStep) => {
      if (step.kind === "call") seen.push(`${step.arguments}: ${step.outcome} ${step.title} ${step.output}`);
      return "";
    };
    const writer = stepWriter({ begin: () => "", step: told, end: () => "" });
    for (const entry of entries) writer.add(entry);
    writer.end([]);
    return seen;
  }

  test("join a call with what was decided, begun and answered, in the order of the results", () => {
    const entries: TranscriptEntry[] = [
      answer(1, "a", "b", "c"),
      { seq: 2, at, type: "permission", call_id: "a", decision: "deny", by: "user", reason: "no" },
      { seq: 3, at, type: "permission", call_id: "b", decision: "allow", by: "user", reason: "" },
      { seq: 4, at, type: "call", call_id: "b", tool: "bash", title: "run b" },
      tool(5, "a", "denied", true),
      tool(6, "b", "oh", true),
      tool(7, "c", "fine"),
    ];
    expect(outcomes(entries)).toEqual([
      "a: denied undefined denied",
      "b: failed run b oh",
      "c: done undefined fine",
    ]);
  });

  test("tell a call without a result, and do not mix it up with a later one of the same id", () => {
    expect(outcomes([answer(1, "a"), answer(2, "a"), tool(3, "a", "second"), answer(4, "z")])).toEqual([
      "a: open undefined ",
      "a: done undefined second",
      "z: open undefined ",
    ]);
  });
});
