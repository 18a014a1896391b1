// Kills `codelia agent run` at a write to a journal, resumes the run as a person would, and looks at what came of it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FlowLogEntrySchema, type FlowOutcome } from "@codelia/protocol";
import { outcomeOf } from "../../packages/codelia/test/flow-desk.ts";
import { type EndedProcess, processToItsEnd } from "../support/process-to-its-end.ts";
import { TemporaryTree } from "../support/tree.ts";
import { flowScene } from "./scene.ts";

export interface Death {
  /** The number of the write, from 1; 0 for none. Or words that are in it: the first such write. */
  readonly write: number | string;
  readonly when: "before" | "after";
}

/** What a run comes to, without what differs from run to run: times and ids. */
export interface FlowEnd {
  readonly status: string;
  readonly result: unknown;
  /** How often each effect was done. */
  readonly effects: { readonly marks: string[]; readonly counter: string };
  /** What a person had to say on the way. */
  readonly answers: string[];
  /** Writes of the first process. */
  readonly writes: number;
}

interface Ended extends EndedProcess {
  readonly outcome: FlowOutcome | undefined;
}

/** @error when something ended as nothing should */
export async function runAndKill(program: string, death: Death): Promise<FlowEnd> {
  using tree = new TemporaryTree(flowScene);
  const model = `scripted/${tree.at("script.json")}`;
  const begin = ["agent", "run", "twelve", "--approval", "full", "-m", model];
  const first = await inProcess(program, tree, death, begin);
  const writes = Number(/writes: (\d+)/.exec(first.stderr)?.[1] ?? 0);
  if (death.write !== 0 && first.signal !== "SIGKILL") throw new Error(`not killed: ${first.stderr}`);
  const answers: string[] = [];
  let { outcome } = first;
  for (let round = 0; outcome === undefined || outcome.status === "indeterminate"; round += 1) {
    if (round > 3) throw new Error(`${JSON.stringify(death)}: does not end`);
    const answer = outcome && whatHappened(tree, outcome);
    if (answer !== undefined) answers.push(answer);
    const run = runIds(tree)[0];
    // Nothing of the run was on disk yet.
    const args =
      run === undefined ? begin : ["agent", "resume", run, ...(answer === undefined ? [] : [`--${answer}`])];
    const next = await inProcess(program, tree, { write: 0, when: "before" }, args);
    // Killed behind its last record: there is nothing to go on with, and the Result is in the log.
    if (run !== undefined && next.stderr.includes("this run has ended")) {
      const { stdout } = await inProcess(program, tree, { write: 0, when: "before" }, ["agent", "logs", run]);
      const last = FlowLogEntrySchema.parse(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
      if (last.type !== "ended") throw new Error(stdout);
      outcome = { status: last.result.success ? "done" : "failed", result: last.result, refused_calls: 0 };
      break;
    }
    if (next.outcome === undefined) throw new Error(`${JSON.stringify(death)}: ${next.stderr}`);
    outcome = next.outcome;
  }
  return { status: outcome.status, result: comparable(outcome), effects: effectsIn(tree), answers, writes };
}

async function inProcess(
  program: string,
  tree: TemporaryTree,
  { write, when }: Death,
  args: readonly string[],
): Promise<Ended> {
  // No command runs in the moment of a death, so that a sandbox would only take time.
  const common = ["--json", "-c", "sandbox.enabled=off", ...(args[1] === "logs" ? [] : ["--trust"])];
  const ended = await processToItsEnd(program, tree.path, [String(write), when, ...args, ...common]);
  return { ...ended, outcome: outcomeIn(ended.stdout) };
}

function outcomeIn(stdout: string): FlowOutcome | undefined {
  const last = stdout.split("\n").findLast((line) => line.includes('"type":"flow.finished"'));
  if (last === undefined) return undefined;
  return outcomeOf({ stdout: last });
}

/** A person looks whether the mark is there. */
function whatHappened(tree: TemporaryTree, { indeterminate }: FlowOutcome): "done" | "repeat" {
  const step = indeterminate?.effect.step ?? "";
  return effectsIn(tree).marks.includes(step) ? "done" : "repeat";
}

function effectsIn(tree: TemporaryTree): FlowEnd["effects"] {
  const marks = tree.at("repo/marks.txt");
  return {
    marks: existsSync(marks) ? readFileSync(marks, "utf8").split("\n").slice(0, -1) : [],
    counter: readFileSync(tree.at("repo/counter.txt"), "utf8"),
  };
}

function runIds(tree: TemporaryTree): string[] {
  const folder = tree.at("home/.codelia/flows");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) =>
    readdirSync(join(folder, name)).filter((id) => {
      const journal = join(folder, name, id, "journal.jsonl");
      return existsSync(journal) && readFileSync(journal, "utf8") !== "";
    }),
  );
}

function comparable({ result }: FlowOutcome): unknown {
  const summaries = result.summaries.map((summary) => ({
    ...summary,
    session_id: "",
    elapsed_ms: 0,
    // The scripted model fails once a process: who resumes may meet the failure again.
    queries: 0,
  }));
  return { ...result, summaries };
}

/** One file starts in half the time. */
export async function bundledProgram(outdir: string): Promise<string> {
  const entrypoint = join(import.meta.dir, "child.ts");
  const { outputs } = await Bun.build({ entrypoints: [entrypoint], target: "bun", outdir });
  return outputs[0]?.path ?? entrypoint;
}
