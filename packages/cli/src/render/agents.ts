// `codelia agent` for those who write flow agents.
import type { Result, WireFlowProblem } from "@codelia/protocol";
import { visibleName, visibleText } from "@codelia/shared-types";
import { columns, indented, oneLine, plural, shortPath } from "./table.ts";

export function renderAgents({ agents, root }: Result<"flow.agents">): string {
  if (agents.length === 0) return "There are no flow agents here. Make one with: codelia agent new NAME\n";
  const rows = agents.map(
    ({ name, state, steps, description = "", parameters = [], error_count, directory }) => [
      visibleName(name),
      state === "invalid" ? plural(error_count, "error") : state,
      steps === undefined ? "" : String(steps),
      oneLine(parameters.map((each) => (each.required ? each.name : `[${each.name}]`)).join(" "), 40),
      oneLine(description, 80),
      shortPath(directory, root),
    ],
  );
  const lines = columns([["name", "state", "steps", "parameters", "description", "path"], ...rows]);
  if (agents.some(({ state }) => state === "invalid"))
    lines.push("", "What is wrong: codelia agent validate");
  return `${lines.join("\n")}\n`;
}

export function renderNewAgent({ name, directory, files, script }: Result<"flow.new">, cwd: string): string {
  const place = visibleName(directory);
  return [
    ...files.map((file) => `Made ${visibleName(file)}`),
    `Next: change the steps and prompts, then check them with: codelia agent validate ${place}`,
    `Try it without a model: codelia agent run ${visibleName(name)} -m scripted/${shortPath(script, cwd)}`,
    "",
  ].join("\n");
}

/** `file:line:column: what is wrong`, and below it what to write instead. */
function problemLines(
  { severity, file, pointer, line, column, message, fix }: WireFlowProblem,
  base: string,
): string[] {
  const path = shortPath(file, base);
  const place = line === undefined ? path : `${path}:${line}:${column ?? 1}`;
  const where = pointer === "" ? "" : `${visibleName(pointer)}: `;
  return [
    `${place}: ${severity}: ${where}${oneLine(message, 600)}`,
    ...(fix === "" ? [] : indented([`fix: ${oneLine(fix, 600)}`])),
  ];
}

export function renderFlowValidation(
  { agents, error_count, warning_count }: Result<"flow.validate">,
  cwd: string,
): string {
  const lines = agents.flatMap(({ problems }) => problems.flatMap((problem) => problemLines(problem, cwd)));
  const found = `${plural(error_count, "error")}, ${plural(warning_count, "warning")}`;
  return `${[...lines, `${plural(agents.length, "agent")}: ${found}`].join("\n")}\n`;
}

export function renderMigration({ agents, written }: Result<"flow.migrate">, cwd: string): string {
  const files = agents.flatMap((agent) => agent.files);
  if (files.length === 0) {
    return `${plural(agents.length, "agent")}: nothing in ${agents.length === 1 ? "it" : "them"} is deprecated.\n`;
  }
  const lines = files.flatMap(({ changes }) => changes.flatMap((change) => problemLines(change, cwd)));
  const names = files.map(({ path }) => `${written ? "Rewrote" : "Would rewrite"} ${shortPath(path, cwd)}`);
  return `${[...lines, ...names].join("\n")}\n`;
}

const titles = {
  step: "prompt",
  retry: "prompt after a failed check",
  judge: "prompt of the judge",
} as const;

export function renderPreview({ name, steps, problem_count }: Result<"flow.preview">): string {
  const lines = steps.flatMap(({ id, description, tools, approval, model, check, prompts }) => {
    const facts = [
      ...(tools === undefined ? [] : [`tools: ${tools.length === 0 ? "none" : tools.join(", ")}`]),
      ...(approval === undefined ? [] : [`approval: ${approval}`]),
      ...(model === undefined ? [] : [`model: ${model}`]),
      ...(check === undefined ? [] : [`check: ${check}`]),
    ];
    return [
      `== ${visibleName(id)}${description === undefined ? "" : `: ${oneLine(description)}`}`,
      ...(facts.length === 0 ? [] : [oneLine(facts.join("; "), 400)]),
      "",
      ...prompts.flatMap(({ kind, text, problem }) => [
        `-- ${titles[kind]}`,
        ...(text === undefined ? [] : indented(visibleText(text).trimEnd().split("\n"))),
        ...(problem === undefined ? [] : indented([`cannot be made: ${visibleText(problem)}`])),
        "",
      ]),
    ];
  });
  const count = plural(steps.flatMap(({ prompts }) => prompts).length, "prompt");
  const problems = problem_count === 0 ? "" : `; ${plural(problem_count, "cannot", "cannot")} be made`;
  const end = `${visibleName(name)}: ${plural(steps.length, "step")}, ${count}${problems}. No model was asked; <…> are samples.`;
  return `${[...lines, end].join("\n")}\n`;
}
