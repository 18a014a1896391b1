import { describe, expect, test } from "bun:test";
import type { TranscriptEntry } from "@codelia/protocol";
import { renderUndo, stepWriter } from "../src/render/index.ts";
import type { TranscriptStep } from "../src/render/transcript/steps.ts";

describe("codelia sessions undo", () => {
  const result = {
    id: "20260101T000000-aaaaaaaa",
    prompt: "change\nit",
    files: [
      { path: "/repo/a.txt", action: "restored" as const },
      { path: "/repo/new\u001b.txt", action: "removed" as const },
      { path: "/repo/same.txt", action: "unchanged" as const },
    ],
    commands: ["rm -rf build\n"],
    notices: ["The journal is damaged."],
  };

  test("tells what came back, what went, what stays and what else is to be known", () => {
    expect(
      renderUndo(result, { cwd: "/repo", dry_run: false }),
    ).toBe(`Undid in 20260101T000000-aaaaaaaa: change it
  restored              /repo/a.txt
  removed               "/repo/new\\u001b.txt"
  is already as it was  /repo/same.txt

What these commands changed is not known, and stays:
  rm -rf build

The journal is damaged.
`);
  });

  test("only says what would be done with --dry-run", () => {
    const files = result.files.slice(0, 2);
    const none = { ...result, files, commands: [], notices: [] };
    expect(
      renderUndo(none, { cwd: "/repo", dry_run: true }),
    ).toBe(`Would undo in 20260101T000000-aaaaaaaa: change it
  would be restored  /repo/a.txt
  would be removed   "/repo/new\\u001b.txt"
`);
  });

  test("says so when only commands ran", () => {
    const none = { ...result, files: [], notices: [] };
    expect(renderUndo(none, { cwd: "/repo", dry_run: false })).toContain(
      "\n  No file was changed by its tools.\n\nWhat these commands changed",
    );
  });
});

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
