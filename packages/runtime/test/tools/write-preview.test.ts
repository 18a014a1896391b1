// The diff that a person is asked about.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { diffLines, preview } from "../../src/tools/diff/index.ts";

test("separate changes are separate hunks, near ones share one, and only what differs is marked", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
  const after = "1\ntwo\n3\nnew\n4\n5\n6\n7\n8\n9\n10\n12\n";
  expect(preview("a.txt", before, after)).toBe(
    [
      "--- a.txt",
      "+++ a.txt",
      "@@ -1,5 +1,6 @@",
      " 1",
      "-2",
      "+two",
      " 3",
      "+new",
      " 4",
      " 5",
      "@@ -9,4 +10,3 @@",
      " 9",
      " 10",
      "-11",
      " 12",
    ].join("\n"),
  );
});

test("a line that moves is one removed and one added line", () => {
  expect(diffLines(["x", "a", "b", "c"], ["a", "b", "c", "x"])).toEqual([
    { before: 0, beforeLength: 1, after: 0, afterLength: 0 },
    { before: 4, beforeLength: 0, after: 3, afterLength: 1 },
  ]);
});

test("a final newline that is added or lost shows", () => {
  expect(preview("a", "x\n", "x")).toBe("--- a\n+++ a\n@@ -1,1 +1,1 @@\n-x\n+x\n\\ no newline at the end");
});

test("a deleted file shows what is lost, with its name made harmless", () => {
  expect(preview("a\u001b", "x\r\n", undefined)).toBe('--- "a\\u001b"\n+++ (deleted)\n@@ -1,1 +0,0 @@\n-x');
});

test("between two large texts that differ throughout the whole middle is one edit, in bounded memory", () => {
  const lines = (prefix: string) =>
    Array.from({ length: 3000 }, (_, at) => (at === 1500 ? "shared" : `${prefix}${at}`));
  expect(diffLines(["first", ...lines("a")], ["first", ...lines("b")])).toEqual([
    { before: 1, beforeLength: 3000, after: 1, afterLength: 3000 },
  ]);
});

test("the edits between two texts turn the one into the other", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 20 });
  const property = fc.property(lines, lines, (before, after) => {
    const result: string[] = [];
    let at = 0;
    for (const edit of diffLines(before, after)) {
      result.push(
        ...before.slice(at, edit.before),
        ...after.slice(edit.after, edit.after + edit.afterLength),
      );
      at = edit.before + edit.beforeLength;
    }
    expect([...result, ...before.slice(at)]).toEqual(after);
  });
  fc.assert(property, { numRuns: 500 });
});
