// Which commands are known to only read. A command that is called safe here runs without a question.
import { describe, expect, test } from "bun:test";
import { analyseCommand, safetyOf, safetyOfCommand } from "../../src/shell/index.ts";
import { asking } from "./cases/asking.ts";
import { safe } from "./cases/safe.ts";

describe("safe commands", () => {
  test.each(safe.map((command) => [command] as const))("%j", async (command) => {
    expect(safetyOfCommand(await analyseCommand(command))).toEqual({ safe: true });
  });
});

describe("commands that ask", () => {
  test.each(asking)("%j because of %s", async (command, word) => {
    const safety = safetyOfCommand(await analyseCommand(command));
    const reason = safety.safe ? "" : safety.reason;
    expect([safety.safe, reason.includes(word) ? word : reason]).toEqual([false, word]);
  });
});

describe("the safety of given words", () => {
  test("plain words need no quotes", () => {
    expect(safetyOf(["cat", "a b", "$x", "*"])).toEqual({ safe: true });
  });

  test("a value that a flag lacks is not guessed", () => {
    expect(safetyOf(["head", "-n"])).toEqual({ safe: false, reason: "head: -n lacks its value" });
  });

  test("no words are no program", () => {
    expect(safetyOf([])).toEqual({ safe: false, reason: "the program is computed" });
  });
});
