// The property: what the analysis says cannot run, does not run; what it calls safe changes nothing.
import { availableParallelism } from "node:os";
import {
  analyseCommand,
  canReach,
  type Reach,
  renderAnalysis,
  safetyOfCommand,
} from "../../../packages/runtime/src/shell/index.ts";
import { command } from "./grammar.ts";
import { Random } from "./random.ts";
import { runInSandbox } from "./sandbox.ts";
import { canary } from "./spelling.ts";

export interface Finding {
  readonly seed: number;
  readonly number: number;
  readonly command: string;
  readonly problem:
    | "ran although it was said to be out of reach"
    | "ran although the command was called safe"
    | "changed files although the command was called safe";
  readonly analysis: readonly string[];
}

export interface FuzzReport {
  readonly commands: number;
  /** How many really ran the canary: the oracle is at work. */
  readonly ran: number;
  /** How many were called out of reach, and safe: the analysis does not just say yes to everything. */
  readonly outOfReach: number;
  readonly safe: number;
  readonly findings: readonly Finding[];
}

interface Case {
  readonly number: number;
  readonly command: string;
  readonly reach: Reach;
  readonly safe: boolean;
  readonly analysis: readonly string[];
}

const batchSize = 250;

export interface FuzzListener {
  readonly onProgress: (done: number) => void;
  readonly onFinding: (finding: Finding) => void;
}

/** @effects runs every command in a sandbox; says how far it is and what it finds as it comes */
export async function fuzz(
  seed: number,
  count: number,
  { onProgress, onFinding }: FuzzListener = { onProgress: () => undefined, onFinding: () => undefined },
): Promise<FuzzReport> {
  const totals = { ran: 0, outOfReach: 0, safe: 0 };
  const findings: Finding[] = [];
  let next = 0;
  let done = 0;
  const worker = async () => {
    while (next < count) {
      const first = next;
      next += batchSize;
      const cases = await Promise.all(
        Array.from({ length: Math.min(batchSize, count - first) }, (_, at) => caseOf(seed, first + at)),
      );
      const outcomes = await runInSandbox(
        cases.map(({ command: text, safe }) => ({ command: text, watched: safe })),
      );
      for (const [at, one] of cases.entries()) {
        const outcome = outcomes[at] ?? { ran: false, changed: false };
        totals.ran += outcome.ran ? 1 : 0;
        totals.outOfReach += one.reach === "no" ? 1 : 0;
        totals.safe += one.safe ? 1 : 0;
        const finding = problemOf(one, outcome) === undefined ? undefined : await confirmed(seed, one);
        if (finding === undefined) continue;
        findings.push(finding);
        onFinding(finding);
      }
      done += cases.length;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));
  return { commands: count, ...totals, findings: findings.toSorted((a, b) => a.number - b.number) };
}

/** Alone in its own sandbox: what an earlier command left running cannot be taken for this one's doing. */
async function confirmed(seed: number, one: Case): Promise<Finding | undefined> {
  const again = { command: one.command, watched: one.safe };
  for (const outcome of await runInSandbox([again, again, again])) {
    const problem = problemOf(one, outcome);
    if (problem !== undefined) {
      return { seed, number: one.number, command: one.command, problem, analysis: one.analysis };
    }
  }
  return undefined;
}

function problemOf(
  { reach, safe }: Case,
  outcome: { ran: boolean; changed: boolean },
): Finding["problem"] | undefined {
  if (outcome.ran && reach === "no") return "ran although it was said to be out of reach";
  if (outcome.ran && safe) return "ran although the command was called safe";
  return outcome.changed && safe ? "changed files although the command was called safe" : undefined;
}

/** Every command has its own randomness, so that one can be made again without the others. */
async function caseOf(seed: number, number: number): Promise<Case> {
  const text = command(new Random(Math.imul(seed, 0x9e3779b1) + number));
  const analysis = await analyseCommand(text);
  return {
    number,
    command: text,
    reach: canReach(analysis, canary),
    safe: safetyOfCommand(analysis).safe,
    analysis: renderAnalysis(analysis),
  };
}
