// A new flow agent that is valid and runs from its first line, also without a model.
import type { NewFile } from "../new-files.ts";

/** Of the new agent's files: what a model would say. */
export const scriptFile = "script.json";

/**
 * @input  name as the rules want it; description any text
 * @output the files below the directory that holds agents
 */
export function agentSkeleton(name: string, description: string): NewFile[] {
  const agent = {
    version: "1.0",
    description,
    parameters: {
      task: { description: "What to do", default: "Look around and say what this project is for." },
    },
    limits: { iterations: 20, timeMs: 1_800_000 },
  };
  const steps = {
    plan: {
      description: "Look, and say what to do",
      prompt: "prompts/plan.md",
      tools: ["read", "list", "grep", "glob"],
      output: { plan: { type: "string", description: "what to do, step by step" } },
      onPass: { next: "work" },
    },
    work: {
      description: "Do it",
      prompt: "prompts/work.md",
      inputs: { from_step: "plan", variables: { "plan.plan": true } },
      output: {
        done: { type: "boolean", description: "whether everything in the plan is done" },
        result: { type: "string", description: "what was done" },
      },
      check: { type: "schema" },
      retries: 2,
      onPass: { branch: { on: "done", cases: { false: "plan" }, default: "complete" } },
    },
  };
  const script = {
    name,
    conversations: [
      {
        when: { first_user_contains: "Make a plan" },
        turns: [{ text: answer({ plan: "1. Say hello." }) }],
      },
      {
        when: { first_user_contains: ["Follow this plan", "Say hello"] },
        turns: [{ text: answer({ done: true, result: "Hello." }) }],
      },
    ],
  };
  const files: Record<string, string> = {
    "agent.json": json(agent),
    "steps.json": json({ version: "1.0", steps }),
    "prompts/plan.md": "Make a plan for this task, change nothing:\n\n{param-task}\n",
    "prompts/work.md": "Follow this plan:\n\n{uv-plan_plan}\n\nThe task was: {param-task}\n",
    [scriptFile]: json(script),
  };
  return Object.entries(files).map(([path, text]) => ({ path: `${name}/${path}`, text }));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function answer(output: Readonly<Record<string, unknown>>): string {
  return `\`\`\`json\n${JSON.stringify(output)}\n\`\`\`\n`;
}
