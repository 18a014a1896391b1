// A project with a flow of twelve steps and three effects on the project: by a command of the model, by a command of a
// check, by an edit. Each leaves a trace that tells how often it was done.
import type { AgentFile, FlowStep } from "@codelia/shared-types";
import type { TreeDescription } from "../support/tree.ts";

const ids = Array.from({ length: 12 }, (_, index) => `s${index + 1}`);

/** The same in every process, whatever a prompt cache would say. */
const usage = { input_tokens: 100, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 10 };

const tools: Readonly<Record<string, string[]>> = { s2: ["read"], s3: ["bash"], s9: ["read", "edit"] };

function step(id: string, index: number): FlowStep {
  const before = ids[index - 1];
  const next = ids[index + 1];
  return {
    prompt: `prompts/${id}.md`,
    output: { word: { type: "string" } },
    tools: tools[id] ?? [],
    ...(before === undefined
      ? {}
      : { inputs: { from_step: before, variables: { [`${before}.word`]: true } } }),
    ...(id === "s6" ? { check: { type: "command", command: ["sh", "mark.sh", "s6"] } } : {}),
    ...(id === "s11" ? { check: { type: "prompt", prompt: "prompts/judge.md" } } : {}),
    onPass: next === undefined ? { complete: true } : { next },
  };
}

const call = (name: string, args: unknown) => ({ tool_calls: [{ name, arguments: args }], usage });

const calls: Readonly<Record<string, unknown[]>> = {
  s2: [call("read", { path: "counter.txt" })],
  s3: [call("bash", { command: "sh mark.sh s3" })],
  s9: [call("read", { path: "counter.txt" }), call("edit", { path: "counter.txt", old: "n=0", new: "n=1" })],
};

/** The fourth step's connection fails once, the fifth step's first answer does not pass. */
function turns(id: string): unknown[] {
  const answer = { text: `\`\`\`json\n{"word": "${id}"}\n\`\`\``, usage };
  if (id === "s4") return [{ error: { kind: "ConnectionError", status: 503 } }, answer];
  if (id === "s5") return [{ text: "garbage", usage }, answer];
  return [...(calls[id] ?? []), answer];
}

const agent: AgentFile = {
  recovery: { baseDelayMs: 1, maxDelayMs: 1 },
  steps: Object.fromEntries(ids.map((id, index) => [id, step(id, index)])),
};

const script = {
  conversations: [
    { when: { first_user_contains: "Judge" }, turns: [{ text: "result: pass", usage }] },
    ...ids.map((id) => ({ when: { first_user_contains: `Step ${id}.` }, turns: turns(id) })),
  ],
};

export const flowScene: TreeDescription = {
  "home/": "",
  "repo/.git/": "",
  "repo/counter.txt": "n=0\n",
  "repo/mark.sh": 'echo "$1" >> marks.txt\n',
  "repo/.codelia/agents/twelve/agent.json": JSON.stringify(agent),
  "repo/.codelia/agents/twelve/prompts/judge.md": "Judge {run-response}",
  ...Object.fromEntries(
    ids.map((id, index) => [
      `repo/.codelia/agents/twelve/prompts/${id}.md`,
      index === 0 ? `Step ${id}.` : `Step ${id}. After {uv-s${index}_word}.`,
    ]),
  ),
  "script.json": JSON.stringify(script),
};
