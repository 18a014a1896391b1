import { expect, test } from "bun:test";
import { LineWindow } from "../../src/tools/files/line-window.ts";

const limits = { offset: 1, maxLines: 10, maxBytes: 1000, maxLineLength: 100 };

/** As a file is read: every chunk comes in the same buffer. */
function linesOf(...chunks: readonly Uint8Array[]): string[] {
  const window = new LineWindow(limits);
  const buffer = new Uint8Array(100);
  for (const chunk of chunks) {
    buffer.set(chunk);
    window.push(buffer.subarray(0, chunk.length));
  }
  window.end();
  return window.lines;
}

test("a line is whole wherever the file is cut into chunks, also inside a character", () => {
  const content = new TextEncoder().encode("one\nzwölf 世界\nend");
  for (let cut = 0; cut <= content.length; cut++) {
    for (let next = cut; next <= content.length; next++) {
      const chunks = [content.subarray(0, cut), content.subarray(cut, next), content.subarray(next)];
      expect(linesOf(...chunks)).toEqual(["    1\tone\n", "    2\tzwölf 世界\n", "    3\tend\n"]);
    }
  }
});

test("a line of invalid bytes does not change how the next one is read", () => {
  const content = new Uint8Array([0xc3, 0x0a, 0xa4, 0x0a, 0xc3, 0xa4, 0x0a]);
  expect(linesOf(content)).toEqual(["    1\t\ufffd\n", "    2\t\ufffd\n", "    3\tä\n"]);
});
