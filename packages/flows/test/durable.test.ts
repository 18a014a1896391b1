// A run that dies at any write of its journal goes on: same Result, no effect twice, no output lost.
import { describe, expect, test } from "bun:test";
import { build, type Dependencies, resume, type ValidatedDefinition } from "@codelia/flows";
import type { AgentResult, FlowRecord } from "@codelia/shared-types";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { agentFiles, validated } from "./support/definitions.ts";
import { type CrashPoint, MemoryJournal } from "./support/memory-journal.ts";
import { stillClock, twelveAgent, twelvePrompts, twelveSteps, World } from "./support/twelve-steps.ts";

class Scene implements Disposable {
  readonly tree = new TemporaryTree(agentFiles(twelveSteps, twelveAgent, twelvePrompts));
  #worlds = 0;

  definition(): Promise<ValidatedDefinition> {
    return validated(this.tree.path);
  }

  world(): World {
    this.#worlds += 1;
    return new World(this.tree.at(`worlds/${this.#worlds}`));
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

function dependencies(world: World, journal: MemoryJournal): Dependencies {
  return { bridge: world.bridge, commands: world.commands, journal, clock: stillClock, random: () => 0 };
}

/** Starts a run and lets it go as far as its journal lives. */
async function begin(definition: ValidatedDefinition, given: Dependencies): Promise<AgentResult | undefined> {
  const execution = build(definition, given);
  try {
    await execution.start({ cwd: "/work", id: "run-1" });
  } catch {
    return undefined;
  }
  return await execution.run();
}

/** Takes the run up again, or begins it where nothing of it was kept. */
async function goOn(
  definition: ValidatedDefinition,
  records: readonly FlowRecord[],
  given: Dependencies,
): Promise<AgentResult | undefined> {
  return records.length === 0 ? await begin(definition, given) : await resume(records, given).run();
}

function points(writes: number): CrashPoint[] {
  return Array.from({ length: writes }, (_, index) => index + 1).flatMap((write) => [
    { write, when: "before" as const },
    { write, when: "after" as const },
  ]);
}

const effects = ["write s3", "apply s6", "apply s9"];

describe("a flow of twelve steps with three effects", () => {
  test("that dies before or after every write goes on to the same Result, with no effect twice", async () => {
    using scene = new Scene();
    const definition = await scene.definition();
    const whole = new MemoryJournal();
    const world = scene.world();
    const expected = await begin(definition, dependencies(world, whole));
    expect([expected?.success, expected?.iterations, world.done]).toEqual([true, 13, effects]);
    expect(Object.keys(expected?.outputs ?? {})).toHaveLength(12);

    const wrong: unknown[] = [];
    for (const point of points(whole.writes)) {
      const after = scene.world();
      const dying = new MemoryJournal([], point);
      await begin(definition, dependencies(after, dying));
      const journal = new MemoryJournal(dying.records);
      const result = await goOn(definition, dying.records, dependencies(after, journal));
      const last = journal.records.at(-1);
      const isSame =
        Bun.deepEquals(result, expected) &&
        Bun.deepEquals(after.done, effects) &&
        Bun.deepEquals(last, whole.records.at(-1)) &&
        Bun.deepEquals(steps(journal.records), steps(whole.records));
      if (!isSame) wrong.push({ point, done: after.done, result });
    }
    expect(wrong).toEqual([]);
    expect(whole.writes).toBe(62);
  }, 120_000);

  test("that dies again while it goes on still ends with the same Result, with no effect twice", async () => {
    using scene = new Scene();
    const definition = await scene.definition();
    const whole = new MemoryJournal();
    const expected = await begin(definition, dependencies(scene.world(), whole));
    const wrong: unknown[] = [];
    for (const first of points(whole.writes).filter(({ write }) => write % 5 === 0)) {
      for (const second of points(3)) {
        const world = scene.world();
        const one = new MemoryJournal([], first);
        await begin(definition, dependencies(world, one));
        const two = new MemoryJournal(one.records, second);
        await goOn(definition, one.records, dependencies(world, two));
        const three = new MemoryJournal(two.records);
        const result = await goOn(definition, two.records, dependencies(world, three));
        if (!Bun.deepEquals(result, expected) || !Bun.deepEquals(world.done, effects))
          wrong.push({ first, second });
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  test("writes the intent of an effect to disk before it begins, and its result before anything follows", async () => {
    using scene = new Scene();
    const world = scene.world();
    const journal = new MemoryJournal();
    const given = dependencies(world, journal);
    const unflushed: string[] = [];
    const onFlushed = (what: string) => {
      const last = journal.records.at(-1);
      if (last?.type !== "effect.intent" || journal.flushedAt.at(-1) !== journal.records.length)
        unflushed.push(what);
    };
    const bridge = {
      query: async (prompt: string, options: Parameters<typeof world.bridge.query>[1]) => {
        onFlushed(`query of ${options.step}`);
        return await world.bridge.query(prompt, options);
      },
    };
    const commands = {
      run: async (command: readonly string[], options: Parameters<typeof world.commands.run>[1]) => {
        onFlushed(command.join(" "));
        return await world.commands.run(command, options);
      },
    };
    await begin(await scene.definition(), { ...given, bridge, commands });
    const flushed = new Set(journal.flushedAt);
    const results = journal.records.flatMap(({ type }, index) =>
      type === "effect.result" ? [index + 1] : [],
    );
    expect([unflushed, results.filter((count) => !flushed.has(count)), results.length]).toEqual([[], [], 17]);
  });
});

/** Iterations and transitions, each once. */
function steps(records: readonly FlowRecord[]): FlowRecord[] {
  return records.filter(({ type }) => type === "iteration" || type === "transition");
}
