import { expect, test } from "bun:test";
import fc from "fast-check";
import { exceedsBounds } from "../src/wire/json-bounds.ts";
import { LineReader } from "../src/wire/lines.ts";

function read(maxBytes: number, chunks: readonly Uint8Array[]): string[] {
  const reader = new LineReader(maxBytes);
  const seen: string[] = [];
  for (const lines of [...chunks.map((chunk) => reader.push(chunk)), reader.end()]) {
    for (const line of lines)
      seen.push(line.kind === "line" ? new TextDecoder().decode(line.bytes) : "TOO LONG");
  }
  return seen;
}

test("lines are the same however the bytes are cut into chunks, and those over the limit are told once", () => {
  const limit = 8;
  const text = fc.array(fc.constantFrom("a", "b", "é", "\n", "cccc"), { maxLength: 60 });
  fc.assert(
    fc.property(
      text,
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 80 }),
      (parts, sizes) => {
        const bytes = new TextEncoder().encode(parts.join(""));
        const chunks: Uint8Array[] = [];
        for (let at = 0, index = 0; at < bytes.length; index += 1) {
          const size = sizes[index % sizes.length] ?? 1;
          chunks.push(bytes.slice(at, at + size));
          at += size;
        }
        const lines = parts.join("").split("\n");
        const last = lines.pop() ?? "";
        const expected = [...lines, ...(last === "" ? [] : [last])].map((line) =>
          new TextEncoder().encode(line).length > limit ? "TOO LONG" : line,
        );
        expect(read(limit, chunks)).toEqual(expected);
      },
    ),
  );
});

test("a line that is too long is told before it ends, and nothing of it is kept", () => {
  const reader = new LineReader(10);
  const chunk = new TextEncoder().encode("x".repeat(8));
  expect([...reader.push(chunk)]).toEqual([]);
  expect([...reader.push(chunk)]).toEqual([{ kind: "too_long" }]);
  expect([...reader.push(chunk)]).toEqual([]);
  expect([...reader.push(new TextEncoder().encode("\nok\n"))]).toEqual([
    { kind: "line", bytes: new TextEncoder().encode("ok") },
  ]);
});

test("depth and values are counted outside of texts only", () => {
  const exceeds = (json: string) => exceedsBounds(new TextEncoder().encode(json), 3, 7);
  expect([
    exceeds("[[[1]]]"),
    exceeds("[[[[1]]]]"),
    exceeds('["[[[[[[", "a\\"[[[[[", ",,,,,,,,,,,"]'),
    exceeds("[1,2,3,4,5]"),
    exceeds("[1,2,3,4,5,6,7]"),
    exceeds("[{},{},{}]"),
    exceeds("[{},{},{},{}]"),
    exceeds("[[],[[]]]"),
  ]).toEqual([false, true, false, false, true, false, true, false]);
});
