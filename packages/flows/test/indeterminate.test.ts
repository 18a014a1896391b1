// Effects that nobody knows the end of, and journals that cannot be taken up: told, asked about, never guessed.
import { describe, expect, test } from "bun:test";
import {
  AgentError,
  type Dependencies,
  type EffectDecision,
  type IndeterminateEffect,
  resume,
} from "@codelia/flows";
import type { FlowRecord } from "@codelia/shared-types";
import { runFlow, way } from "./support/flow.ts";
import { MemoryJournal } from "./support/memory-journal.ts";
import { json } from "./support/scripted-bridge.ts";

const steps = {
  a: { output: { k: { type: "string" as const } }, onPass: { next: "b" } },
  b: { check: { type: "command" as const, command: ["push"] } },
};

interface Left {
  readonly records: FlowRecord[];
  readonly given: Dependencies;
  readonly pushes: () => number;
  readonly asked: () => number;
}

/** A run that was killed while its command ran. */
async function killedAt(type: FlowRecord["type"], count: number): Promise<Left & Disposable> {
  let pushes = 0;
  const flow = await runFlow({
    steps,
    answer: () => json({ k: "v" }),
    dependencies: {
      commands: {
        run: async () => {
          pushes += 1;
          return { exitCode: 0, output: "" };
        },
      },
    },
  });
  const at = flow.journal.records.findIndex((_, index, all) => {
    return all.slice(0, index + 1).filter((each) => each.type === type).length === count;
  });
  return {
    records: flow.journal.records.slice(0, at + 1),
    given: flow.dependencies,
    pushes: () => pushes,
    asked: () => flow.bridge.asked.length,
    [Symbol.dispose]: () => flow[Symbol.dispose](),
  };
}

async function goOn({ records, given }: Left, rest: Partial<Dependencies> = {}) {
  const journal = new MemoryJournal(records);
  const result = await resume(records, { ...given, journal, ...rest }).run();
  return { result, added: journal.records.slice(records.length) };
}

describe("an effect with intent and no result", () => {
  test("is reported and not repeated when nobody can be asked, and the run stays open", async () => {
    using left = await killedAt("effect.intent", 3);
    const { result, added } = await goOn(left);
    expect([result.failure, way(result), added, left.pushes(), left.asked()]).toEqual([
      {
        layer: "execution",
        code: "IndeterminateEffect",
        message:
          'The command "push" of step "b", iteration 2 had begun when the run was ended, and nobody knows what came of it. Look, then resume the run and say whether to repeat it.',
        recoverable: false,
        step: "b",
        iteration: 2,
      },
      ["a.1.1 +"],
      [],
      1,
      2,
    ]);
  });

  test("is asked about: repeated, or taken as done, or left", async () => {
    using left = await killedAt("effect.intent", 3);
    const questions: IndeterminateEffect[] = [];
    const deciding = async (decision: EffectDecision) => {
      const { result, added } = await goOn(left, {
        decide: async (effect) => {
          questions.push(effect);
          return decision;
        },
      });
      return [result.failure?.code ?? result.success, added.map(({ type }) => type), left.pushes()];
    };
    expect(await deciding({ action: "stop" })).toEqual(["IndeterminateEffect", [], 1]);
    const done = { kind: "command" as const, result: { exitCode: 0, timedOut: false, output: "" } };
    expect(await deciding({ action: "result", outcome: done })).toEqual([
      true,
      ["effect.decided", "effect.result", "iteration", "transition", "run.end"],
      1,
    ]);
    expect(await deciding({ action: "repeat" })).toEqual([
      true,
      ["effect.decided", "effect.intent", "effect.result", "iteration", "transition", "run.end"],
      2,
    ]);
    const intent = {
      kind: "command" as const,
      step: "b",
      iteration: 2,
      command: ["push"],
      repeatable: false,
    };
    const question = { run: "run-1", number: 3, intent };
    expect(questions).toEqual([question, question, question]);
  });

  test("is probed first where that is possible; an unknown one is asked about", async () => {
    using left = await killedAt("effect.intent", 1);
    const result = {
      text: json({ k: "found" }),
      session: "session-9",
      usage: { inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1 },
    };
    const query = left.given.bridge.query.bind(left.given.bridge);
    const probing = (state: "done" | "unknown") => ({
      query,
      probe: async () => (state === "done" ? { state, result } : { state }),
    });
    const found = await goOn(left, { bridge: probing("done") });
    expect([found.result.outputs, found.added[0]]).toEqual([
      { a: { k: "found" } },
      { type: "effect.decided", effect: 1, decision: "done", by: "probe" },
    ]);
    expect((await goOn(left, { bridge: probing("unknown") })).result.failure?.code).toBe(
      "IndeterminateEffect",
    );
  });

  test("is repeated without a question where it cannot have changed anything, and that is recorded", async () => {
    const records: FlowRecord[] = [];
    using flow = await runFlow({
      steps: { a: { tools: [], check: { type: "command", command: ["test"], repeatable: true } } },
      dependencies: {
        commands: { run: async () => ({ exitCode: 0, output: "" }) },
        onRecord: (each) => records.push(each),
      },
    });
    expect(records).toEqual(flow.journal.records);
    const upTo = (effect: number) =>
      flow.journal.records.slice(
        0,
        flow.journal.records.findIndex((each) => each.type === "effect.intent" && each.effect === effect) + 1,
      );
    for (const effect of [1, 2]) {
      const left = { records: upTo(effect), given: flow.dependencies, pushes: () => 0, asked: () => 0 };
      const { result, added } = await goOn(left);
      expect([result.success, added[0]]).toEqual([
        true,
        { type: "effect.decided", effect, decision: "repeat", by: "harmless" },
      ]);
    }
  });
});

describe("a journal that is taken up again", () => {
  const codeOf = async (action: () => Promise<unknown>): Promise<string | undefined> => {
    try {
      await action();
    } catch (error) {
      return error instanceof AgentError ? error.code : String(error);
    }
    return undefined;
  };

  test("of a run that has ended gives its Result and changes nothing", async () => {
    using left = await killedAt("run.end", 1);
    const { result, added } = await goOn(left);
    expect([result.success, result.iterations, added, left.pushes()]).toEqual([true, 2, [], 1]);
  });

  test("that holds no run, or records of another format, is an error", async () => {
    using left = await killedAt("run.end", 1);
    const [start, ...others] = left.records;
    const trying = (records: readonly unknown[]) => codeOf(async () => resume(records, left.given));
    expect([
      await trying([]),
      await trying(others),
      await trying([{ ...start, format: 99 }]),
      await trying([start, { type: "new" }]),
    ]).toEqual(["NoRun", "NoRun", "NoRun", "NoRun"]);
  });

  test("that another flow has written is a mismatch, and nothing is done", async () => {
    using left = await killedAt("effect.result", 2);
    const records = left.records.map((record) =>
      record.type === "effect.intent" && record.effect === 2
        ? { ...record, intent: { ...record.intent, step: "z" } }
        : record,
    );
    const { result, added } = await goOn({ ...left, records });
    expect([result.failure?.code, added, left.asked()]).toEqual(["JournalMismatch", [], 2]);
  });

  test("goes on with the definition that it began with, though the files are gone", async () => {
    using flow = await runFlow({ steps: { a: { onPass: { next: "b" } }, b: {} } });
    const before = flow.journal.records.slice(0, -4);
    flow.tree.remove("agent.json");
    flow.tree.remove("steps.json");
    flow.tree.remove("prompts/a.md");
    const left = { records: before, given: flow.dependencies, pushes: () => 0, asked: () => 0 };
    const { result } = await goOn(left, { decide: async () => ({ action: "repeat" }) });
    expect([result.success, way(result)]).toEqual([true, ["a.1.1 +", "b.1.1 +"]]);
  });

  test("that cannot be written ends the run with an error instead of going on unrecorded", async () => {
    using flow = await runFlow({
      steps: { a: { onPass: { next: "b" } }, b: {} },
      journal: new MemoryJournal([], { write: 4, when: "before" }),
    });
    expect([flow.result.failure?.code, flow.bridge.asked.length]).toEqual(["JournalFailed", 1]);
  });

  test("a success that cannot be recorded is not told as one", async () => {
    using flow = await runFlow({
      steps: { a: {} },
      journal: new MemoryJournal([], { write: 6, when: "before" }),
    });
    expect([flow.result.success, flow.result.failure?.code, flow.result.iterations]).toEqual([
      false,
      "JournalFailed",
      1,
    ]);
  });
});
