import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Needle } from "../../src/sessions/needle.ts";

const found = (needle: string, text: string) => new Needle(needle).excerptFrom(text) !== undefined;

describe("a needle", () => {
  test("is found whatever its case, by the rules of Unicode", () => {
    const pairs: [string, string][] = [
      ["HELLO", "say hello"],
      ["straße", "STRASSE"],
      ["STRASSE", "Die Straße"],
      ["ΟΔΟΣ", "οδος και"],
      ["οδοσ", "ΟΔΟΣ"],
      ["kelvin", "\u212aelvin"],
      ["ﬁnd", "FIND"],
      ["東京", "in 東京 today"],
    ];
    expect(pairs.filter(([needle, text]) => !found(needle, text))).toEqual([]);
    expect(found("hello", "help")).toBe(false);
  });

  test("is shown in one line with what is around it, cut where that is long, acting characters visible", () => {
    const needle = new Needle("needle");
    expect(needle.excerptFrom("a\n\tNeedle \u001b[31m\u202ein  hay\r\n")).toBe(
      "a Needle \\u001b[31m\\u202ein hay",
    );
    const long = `${"x".repeat(100)}ß needle ${"y".repeat(200)}`;
    expect(needle.excerptFrom(long)).toBe(`…${"x".repeat(58)}ß needle ${"y".repeat(99)}…`);
  });

  test("halves of characters at the ends of an excerpt do not get out", () => {
    const excerpt = new Needle("needle").excerptFrom(`${"😀".repeat(50)}xneedle${"😀".repeat(80)}`) ?? "";
    expect(excerpt.isWellFormed()).toBe(true);
  });

  test("what it says of bytes holds for every text that it is found in, as JSON", () => {
    const letters = fc.constantFrom(...Array.from('abckstfilnjhwyABCKST019 .-"\\\n<ßſKİıﬁﬀﬆŉǰẖẗẘẙẚẞΣσςäÄ東'));
    const text = fc.array(letters, { maxLength: 12 }).map((each) => each.join(""));
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.constantFrom("upper", "lower", "same"),
        (before, middle, after, how) => {
          fc.pre(middle !== "");
          const needle = new Needle(
            how === "upper" ? middle.toUpperCase() : how === "lower" ? middle.toLowerCase() : middle,
          );
          const whole = before + middle + after;
          if (needle.excerptFrom(whole) === undefined || needle.bytes === undefined) return true;
          return needle.bytes.test(Buffer.from(JSON.stringify(whole)).toString("latin1"));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("its bytes know every character outside ASCII that becomes ASCII in another case", () => {
    const bytes = new Needle("never there").bytes;
    const missed: string[] = [];
    for (let code = 0x80; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const becomesAscii = /[\0-\x7f]/.test(character.toLowerCase().toUpperCase());
      if (becomesAscii && !bytes?.test(Buffer.from(character).toString("latin1"))) missed.push(character);
    }
    expect(missed).toEqual([]);
  });

  test("says nothing of bytes where only a few are certain", () => {
    expect(["ab", '"\\', "東京", "é"].map((text) => new Needle(text).bytes)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
