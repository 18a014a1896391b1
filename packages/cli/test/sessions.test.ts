import { describe, expect, test } from "bun:test";
import { renderUndo } from "../src/render/index.ts";

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
