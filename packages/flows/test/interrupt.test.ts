// An interrupt ends the process's work on a run, not the run.
import { expect, test } from "bun:test";
import { resume } from "@codelia/flows";
import { startedFlow } from "./support/flow.ts";
import { hang } from "./support/scripted-bridge.ts";

test("an interrupted run stays open, and goes on with what was under way", async () => {
  using flow = await startedFlow({
    steps: { work: { prompt: "p.md", tools: [], onPass: { complete: true } } },
    prompts: { "p.md": "Work." },
    answer: (_, count) => (count === 1 ? hang : "done"),
  });
  const running = flow.execution.run();
  while (flow.bridge.asked.length === 0) await Bun.sleep(1);
  const interrupted = await flow.execution.interrupt();
  const records = flow.journal.records.map(({ type }) => type);
  const resumed = await resume(flow.journal.records, flow.dependencies).run();
  expect([await running, interrupted.failure?.code, records, resumed.success, resumed.iterations]).toEqual([
    interrupted,
    "Interrupted",
    ["run.start", "effect.intent"],
    true,
    1,
  ]);
});
