import { expect, test } from "bun:test";
import { BoundedOutput, type FinishedOutput } from "@codelia/core";
import fc from "fast-check";

async function pass(chunks: readonly Uint8Array[], limits: { maxBytes: number; maxLines: number }) {
  const stored: Uint8Array[] = [];
  const output = new BoundedOutput(
    {
      open: () =>
        Promise.resolve({
          write: async (chunk) => void stored.push(chunk.slice()),
          finish: () => Promise.resolve("REF"),
        }),
    },
    limits,
  );
  for (const chunk of chunks) await output.write(chunk);
  return { finished: await output.finish(), stored: Buffer.concat(stored) };
}

const note =
  /^\[(\d+) of (\d+) bytes left out here\. The whole: tool_output_read or tool_output_search with ref REF\]\n/m;

function check(
  whole: Buffer,
  { text, ref, totalBytes }: FinishedOutput,
  limits: { maxBytes: number; maxLines: number },
): void {
  expect(totalBytes).toBe(whole.length);
  const lineFeeds = whole.filter((byte) => byte === 0x0a).length;
  const fits = whole.length <= limits.maxBytes && lineFeeds <= limits.maxLines;
  expect(ref === undefined).toBe(fits);
  if (fits) {
    expect(text).toBe(whole.toString());
    return;
  }
  const match = note.exec(text);
  const head = text.slice(0, match?.index ?? 0);
  const tail = text.slice((match?.index ?? 0) + (match?.[0].length ?? 0));
  expect(
    whole
      .toString()
      .startsWith(head.endsWith("\n") && !whole.toString().startsWith(head) ? head.slice(0, -1) : head),
  ).toBe(true);
  expect(whole.toString().endsWith(tail)).toBe(true);
  expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeLessThanOrEqual(limits.maxBytes + 1);
  expect(tail.split("\n").length - 1).toBeLessThanOrEqual(Math.ceil(limits.maxLines / 2));
}

test("what fits is shown whole; what does not is shown from both ends, and kept whole elsewhere", async () => {
  const chunk = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(chunk, { maxLength: 30 }),
      fc.integer({ min: 2, max: 200 }),
      fc.integer({ min: 2, max: 30 }),
      async (texts, maxBytes, maxLines) => {
        const limits = { maxBytes, maxLines };
        const chunks = texts.map((text) => Buffer.from(text));
        const whole = Buffer.concat(chunks);
        const { finished, stored } = await pass(chunks, limits);
        check(whole, finished, limits);
        if (finished.ref !== undefined) expect(stored.equals(whole)).toBe(true);
      },
    ),
    { numRuns: 400 },
  );
});

test("a gigabyte passes through without being kept in memory", async () => {
  let bytes = 0;
  const output = new BoundedOutput({
    open: () =>
      Promise.resolve({
        write: async (chunk) => {
          bytes += chunk.length;
        },
        finish: () => Promise.resolve("REF"),
      }),
  });
  const chunk = Buffer.from(`${"x".repeat(99)}\n`.repeat(10_000));
  const before = process.memoryUsage().rss;
  for (let written = 0; written < 1024; written++) await output.write(chunk);
  const { text } = await output.finish();
  expect(bytes).toBe(chunk.length * 1024);
  expect(text.length).toBeLessThan(52 * 1024);
  // Far below what was read, far above what other tests leave behind in this process.
  expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
});
