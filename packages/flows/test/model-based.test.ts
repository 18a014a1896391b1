// Random flows and random models, against a small interpreter of the contract: same way, same Result, always an end.
import { expect, test } from "bun:test";
import {
  build,
  type CommandRunner,
  ConnectionError,
  ExecutionError,
  load,
  RateLimitError,
  resume,
  SessionExpired,
  validate,
} from "@codelia/flows";
import { AgentResultSchema } from "@codelia/shared-types";
import fc from "fast-check";
import {
  type Acts,
  type Contract,
  interpret,
  type ModelAct,
  type Told,
} from "./support/contract-interpreter.ts";
import { memoryFiles } from "./support/memory-files.ts";
import { MemoryJournal } from "./support/memory-journal.ts";
import { randomActs, randomContract } from "./support/random-flows.ts";
import { type Answer, hang, json, ScriptedBridge } from "./support/scripted-bridge.ts";
import { longMs, TestClock } from "./support/test-clock.ts";

const numRuns = Number(process.env.CODELIA_PROPERTY_RUNS ?? 1000);

function filesOf({ agent, steps }: Contract) {
  return memoryFiles({
    "/agents/a/agent.json": JSON.stringify(agent),
    "/agents/a/steps.json": JSON.stringify({ steps }),
    "/agents/a/do.md": "Do it.",
    "/agents/a/judge.md": "Judge it.",
  });
}

function answerOf(next: ModelAct, canHang: boolean, clock: TestClock): Answer {
  switch (next.act) {
    case "say":
      return [
        // A number can only be said as JSON, and then the verdict must be said so too.
        next.k === 1 ? json({ k: 1, result: next.verdict }) : next.k === undefined ? "Well." : `k: ${next.k}`,
        next.verdict === undefined ? "" : `result: ${next.verdict}`,
        next.done === undefined ? "" : next.done === "alone" ? "DONE" : "I would say DONE now.",
      ].join("\n");
    case "empty":
      return "";
    case "down":
      return new ConnectionError("down", { status: 503 });
    case "limited":
      return new RateLimitError("slow", { status: 429, retryAfterMs: 2000 });
    case "expired":
      return new SessionExpired("gone");
    case "auth":
      return new ExecutionError("AuthError", "no key");
    case "throw":
      return new TypeError("a defect");
    case "hang":
      if (!canHang) return "";
      queueMicrotask(() => clock.pass(longMs));
      return hang;
  }
}

function commandsOf({ commands }: Acts, clock: TestClock): CommandRunner {
  let count = 0;
  return {
    run: async (_, { signal }) => {
      const next = commands[count % commands.length];
      count += 1;
      if (next === "throw") throw new Error("ENOENT");
      if (next === "hang") {
        const ended = new Promise<{ output: string }>((resolve) => {
          signal.addEventListener("abort", () => resolve({ output: "" }), { once: true });
        });
        queueMicrotask(() => clock.pass(longMs));
        return await ended;
      }
      return { ...(next === "signal" ? {} : { exitCode: next === "zero" ? 0 : 1 }), output: "" };
    },
  };
}

async function runReally(contract: Contract, acts: Acts): Promise<Told> {
  const fs = filesOf(contract);
  const { definition, errors } = validate(await load("/agents/a", { fs }));
  expect(errors).toEqual([]);
  if (definition === undefined) throw new Error("not valid");
  const clock = new TestClock();
  const { model } = acts;
  const bridge = new ScriptedBridge(({ step }, count) => {
    const canHang = contract.steps[step]?.limits?.timeMs !== undefined;
    return answerOf(model[(count - 1) % model.length] ?? { act: "empty" }, canHang, clock);
  }, clock);
  const journal = new MemoryJournal();
  const commands = commandsOf(acts, clock);
  const dependencies = { bridge, commands, journal, clock, random: () => 0.5, fs };
  const execution = build(definition, dependencies);
  await execution.start({ cwd: "/", id: "run-1" });
  const result = await execution.run();

  expect(AgentResultSchema.safeParse(result).error).toBeUndefined();
  expect(result.iterations).toBe(result.summaries.length);
  expect(await execution.stop()).toBe(result);
  // Its journal alone, without its end, gives the same Result, and nobody is asked for it.
  const asked = bridge.asked.length;
  const replayed = new MemoryJournal(journal.records.slice(0, -1));
  expect(await resume(replayed.records, { ...dependencies, journal: replayed }).run()).toEqual(result);
  expect([replayed.records, bridge.asked.length]).toEqual([journal.records, asked]);

  const { layer, code } = result.failure ?? {};
  return {
    end: layer === "connection" ? layer : (code ?? "success"),
    way: result.summaries.map(
      ({ step, visit, attempt, check }) => `${step}.${visit}.${attempt} ${check.passed ? "+" : "-"}`,
    ),
    transitions: journal.records.flatMap((each) =>
      each.type === "transition" ? [`${each.from} → ${each.to}`] : [],
    ),
    outputs: result.outputs,
    tokens: result.usage.inputTokens + result.usage.outputTokens,
  };
}

test(
  "random flows with random models do what the contract says, and always end with a valid Result",
  async () => {
    const ends = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(randomContract, randomActs, async (contract, acts) => {
        const expected = interpret(contract, acts);
        ends.set(expected.end, (ends.get(expected.end) ?? 0) + 1);
        expect(await runReally(contract, acts)).toEqual(expected);
      }),
      { numRuns, seed: 7 },
    );
    // The generator reaches every way to end.
    expect([...ends.keys()].toSorted()).toEqual([
      "AuthError",
      "IterationLimit",
      "MissingRequiredInput",
      "RetriesExhausted",
      "TokenLimit",
      "Unexpected",
      "VisitLimit",
      "connection",
      "success",
    ]);
  },
  120_000 + numRuns * 100,
);
