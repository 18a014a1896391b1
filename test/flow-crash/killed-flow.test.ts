// Samples of what `complete.ts` does at every write.
import { expect, test } from "bun:test";
import { TemporaryTree } from "../support/tree.ts";
import { bundledProgram, type Death, runAndKill } from "./killed-flow.ts";

const inBash = '"type":"tool.intent" "tool":"bash"';
const beforeEdit = '"type":"files.change"';
const deaths: readonly (Death & { readonly answers: readonly string[] })[] = [
  { write: inBash, when: "after", answers: ["repeat"] },
  { write: '"type":"message.tool" "toolName":"bash"', when: "before", answers: ["done"] },
  { write: '"kind":"command" "type":"effect.result"', when: "before", answers: ["done"] },
  { write: beforeEdit, when: "after", answers: [] },
  { write: '"type":"message.tool" "toolName":"edit"', when: "before", answers: [] },
  { write: '"type":"run.end" "result"', when: "before", answers: [] },
  { write: '"type":"run.end" "result"', when: "after", answers: [] },
];

test("a run that is killed at an effect or between two goes on by `codelia agent resume` to the same Result, no effect twice", async () => {
  using tree = new TemporaryTree({});
  const program = await bundledProgram(tree.path);
  const { status, result, effects } = await runAndKill(program, { write: 0, when: "before" });
  expect([status, effects]).toEqual(["done", { marks: ["s3", "s6"], counter: "n=1\n" }]);
  const waiting = [...deaths];
  const worker = async (): Promise<void> => {
    for (let death = waiting.shift(); death !== undefined; death = waiting.shift()) {
      const end = await runAndKill(program, death);
      const got = { at: death, status: end.status, result: end.result, effects: end.effects };
      expect({ ...got, answers: end.answers }).toEqual({
        at: death,
        status: "done",
        result,
        effects,
        answers: [...death.answers],
      });
    }
  };
  await Promise.all([worker(), worker()]);
}, 300_000);
