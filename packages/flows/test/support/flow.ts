// A flow, ready to run in a test: real files, a scripted model, a clock and a journal in memory.
import { build, type Dependencies, type Execution } from "@codelia/flows";
import type { AgentFile, AgentResult } from "@codelia/shared-types";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { agentFiles, type StepDraft, validated } from "./definitions.ts";
import { MemoryJournal } from "./memory-journal.ts";
import { type Answer, type Asked, ScriptedBridge } from "./scripted-bridge.ts";
import { TestClock } from "./test-clock.ts";

export interface FlowDraft {
  readonly steps: Readonly<Record<string, StepDraft>>;
  readonly agent?: Omit<AgentFile, "steps">;
  readonly prompts?: Readonly<Record<string, string>>;
  readonly answer?: (asked: Asked, count: number) => Answer | Promise<Answer>;
  readonly args?: Readonly<Record<string, string>>;
  readonly dependencies?: Partial<Dependencies>;
  readonly journal?: MemoryJournal;
}

export interface TestFlow extends Disposable {
  readonly execution: Execution;
  readonly bridge: ScriptedBridge;
  readonly clock: TestClock;
  readonly journal: MemoryJournal;
  readonly tree: TemporaryTree;
  readonly dependencies: Dependencies;
}

/** Started. */
export async function startedFlow(draft: FlowDraft): Promise<TestFlow> {
  const flow = await builtFlow(draft);
  await flow.execution.start({ cwd: flow.tree.path, id: "run-1", args: draft.args ?? {} });
  return flow;
}

export async function builtFlow(draft: FlowDraft): Promise<TestFlow> {
  const { steps, agent = {}, prompts = {}, answer = () => "ok", journal = new MemoryJournal() } = draft;
  const tree = new TemporaryTree(agentFiles(steps, agent, prompts));
  const clock = new TestClock();
  const bridge = new ScriptedBridge(answer, clock);
  const dependencies: Dependencies = { bridge, journal, clock, random: () => 0.5, ...draft.dependencies };
  const execution = build(await validated(tree.path), dependencies);
  return {
    execution,
    bridge,
    clock,
    journal,
    tree,
    dependencies,
    [Symbol.dispose]: () => tree[Symbol.dispose](),
  };
}

export async function runFlow(draft: FlowDraft): Promise<TestFlow & { readonly result: AgentResult }> {
  const flow = await startedFlow(draft);
  return { ...flow, result: await flow.execution.run(), [Symbol.dispose]: () => flow[Symbol.dispose]() };
}

/** The steps that a run went through, with what came of each. */
export function way({ summaries }: AgentResult): string[] {
  return summaries.map(
    ({ step, visit, attempt, check }) => `${step}.${visit}.${attempt} ${check.passed ? "+" : "-"}`,
  );
}
