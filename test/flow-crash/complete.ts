// Kills a flow before and after every write to a journal, of the run and of its sessions. Run by `npm run test:flow-crash`;
// it takes minutes.
import { expect, test } from "bun:test";
import { TemporaryTree } from "../support/tree.ts";
import { bundledProgram, type Death, runAndKill } from "./killed-flow.ts";

test(
  "a run that is killed before or after any write to a journal goes on to the same Result, no effect twice",
  async () => {
    using tree = new TemporaryTree({});
    const program = await bundledProgram(tree.path);
    const whole = await runAndKill(program, { write: 0, when: "before" });
    const waiting = Array.from({ length: whole.writes }, (_, index) => index + 1).flatMap(
      (write): Death[] => [
        { write, when: "before" },
        { write, when: "after" },
      ],
    );
    const count = waiting.length;
    const wrong: unknown[] = [];
    const answers: string[] = [];
    const worker = async (): Promise<void> => {
      for (let death = waiting.shift(); death !== undefined; death = waiting.shift()) {
        const end = await runAndKill(program, death);
        const isSame =
          end.status === "done" &&
          Bun.deepEquals(end.result, whole.result) &&
          Bun.deepEquals(end.effects, whole.effects);
        if (!isSame) wrong.push({ death, end });
        if (!isSame) process.stdout.write(`not the same after ${JSON.stringify(death)}\n`);
        answers.push(...end.answers);
      }
    };
    await Promise.all([worker(), worker()]);
    process.stdout.write(`${count} deaths, ${answers.length} questions to a person: ${answers.join(" ")}\n`);
    expect(wrong).toEqual([]);
  },
  4 * 60 * 60_000,
);
