import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { droppedImagePath } from "../src/composer/attachments.ts";
import { PromptHistory } from "../src/composer/history.ts";
import { TextBuffer } from "../src/composer/index.ts";
import { layOut } from "../src/composer/layout.ts";
import { visibleWidth } from "../src/screen/index.ts";

describe("a text buffer", () => {
  test("never cuts a character that is made of several", () => {
    const buffer = new TextBuffer();
    buffer.insert("a👨‍👩‍👧é日");
    buffer.delete("left");
    buffer.delete("left");
    buffer.move("left");
    buffer.insert("|");
    expect(buffer.text).toBe("a|👨‍👩‍👧");
  });

  test("deletes words and lines, puts back what was deleted, and undoes", () => {
    const buffer = new TextBuffer();
    buffer.insert("one two-three");
    buffer.delete("word_left");
    expect(buffer.text).toBe("one two-");
    buffer.yank();
    expect(buffer.text).toBe("one two-three");
    buffer.delete("line_start");
    expect(buffer.text).toBe("");
    buffer.undo();
    expect(buffer.text).toBe("one two-three");
  });

  test("moves up and down by lines, and says when there is none", () => {
    const buffer = new TextBuffer();
    buffer.set("long line\nab\nlong line");
    const places = [buffer.moveVertically(-1), buffer.cursor, buffer.moveVertically(-1), buffer.cursor];
    expect([...places, buffer.moveVertically(-1)]).toEqual([true, 12, true, 2, false]);
  });
});

test("rows fit the width, hold the whole text, and the cursor is among them", () => {
  const piece = fc.constantFrom("a", " ", "日", "👍", "\n", "word", "\u001b", "x".repeat(30));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 6, max: 30 }), (pieces, width) => {
      const text = pieces.join("");
      const { rows, cursor } = layOut(text, text.length, width);
      expect(rows.filter((row) => visibleWidth(row) > width)).toEqual([]);
      expect(rows.join("")).toBe(text.replaceAll("\n", "").replaceAll("\u001b", "\\u001b"));
      expect(cursor.row).toBe(rows.length - 1);
      expect(cursor.column).toBeLessThan(width);
    }),
  );
});

test("the history goes back and forth, keeps the draft, and leaves out what repeats", () => {
  const history = new PromptHistory();
  history.add("second");
  history.add("second");
  history.load(["first"]);
  const steps = [history.previous("draft"), history.previous("second"), history.previous("first")];
  expect([...steps, history.next(), history.next(), history.next()]).toEqual([
    "second",
    "first",
    undefined,
    "second",
    "draft",
    undefined,
  ]);
});

test.each([
  ["/tmp/my\\ shot.png", "/tmp/my shot.png"],
  ["'/tmp/a b.JPG' ", "/tmp/a b.JPG"],
  ["file:///tmp/a.webp", "/tmp/a.webp"],
  ["see /tmp/a.txt", undefined],
  ["/tmp/a.png\n/tmp/b.png", undefined],
])("the paste %j is the image %j", (paste, path) => {
  expect(droppedImagePath(paste)).toBe(path);
});
