// What a killed process left in a session, record by record, and what a resumed run makes of it.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, FlowScene } from "./flow-scene.ts";

/** Takes away what was written after the first record with these words, of the run's journal and of the session's. */
function cutAfter(directory: string, words: string): void {
  const path = join(directory, "journal.jsonl");
  const lines = readFileSync(path, "utf8").split("\n");
  const last = lines.findIndex((line) => line.includes(words));
  if (last < 0) throw new Error(`no record with ${words}`);
  truncateSync(path, Buffer.byteLength(`${lines.slice(0, last + 1).join("\n")}\n`));
}

async function killed(scene: FlowScene, words: string): Promise<void> {
  await scene.start();
  const [run = ""] = scene.runs();
  const [session = ""] = scene.sessions();
  cutAfter(scene.runDirectory(run), '"type":"effect.intent"');
  cutAfter(scene.sessionDirectory(session), words);
}

const withBash = {
  steps: { a: { tools: ["bash"] } },
  model: { "Do a": [call("bash", { command: "echo x >> log" }), { text: "done" }] },
};

const withEdit = {
  steps: { a: { tools: ["write"] } },
  model: { "Do a": [call("write", { path: "new.txt", content: "new\n" }), { text: "done" }] },
};

const log = (scene: FlowScene) => readFileSync(scene.tree.at("repo/log"), "utf8");

test("an answer that was kept in the session counts, and nobody is asked again", async () => {
  using scene = new FlowScene(withBash);
  await killed(scene, '"text":"done"');
  scene.script({ other: [{ text: "never" }] });
  const { status, result } = await scene.resume();
  expect([status, result.iterations, log(scene)]).toEqual(["done", 1, "x\n"]);
  const { entries } = await scene.handlers["flow.log"](
    { cwd: scene.tree.at("repo"), run_id: scene.runs()[0] ?? "", limit: 100, wait_ms: 0 },
    { emit: () => undefined, confirm: undefined },
  );
  expect(
    entries.flatMap((entry) => (entry.type === "effect.decided" ? [entry.decision, entry.by] : [])),
  ).toEqual(["done", "probe"]);
});

test("a query that had not begun is done; one whose calls all have results goes on after them", async () => {
  using early = new FlowScene(withBash);
  await killed(early, '"type":"flow.query"');
  const begun = await early.resume();
  expect([begun.status, log(early)]).toEqual(["done", "x\nx\n"]);
  using late = new FlowScene(withBash);
  await killed(late, '"type":"message.tool"');
  const ended = await late.resume();
  expect([ended.status, log(late)]).toEqual(["done", "x\n"]);
});

test("a command that was under way is not repeated before somebody says so", async () => {
  using scene = new FlowScene(withBash);
  await killed(scene, '"type":"tool.intent"');
  const asked = await scene.resume();
  expect([asked.status, asked.result.failure?.code, asked.indeterminate?.call, log(scene)]).toEqual([
    "indeterminate",
    "IndeterminateEffect",
    { tool: "bash", title: "run echo x >> log" },
    "x\n",
  ]);
  const again = await scene.resume({ answer: "repeat" });
  expect([again.status, log(scene)]).toEqual(["done", "x\nx\n"]);
});

test("a command that somebody says was done is not repeated, and the model is told", async () => {
  using scene = new FlowScene(withBash);
  await killed(scene, '"type":"tool.intent"');
  scene.script({
    "Do a": [
      { text: "never" },
      { text: "went on", expect: { last_tool_output_contains: "It is known that the call was done" } },
    ],
  });
  const { status } = await scene.resume({ answer: "done" });
  expect([status, log(scene)]).toEqual(["done", "x\n"]);
});

test("the content of a file says whether a write was done", async () => {
  using done = new FlowScene(withEdit);
  await killed(done, '"type":"files.change"');
  writeFileSync(done.tree.at("repo/new.txt"), "new\n");
  using undone = new FlowScene(withEdit);
  await killed(undone, '"type":"files.change"');
  undone.tree.remove("repo/new.txt");
  using changed = new FlowScene(withEdit);
  await killed(changed, '"type":"files.change"');
  writeFileSync(changed.tree.at("repo/new.txt"), "by somebody else\n");
  const ends = [await done.resume(), await undone.resume(), await changed.resume()];
  expect(ends.map(({ status }) => status)).toEqual(["done", "done", "indeterminate"]);
  expect([
    existsSync(undone.tree.at("repo/new.txt")),
    readFileSync(changed.tree.at("repo/new.txt"), "utf8"),
  ]).toEqual([true, "by somebody else\n"]);
});

test("a command of a check that was under way is asked about, unless it may be repeated", async () => {
  const draft = (repeatable: boolean) => ({
    steps: { a: { tools: [], check: { type: "command" as const, command: ["sh", "mark.sh"], repeatable } } },
    files: { "repo/mark.sh": "echo x >> log\n" },
  });
  const cut = async (scene: FlowScene) => {
    await scene.start();
    cutAfter(scene.runDirectory(scene.runs()[0] ?? ""), '"kind":"command"');
  };
  using asked = new FlowScene(draft(false));
  await cut(asked);
  const unsure = await asked.resume();
  const said = await asked.resume({ answer: "done" });
  expect([unsure.status, said.status, log(asked)]).toEqual(["indeterminate", "done", "x\n"]);
  using repeated = new FlowScene(draft(true));
  await cut(repeated);
  const again = await repeated.resume();
  expect([again.status, log(repeated)]).toEqual(["done", "x\nx\n"]);
});

test("a run that has ended cannot be resumed, and one that is not there is told", async () => {
  using scene = new FlowScene({ steps: { a: {} } });
  const { run_id = "" } = await scene.start();
  await expect(scene.resume()).rejects.toThrow(`${run_id}: this run has ended`);
  await expect(scene.resume({ run_id: "20000101" })).rejects.toThrow("20000101: there is no such run");
});
