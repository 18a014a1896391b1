import { describe, expect, test } from "bun:test";
import { Terminal } from "@xterm/headless";
import fc from "fast-check";
import { Screen } from "../src/screen/index.ts";

/** A screen, and the terminal that shows what it writes. */
class Scene {
  readonly #emulator: Terminal;
  readonly screen: Screen;
  readonly writes: string[] = [];

  constructor(columns = 20, rows = 6) {
    this.#emulator = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
    this.screen = new Screen({ columns, rows, write: (text) => void this.writes.push(text) });
  }

  async lines(): Promise<string[]> {
    await new Promise<void>((done) => this.#emulator.write(this.writes.join(""), done));
    this.writes.length = 0;
    const { active } = this.#emulator.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? "",
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  }

  get cursor(): [row: number, column: number] {
    const { cursorX, cursorY, baseY } = this.#emulator.buffer.active;
    return [baseY + cursorY, cursorX];
  }
}

describe("a screen", () => {
  test("writes finished lines once, and below them the live part with its cursor", async () => {
    const scene = new Scene();
    scene.screen.print(["one", "two"]);
    scene.screen.draw({ lines: ["live", "> x"], cursor: { row: 1, column: 3 } });
    expect([await scene.lines(), scene.cursor]).toEqual([
      ["one", "two", "live", "> x"],
      [3, 3],
    ]);
    scene.screen.print(["three"]);
    scene.screen.draw({ lines: ["> xy"], cursor: { row: 0, column: 4 } });
    expect([await scene.lines(), scene.cursor]).toEqual([
      ["one", "two", "three", "> xy"],
      [3, 4],
    ]);
  });

  test("breaks finished lines that are wider than the terminal, which may have become narrower since: nothing is cut off", async () => {
    const scene = new Scene(10);
    scene.screen.print(["  one two \u001b[1mthree four\u001b[22m five", "日本語日本語", "short"]);
    scene.screen.draw({ lines: ["a live line that is cut"] });
    expect(await scene.lines()).toEqual([
      "  one two",
      "three four",
      " five",
      "日本語日本",
      "語",
      "short",
      "a live li…",
    ]);
  });

  test("writes only the lines that changed, and nothing when none did", () => {
    const scene = new Scene();
    const frame = (text: string) => ({ lines: ["first", text, "last"], cursor: { row: 1, column: 0 } });
    scene.screen.draw(frame("a"));
    scene.writes.length = 0;
    scene.screen.draw(frame("a"));
    expect(scene.writes).toEqual([]);
    scene.screen.draw(frame("b"));
    expect(scene.writes).toEqual(["\u001b[?2026h\u001b[?25l\rb\u001b[K\r\u001b[?25h\u001b[?2026l"]);
  });

  test("of a live part that is higher than the screen shows the end", async () => {
    const scene = new Scene(20, 3);
    scene.screen.draw({ lines: ["1", "2", "3", "4", "5"], cursor: { row: 4, column: 1 } });
    expect(await scene.lines()).toEqual(["3", "4", "5"]);
  });

  test("leaves an empty line and no trace of the live part when it is closed", async () => {
    const scene = new Scene();
    scene.screen.print(["kept"]);
    scene.screen.draw({ lines: ["live", "more"], cursor: { row: 0, column: 2 } });
    scene.screen.print(["said last"]);
    scene.screen.close();
    expect([await scene.lines(), scene.cursor]).toEqual([
      ["kept", "said last"],
      [2, 0],
    ]);
  });

  test("shows the finished lines in order and the last live part below them, whatever was drawn before", async () => {
    // Full, wide and empty lines, and live parts of every height.
    const line = fc.constantFrom("", "a", "x".repeat(20), "日本語日本語日本語日", "👍 ok", "y".repeat(30));
    const step = fc.record({
      print: fc.array(line, { maxLength: 4 }),
      live: fc.array(line, { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const scene = new Scene();
        for (const { print, live } of steps) {
          scene.screen.print(print);
          scene.screen.draw({ lines: live });
        }
        const cut = (text: string) => (text.startsWith("y") ? `${"y".repeat(19)}…` : text);
        const broken = (text: string) =>
          text.startsWith("y") ? [text.slice(0, 20), text.slice(20)] : [text];
        const finished = steps.flatMap(({ print }) => print.flatMap(broken));
        const wanted = [...finished, ...(steps.at(-1)?.live ?? []).map(cut)];
        const written = scene.writes.join("");
        expect(await scene.lines()).toEqual(wanted.slice(0, wanted.findLastIndex((each) => each !== "") + 1));
        expect(["[2J", "[3J", "[H"].filter((clear) => written.includes(`\u001b${clear}`))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
