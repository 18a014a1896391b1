// The example agents: valid, shown by a dry run, and run offline on their scripts to the end.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../test/support/codelia.ts";
import { AgentDesk } from "./agent-desk.ts";

function exampleDesk(name: string): AgentDesk {
  const desk = new AgentDesk();
  cpSync(join(repository, "examples/agents", name), desk.tree.at("repo"), { recursive: true });
  return desk;
}

function scriptOf(desk: AgentDesk, name: string): string {
  return `scripted/${desk.tree.at("repo/.codelia/agents", name, "script.json")}`;
}

describe.each(["release-notes", "issue-fixer"])("the example %s", (name) => {
  test("is valid, and every prompt of it can be made", async () => {
    using desk = exampleDesk(name);
    expect((await desk.agent(["validate", "--strict"])).stdout).toBe("1 agent: 0 errors, 0 warnings\n");
    const { code, stdout } = await desk.agent(["run", name, "--trust", "--dry-run"]);
    expect([code, stdout.includes("cannot be made")]).toEqual([0, false]);
  });
});

test("release-notes hands what one step answered to the next", async () => {
  using desk = exampleDesk("release-notes");
  const run = await desk.agent(["run", "release-notes", "--trust", "-m", scriptOf(desk, "release-notes")]);
  expect([run.code, JSON.parse(run.stdout)]).toEqual([
    0,
    {
      collect: {
        changes: ["search finds accents", "export on small screens", "sessions last 30 days"],
        breaking: false,
      },
      write: {
        notes:
          "- Search finds words with accents.\n- Export works on small screens.\n- You stay signed in for 30 days.",
      },
    },
  ]);
});

test("issue-fixer retries until the tests pass, has the change judged, and ends by its composite completion", async () => {
  using desk = exampleDesk("issue-fixer");
  const tests = () => spawnSync("node", ["--test"], { cwd: desk.tree.at("repo") }).status;
  expect(tests()).toBe(1);
  const args = ["--trust", "--approval", "auto-edit", "-m", scriptOf(desk, "issue-fixer")];
  const run = await desk.agent(["run", "issue-fixer", ...args]);
  const outputs: unknown = JSON.parse(run.stdout);
  expect(outputs).toMatchObject({
    wrap_up: {
      title: "Charge whole cents",
      body: "Discounts are rounded to whole cents; percentages outside 0 to 100 are refused.",
      notes: "",
    },
  });
  expect([run.code, tests()]).toEqual([0, 0]);
  const id = /^run (\S+)/.exec(run.stderr)?.[1] ?? "";
  const picture = await desk.agent(["graph", "issue-fixer", "--trust", "--run", id]);
  const marks = picture.stdout
    .split("\n")
    .filter((line) => line.includes("×"))
    .map((line) => line.trim().replaceAll(/ · (\d+ min )?[\d.]+ (ms|s)/g, " · T"));
  expect(marks).toEqual([
    'n1["analyse<br/>Find the cause, change nothing<br/>check: output<br/>1× · T · $0.0000"]',
    'n3["implement<br/>Change the code until the tests pass<br/>check: $ node --test<br/>1× · 1 retry · T · $0.0000"]',
    'n4["verify<br/>Say what changed#59; a judge reads the code<br/>check: judged by prompts/review/change/judge/f_strict.md<br/>1× · T · $0.0000"]',
    'n5["wrap_up<br/>The words for the pull request<br/>1× · T · $0.0000"]',
    'n1 -->|"size: otherwise<br/>1× · T · $0.0000"| n3',
    'n3 -->|"pass<br/>1× · T · $0.0000"| n4',
    'n3 -->|"retry, at most 2<br/>1× · T · $0.0000"| n3',
    'n4 -->|"pass<br/>1× · T · $0.0000"| n5',
    'n5 -.->|"the model said #34;ALL-DONE#34; and the budget of 4 iterations is used<br/>1× · T · $0.0000"| n6',
  ]);
  expect((await desk.agent(["graph", "other", "--trust", "--run", id])).stderr.split("\n")[0]).toBe(
    `codelia: ${id}: this is a run of issue-fixer, not of other`,
  );
  const svg = desk.tree.at("run.svg");
  expect((await desk.agent(["graph", "--run", id, "-o", svg])).code).toBe(0);
  expect(readFileSync(svg, "utf8")).toContain(`run ${id}: succeeded, 5 iterations`);
});
