// Checks of the prompts: each is there, and uses only variables that it can have.
import type { AgentFile, FlowStep, PromptReference } from "@codelia/shared-types";
import {
  inputReferences,
  judgeVariables,
  runVariables,
  templateVariables,
  uvName,
} from "../handoff/index.ts";
import { type AgentDefinition, promptKey } from "./definition.ts";
import { type DefinitionProblem, type JsonPath, locateFinding, type SourceDocument } from "./problem.ts";

export function checkTemplates(
  { prompts }: AgentDefinition,
  source: SourceDocument,
  steps: ReadonlyMap<string, FlowStep>,
  parameters: AgentFile["parameters"] = {},
): DefinitionProblem[] {
  const params = Object.keys(parameters).map((name) => `param-${name}`);
  const problems = [...steps].flatMap(([id, step]) => {
    const inputs = step.inputs === undefined ? [] : inputReferences(step.inputs).map(uvName);
    const known = [...inputs, ...params, ...runVariables];
    return [...promptsOf(step)].flatMap(({ reference, path, isJudge }) => {
      const prompt = prompts.get(promptKey(reference));
      if (prompt === undefined || "problem" in prompt) {
        const message = prompt?.problem.replace(/\.$/, "") ?? "this prompt was not read";
        const fix = "Mend the reference or write the file.";
        return [locateFinding(source, { path: ["steps", id, ...path], code: "PromptMissing", message, fix })];
      }
      const allowed = new Set<string>(isJudge ? [...known, ...judgeVariables] : known);
      return templateVariables(prompt.text)
        .filter(({ name }) => !allowed.has(name))
        .map(({ name, offset }) => undeclared(prompt, name, offset, id, allowed));
    });
  });
  // Two steps may share a prompt, and then the same thing is wrong with it once.
  return problems.filter(
    (problem, index) =>
      problems.findIndex((other) => JSON.stringify(other) === JSON.stringify(problem)) === index,
  );
}

interface UsedPrompt {
  readonly reference: PromptReference;
  readonly path: JsonPath;
  readonly isJudge: boolean;
}

function* promptsOf({ prompt, retryPrompt, check }: FlowStep): Generator<UsedPrompt> {
  yield { reference: prompt, path: ["prompt"], isJudge: false };
  if (retryPrompt !== undefined) yield { reference: retryPrompt, path: ["retryPrompt"], isJudge: false };
  if (check?.type === "prompt") yield { reference: check.prompt, path: ["check", "prompt"], isJudge: true };
}

function undeclared(
  { path, text }: { readonly path: string; readonly text: string },
  name: string,
  offset: number,
  step: string,
  allowed: ReadonlySet<string>,
): DefinitionProblem {
  const lines = text.slice(0, offset).split("\n");
  return {
    file: path,
    pointer: "",
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
    code: "UndeclaredVariable",
    message: `the step "${step}" declares no {${name}}`,
    fix: `Declare it in the step's inputs or the agent's parameters; here are known: ${[...allowed].join(", ")}.`,
  };
}
