// What a flow would ask, before it costs anything.
import { expect, test } from "bun:test";
import { previewPrompts } from "@codelia/flows";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { agentFiles, validated } from "./support/definitions.ts";
import { runFlow } from "./support/flow.ts";
import { json } from "./support/scripted-bridge.ts";

const steps = {
  look: {
    output: {
      cause: { type: "string" },
      count: { type: "number" },
      files: { type: "array" },
      note: { type: "string", required: false, default: "none" },
    },
    onPass: { next: "mend" },
  },
  mend: {
    inputs: {
      variables: { "look.cause": true, "look.count": true, "look.files": true, "look.note": true },
    },
    check: { type: "prompt", prompt: "judge.md" },
    retryPrompt: "again.md",
    onPass: { complete: true },
  },
} as const;

const prompts = {
  "prompts/look.md": "Look at {param-issue} in {param-place}.\n",
  "prompts/mend.md": "Mend {uv-look_cause}, {uv-look_count}, {uv-look_files}, {uv-look_note}.",
  "again.md": "Again, because {run-check_message}.",
  "judge.md": "Judge {run-response} for {uv-look_cause}.",
};

const agent = { parameters: { issue: {}, place: { default: "here" } } };

async function preview(args: Record<string, string> = {}, files: Record<string, string> = prompts) {
  using tree = new TemporaryTree(agentFiles(structuredClone(steps), agent, files));
  return await previewPrompts((await validated(tree.path)).flow, { args });
}

const form = "End your answer with one ```json block: an object with these fields.";
const fields = "- cause (string)\n- count (number)\n- files (array)\n- note (string, optional)";

test("every prompt is made with samples, as a model would get it: of the step, after a failed check, of the judge", async () => {
  expect(await preview({ issue: "#7" })).toEqual([
    { step: "look", kind: "step", text: `Look at #7 in here.\n\n${form}\n${fields}` },
    {
      step: "look",
      kind: "retry",
      text: [
        "Look at #7 in here.",
        "",
        "Your last answer did not pass the check: <what the check of look said>",
        "Mend it and answer again.",
        "",
        form,
        fields,
      ].join("\n"),
    },
    { step: "mend", kind: "step", text: 'Mend <look.cause>, 1, ["<look.files>"], none.' },
    { step: "mend", kind: "retry", text: "Again, because <what the check of mend said>." },
    {
      step: "mend",
      kind: "judge",
      text: 'Judge <response of mend> for <look.cause>.\n\nEnd your answer with one ```json block: {"result": "pass" or "fail", "message": "why, for whoever has to mend it"}.',
    },
  ]);
});

test("a run whose answers are the samples asks exactly what was shown", async () => {
  const shown = await preview({ issue: "#7" });
  using flow = await runFlow({
    steps: structuredClone(steps),
    agent,
    prompts,
    args: { issue: "#7" },
    answer: ({ prompt }) =>
      prompt.startsWith("Look")
        ? json({ cause: "<look.cause>", count: 1, files: ["<look.files>"] })
        : prompt.startsWith("Judge")
          ? json({ result: "pass" })
          : "<response of mend>",
  });
  const first = shown.filter(({ kind }) => kind !== "retry").map(({ text }) => text);
  expect(flow.bridge.asked.map(({ prompt }): string | undefined => prompt)).toEqual(first);
});

test("parameters that are missing get a sample, those that there are not are an error", async () => {
  expect((await preview())[0]?.text).toStartWith("Look at <parameter issue> in here.");
  expect(preview({ isue: "x" })).rejects.toThrow(
    'there is no parameter "isue". The flow has these parameters: issue, place.',
  );
});

test("a prompt that can no longer be read is told at its step, and the others are shown", async () => {
  using tree = new TemporaryTree(agentFiles(structuredClone(steps), agent, prompts));
  const { flow } = await validated(tree.path);
  tree.remove("again.md");
  const previews = await previewPrompts(flow);
  expect(
    previews.map(({ step, kind, problem = "" }) => `${step} ${kind} ${problem.replaceAll(tree.path, "")}`),
  ).toEqual([
    "look step ",
    "look retry ",
    "mend step ",
    "mend retry There is no prompt again.md: looked for /again.md. Write the file; a blank one does not count.",
    "mend judge ",
  ]);
});
