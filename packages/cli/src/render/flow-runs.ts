// `codelia agent runs` and `logs` for people.
import type { FlowEffectWire, FlowEvent, FlowLogEntry, Params, Result, UsageWire } from "@codelia/protocol";
import { visibleName, visibleText } from "@codelia/shared-types";
import { columns, minuteOf, oneLine, plural } from "./table.ts";

export function usedWords({ input_tokens, output_tokens }: UsageWire, costUsd: number | undefined): string {
  const cost = costUsd === undefined ? "" : `, $${costUsd.toFixed(4)}`;
  return `${input_tokens} tokens in, ${output_tokens} out${cost}`;
}

export function renderFlowRuns(result: Result<"flow.list">, { all }: Params<"flow.list">): string {
  const { runs, total, problems } = result;
  const rows = runs.map((run) => [
    run.id,
    minuteOf(run.updated_at),
    run.state,
    visibleName(run.agent),
    `${visibleName(run.step)}, ${plural(run.iterations, "iteration")}`,
    usedWords(run.usage, run.cost_usd),
    run.owner === undefined
      ? oneLine(run.error ?? "", 60)
      : `process ${run.owner.pid} on ${visibleName(run.owner.host)}`,
  ]);
  const lines =
    rows.length === 0
      ? [all ? "There are no runs yet." : "There are no runs of this repository yet."]
      : columns([["id", "last record (UTC)", "state", "agent", "step", "used", ""], ...rows]);
  const shown = runs.length + problems.length;
  if (shown < total) lines.push("", `${total - shown} more: --limit N shows them.`);
  if (problems.length > 0) {
    lines.push(
      "",
      "Cannot be read",
      ...problems.map(({ id, problem }) => `  ${id}  ${visibleText(problem)}`),
    );
  }
  if (runs.some(({ state }) => state === "open"))
    lines.push("", "An open run was ended from outside. Go on with: codelia agent resume ID");
  return `${lines.join("\n")}\n`;
}

/** One line a record. */
export function renderFlowLogEntry(entry: FlowLogEntry): string {
  return `${visibleText(entry.at.slice(0, 19).replace("T", " "))}  ${told(entry)}\n`;
}

function told(entry: FlowLogEntry): string {
  switch (entry.type) {
    case "started": {
      const args = Object.entries(entry.args).map(([key, value]) => ` ${key}=${oneLine(value, 60)}`);
      return `started ${visibleName(entry.agent)} in ${visibleName(entry.cwd)}${args.join("")}`;
    }
    case "effect.begun":
      return `#${entry.number} ${effectWords(entry.effect)}`;
    case "effect.ended": {
      const { failure, exit_code, timed_out } = entry;
      const how = failure
        ? `failed, ${visibleName(failure.code)}`
        : timed_out
          ? "was ended, it took too long"
          : exit_code === undefined
            ? "answered"
            : `exit code ${exit_code}`;
      return `#${entry.number} ${how}: ${oneLine(entry.text, 120)}`;
    }
    case "effect.decided":
      return `#${entry.number} ${entry.decision === "done" ? "was done" : "is repeated"} (${entry.by})`;
    case "iteration": {
      const { iteration, step, check, usage, cost_usd } = entry.summary;
      return `iteration ${iteration} of ${visibleName(step)} ${check.passed ? "passed" : "failed"}: ${oneLine(check.message, 120)} (${usedWords(usage, cost_usd)})`;
    }
    case "transition":
      return `${visibleName(entry.from)} → ${visibleName(entry.to)}: ${oneLine(entry.reason, 120)}`;
    case "ended": {
      const { success, completion_reason, error = "" } = entry.result;
      return success ? `done: ${oneLine(completion_reason)}` : `failed: ${oneLine(error)}`;
    }
    case "host":
      return hostWords(entry);
    case "work.ended":
      return "everything is done for the issue";
  }
}

type FlowHostEvent = Extract<FlowEvent, { type: "flow.host" }>;

/** What the host does for an issue, in one line. */
export function hostWords({ kind, state, what }: Pick<FlowHostEvent, "kind" | "state" | "what">): string {
  const name = kind.replace("_", " ");
  const detail = what === undefined ? "" : `: ${oneLine(what, 120)}`;
  return state === "begun" ? `${name} …` : `${name} ${state}${detail}`;
}

/** What an effect does, in one line. */
export function effectWords(effect: FlowEffectWire): string {
  const where = `${visibleName(effect.step)}, iteration ${effect.iteration}`;
  if (effect.kind === "command") return `check of ${where}: ${oneLine(effect.command.join(" "))}`;
  const who = effect.purpose === "check" ? "asks the judge of" : "asks";
  return `${who} ${where}: ${oneLine(effect.prompt, 80)}`;
}
