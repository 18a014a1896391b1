import { describe, expect, test } from "bun:test";
import { type Blobs, openBlobs } from "@codelia/storage";
import fc from "fast-check";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { createOutputReadTool, createOutputSearchTool } from "../../src/tools/tool-output.ts";
import { failure, runTool } from "./tool-run.ts";

interface Kept extends Disposable {
  readonly blobs: Blobs;
  readonly ref: string;
  read(args?: object): Promise<string>;
  search(pattern: string, args?: object): Promise<string>;
}

async function kept(content: string | Uint8Array): Promise<Kept> {
  const tree = new TemporaryTree({});
  const blobs = openBlobs(tree.at("blobs"));
  const ref = await blobs.put(typeof content === "string" ? new TextEncoder().encode(content) : content);
  return {
    blobs,
    ref,
    read: (args = {}) => runTool(createOutputReadTool(blobs), { ref, ...args }),
    search: (pattern, args = {}) => runTool(createOutputSearchTool(blobs), { ref, pattern, ...args }),
    [Symbol.dispose]: () => tree[Symbol.dispose](),
  };
}

describe("tool_output_read", () => {
  test("shows lines with their numbers, and where to go on", async () => {
    using output = await kept("one\ntwo\nthree\nfour\n");
    expect(await output.read()).toBe("    1\tone\n    2\ttwo\n    3\tthree\n    4\tfour\n");
    expect(await output.read({ offset: 2, limit: 2 })).toBe(
      "    2\ttwo\n    3\tthree\n[1 line of 4 follow: go on with offset 4]\n",
    );
    expect(await output.read({ offset: 4 })).toBe("    4\tfour\n");
  });

  test("says when the offset is past the end, and shows an empty output as such", async () => {
    using output = await kept("one\ntwo");
    using empty = await kept("");
    expect([await failure(output.read({ offset: 3 })), await output.read({ offset: 2 })]).toEqual([
      "The output has only 2 lines: use a smaller offset.",
      "    2\ttwo\n",
    ]);
    expect(await empty.read()).toBe("");
  });

  test("gives a long output in parts that together are all of it", async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index + 1} ${"ü".repeat(index % 40)}`);
    using output = await kept(lines.join("\r\n"));
    const seen: string[] = [];
    for (let offset = 1; ; ) {
      const shown = (await output.read({ offset })).split("\n");
      expect(Buffer.byteLength(shown.join("\n"))).toBeLessThan(50 * 1024);
      seen.push(...shown.flatMap((line) => /^ *\d+\t(.*)$/.exec(line)?.[1] ?? []));
      const next = /go on with offset (\d+)/.exec(shown.at(-2) ?? "")?.[1];
      if (next === undefined) break;
      offset = Number(next);
    }
    expect(seen).toEqual(lines);
  });

  test("shows every character of a line that is too long, part by part", async () => {
    using output = await kept(`short\n${"a".repeat(1999)}😀${"b".repeat(300_000)}END\nlast\n`);
    const first = await output.read({ limit: 3 });
    expect(first.split("\n")).toEqual([
      "    1\tshort",
      `    2\t${"a".repeat(1999)}`,
      `    3\t😀${"b".repeat(1998)}`,
      "[lines over 2000 characters come in parts, each counted as a line]",
      "[151 lines of 154 follow: go on with offset 4]",
      "",
    ]);
    expect((await output.read({ offset: 153 })).split("\n").slice(0, 2)).toEqual([
      `  153\t${"b".repeat(2)}END`,
      "  154\tlast",
    ]);
  });

  test("any text comes back as it was, whatever its lines and wherever it is read from", async () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 30 }),
      fc.nat(9000).map((length) => "é".repeat(length)),
      fc.constantFrom("\n", "\r\n", "\n\n"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
        const text = pieces.join("").replaceAll(/\r(?!\n)|\ufeff/g, "");
        using output = await kept(text);
        let shown = "";
        for (let offset = 1; ; ) {
          const part = await output.read({ offset, limit: 7 });
          shown += part
            .split("\n")
            .flatMap((line) => /^ *\d+\t(.*)$/su.exec(line)?.[1] ?? [])
            .join("");
          const next = /go on with offset (\d+)\]\n$/.exec(part)?.[1];
          if (next === undefined) break;
          offset = Number(next);
        }
        expect(shown).toBe(text.replaceAll(/\r?\n/g, ""));
      }),
      { numRuns: 30 },
    );
  });
});

describe("tool_output_search", () => {
  test("finds lines by a regex, with their numbers", async () => {
    using output = await kept("one\r\nTwo\r\nthree\r\n");
    expect(await output.search("^t")).toBe("output:3:three\n");
    expect(await output.search("o$", { ignore_case: true })).toBe("output:2:Two\n");
    expect(await output.search("t", { ignore_case: true, max: 1 })).toBe(
      "output:2:Two\n[1 matches shown, there are more: narrow path, glob or pattern, or raise max]\n",
    );
    expect(await output.search("four")).toBe("No matches.\n");
  });

  test("finds what stands far behind in a long line, and where two parts of it meet", async () => {
    using output = await kept(`${"x".repeat(1998)}NEEDLE${"y".repeat(200_000)}THREAD\nNEEDLE\n`);
    const numbers = async (pattern: string) =>
      (await output.search(pattern)).split("\n").flatMap((line) => /^output:(\d+):/.exec(line)?.[1] ?? []);
    expect([
      await numbers("NEEDLE"),
      await numbers("THREAD"),
      await numbers("xN"),
      await numbers("z"),
    ]).toEqual([["1", "2", "103"], ["102"], ["1"], []]);
  });

  test("explains a pattern that is none", async () => {
    using output = await kept("one\n");
    for (const pattern of ["(", "[a", "a{2,1}", "*"]) {
      expect(await failure(output.search(pattern)), pattern).toMatch(/^(?!not a ToolError)(?!no failure)./);
    }
  });
});

describe("a ref", () => {
  test.each([
    "../../x",
    "..",
    "/etc/passwd",
    "",
    "0123456789abcdef0123456789abcdef",
    "0123456789ABCDEF0123456789ABCDEF",
    "0123456789abcdef0123456789abcdef\n",
    "x\u001b[31m",
  ])("that names no output is refused: %j", async (ref) => {
    using output = await kept("one\n");
    const told = await failure(output.read({ ref }));
    expect([told, await failure(output.search("o", { ref }))]).toEqual([told, told]);
    expect(told).toMatch(
      /^There is no output with ref .*\. Use a ref as a result of this session named it\.$/,
    );
    expect(told).not.toContain("\u001b");
  });
});

test("an output of 300 MB is read and searched in parts", async () => {
  using tree = new TemporaryTree({});
  const blobs = openBlobs(tree.at("blobs"));
  const writer = await blobs.create();
  const megabyte = Buffer.from(`${"0123456789".repeat(102)}abc\n`.repeat(1024));
  for (let count = 0; count < 300; count++) await writer.write(megabyte);
  await writer.write(Buffer.from("the last words\n"));
  const ref = await writer.finish();
  const line = `${"0123456789".repeat(102)}abc`;
  expect(await runTool(createOutputReadTool(blobs), { ref, offset: 300_000, limit: 1 })).toBe(
    `300000\t${line}\n[7201 lines of 307201 follow: go on with offset 300001]\n`,
  );
  expect(await runTool(createOutputSearchTool(blobs), { ref, pattern: "^the last" })).toBe(
    "output:307201:the last words\n",
  );
  // Not a limit on the tool: a disk may be slow.
}, 600_000);
