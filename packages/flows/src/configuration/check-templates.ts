// Checks of the prompts: each is there, and uses only variables that it can have.
import type { PromptReference } from "@codelia/shared-types";
import {
  inputReferences,
  judgeVariables,
  runVariables,
  templateVariables,
  uvName,
} from "../handoff/index.ts";
import { type AgentDefinition, promptKey } from "./definition.ts";
import { type DefinitionProblem, type JsonPath, listed, locateFinding, maxProblems } from "./problem.ts";
import type { ReadDefinition, ReadStep } from "./read-definition.ts";

/** Where a step's inputs, the parameters or the folder to fall back to are not known, what hangs on them is not told. */
export function checkTemplates(
  { prompts }: AgentDefinition,
  { steps, stepsSource: source, agent, parameterNames }: ReadDefinition,
): DefinitionProblem[] {
  const everywhere = new Set<string>([
    ...(parameterNames ?? []).map((name) => `param-${name}`),
    ...runVariables,
  ]);
  const used = new Map<string, readonly UsedVariable[]>();
  const problems: DefinitionProblem[] = [];
  for (const [id, { whole, parts, isUnclear }] of steps) {
    const own = new Set(parts.inputs === undefined ? [] : inputReferences(parts.inputs).map(uvName));
    const mayBeKnown = (name: string) =>
      (isUnclear("inputs") && name.startsWith("uv-")) ||
      (parameterNames === undefined && name.startsWith("param-"));
    const told = new Set<string>();
    for (const { reference, path, isJudge } of promptsOf(parts)) {
      const key = promptKey(reference);
      const prompt = prompts.get(key);
      if (prompt === undefined || "problem" in prompt) {
        // Of a reference with an unknown key nothing was read.
        if (agent.isUnclear("fallbackDir") || (prompt === undefined && whole === undefined)) continue;
        const message = prompt?.problem.replace(/\.$/, "") ?? "this prompt was not read";
        const fix = "Mend the reference or write the file.";
        const finding = { path: ["steps", id, ...path], code: "PromptMissing", message, fix };
        problems.push(locateFinding(source, finding));
        continue;
      }
      // Steps may share a prompt: it is gone through once.
      const variables = used.get(key) ?? usedVariables(prompt.text, everywhere);
      used.set(key, variables);
      const judge: readonly string[] = isJudge ? judgeVariables : [];
      for (const variable of variables) {
        const { name } = variable;
        if (own.has(name) || judge.includes(name) || mayBeKnown(name)) continue;
        if (told.has(`${name} ${prompt.path}`)) continue;
        told.add(`${name} ${prompt.path}`);
        problems.push(undeclared(prompt.path, variable, id, [...own, ...everywhere, ...judge]));
        if (problems.length >= maxProblems) return problems;
      }
    }
  }
  return problems;
}

interface UsedPrompt {
  readonly reference: PromptReference;
  readonly path: JsonPath;
  readonly isJudge: boolean;
}

function* promptsOf({ prompt, retryPrompt, check }: ReadStep["parts"]): Generator<UsedPrompt> {
  if (prompt !== undefined) yield { reference: prompt, path: ["prompt"], isJudge: false };
  if (retryPrompt !== undefined) yield { reference: retryPrompt, path: ["retryPrompt"], isJudge: false };
  if (check?.type === "prompt") yield { reference: check.prompt, path: ["check", "prompt"], isJudge: true };
}

interface UsedVariable {
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** Those that not every prompt of the agent has, each at the first place where it stands. */
function usedVariables(text: string, everywhere: ReadonlySet<string>): UsedVariable[] {
  const found = new Map<string, UsedVariable>();
  let line = 1;
  let lineStart = 0;
  for (const { name, offset } of templateVariables(text)) {
    if (everywhere.has(name) || found.has(name)) continue;
    for (let next = text.indexOf("\n", lineStart); next !== -1 && next < offset; ) {
      line += 1;
      lineStart = next + 1;
      next = text.indexOf("\n", lineStart);
    }
    found.set(name, { name, line, column: offset - lineStart + 1 });
  }
  return [...found.values()];
}

function undeclared(
  file: string,
  { name, line, column }: UsedVariable,
  step: string,
  known: readonly string[],
): DefinitionProblem {
  return {
    file,
    pointer: "",
    line,
    column,
    code: "UndeclaredVariable",
    message: `the step "${step}" declares no {${name}}`,
    fix: `Declare it in the step's inputs or the agent's parameters; here are known: ${listed(known, known.length)}.`,
  };
}
