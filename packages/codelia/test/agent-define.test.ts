import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { AgentDesk, agentOf } from "./agent-desk.ts";

const agents = "repo/.codelia/agents";
const untrusted =
  "This project is not trusted, so nothing of it is used. To trust it: codelia trust TREE/repo (or --trust for one run).\n";

describe("codelia agent new", () => {
  test("makes an agent that is valid, in the project's root, and runs without a model", async () => {
    using desk = new AgentDesk({ "repo/app/": "" });
    const made = await desk.agent(["new", "helper", "--description", 'Says "hello"'], "repo/app");
    const files = ["agent.json", "steps.json", "prompts/plan.md", "prompts/work.md", "script.json"];
    expect(made).toEqual({
      code: 0,
      stdout: [
        ...files.map((file) => `Made TREE/${agents}/helper/${file}`),
        `Next: change the steps and prompts, then check them with: codelia agent validate TREE/${agents}/helper`,
        `Try it without a model: codelia agent run helper -m scripted/TREE/${agents}/helper/script.json`,
        "",
      ].join("\n"),
      stderr: untrusted,
    });
    expect(await desk.agent(["validate", "--strict"])).toEqual({
      code: 0,
      stdout: "1 agent: 0 errors, 0 warnings\n",
      stderr: "",
    });
    expect((await desk.agent(["--trust"])).stdout).toBe(
      'name    state  steps  parameters  description   path\nhelper  valid  2      [task]      Says "hello"  .codelia/agents/helper\n',
    );
    const script = `scripted/${desk.tree.at(agents, "helper/script.json")}`;
    const run = await desk.agent(["run", "helper", "--trust", "-m", script]);
    expect([run.code, JSON.parse(run.stdout)]).toEqual([
      0,
      { plan: { plan: "1. Say hello." }, work: { done: true, result: "Hello." } },
    ]);
  });

  test("refuses names that are none, and changes nothing that is there", async () => {
    using desk = new AgentDesk({ ...agentOf(`${agents}/mine`), [`${agents}/file`]: "a file" });
    const before = readFileSync(desk.tree.at(agents, "mine/agent.json"), "utf8");
    const names = ["../out", "a/b", "..", ".", "", "-x", "a\u001b[2J", "a b", "é", "x".repeat(65), "\ud800"];
    for (const name of names) {
      const { code, stdout, stderr } = await desk.agent(["new", "--", name]);
      expect([
        name,
        code,
        stdout,
        stderr.split("\n")[0]?.includes("this is not a name for an agent"),
      ]).toEqual([name, 1, "", true]);
      expect(stderr).not.toContain("\u001b");
    }
    for (const name of ["mine", "file"]) {
      expect((await desk.agent(["new", name])).stderr).toBe(
        `codelia: TREE/${agents}/${name}: this is there already, and was not changed\nChoose another name, or remove it first.\n`,
      );
    }
    expect([readdirSync(desk.tree.at(agents)).toSorted(), readdirSync(desk.tree.path).toSorted()]).toEqual([
      ["file", "mine"],
      ["home", "repo"],
    ]);
    expect(readFileSync(desk.tree.at(agents, "mine/agent.json"), "utf8")).toBe(before);
  });

  test("does not follow a link of the repository out of it", async () => {
    using desk = new AgentDesk({ "repo/.codelia": { link: "../outside" }, "outside/": "" });
    expect((await desk.agent(["new", "helper"])).stderr).toBe(
      "codelia: TREE/repo/.codelia: this link leads out of the project, to TREE/outside\nName the folder yourself: codelia agent new NAME --dir PATH\n",
    );
    expect(readdirSync(desk.tree.at("outside"))).toEqual([]);
  });
});

describe("codelia agent list", () => {
  test("shows names alone in a project without trust, and what is wrong in one with it", async () => {
    using desk = new AgentDesk({
      ...agentOf(`${agents}/good`),
      ...agentOf(`${agents}/bad`, { "steps.json": "{,}" }),
      [`${agents}/notes.txt`]: "not an agent",
    });
    expect(await desk.agent([])).toEqual({
      code: 0,
      stdout: [
        "name  state      steps  parameters  description  path",
        "bad   untrusted                                  .codelia/agents/bad",
        "good  untrusted                                  .codelia/agents/good",
        "",
      ].join("\n"),
      stderr: untrusted,
    });
    expect((await desk.agent(["list", "--trust"])).stdout).toBe(
      [
        "name  state    steps  parameters  description  path",
        "bad   1 error                                  .codelia/agents/bad",
        "good  valid    1                  Does it      .codelia/agents/good",
        "",
        "What is wrong: codelia agent validate",
        "",
      ].join("\n"),
    );
  });
});

describe("codelia agent validate", () => {
  test("tells all that is wrong at once, with place and fix, without trust, and ends with 1", async () => {
    using desk = new AgentDesk({
      ...agentOf(`${agents}/comma`, { "agent.json": '{\n  "description": "x",\n}\n' }),
      ...agentOf(`${agents}/steps`, {
        "steps.json":
          '{"steps": {\n"go": {"prompt": "no.md", "tools": ["reed"], "retrys": 1, "onPass": {"next": "nix"}}}}',
      }),
      ...agentOf(`${agents}/good`),
      [`${agents}/empty/`]: "",
    });
    const { code, stdout, stderr } = await desk.agent(["validate"]);
    const place = ".codelia/agents";
    expect([code, stderr, stdout.split("\n")]).toEqual([
      1,
      "",
      [
        `${place}/comma/agent.json:2:21: error: remove this comma: nothing follows it`,
        "  fix: Mend the file: it must be strict JSON.",
        `${place}/empty/agent.json:1:1: error: there is no such file`,
        "  fix: Name the directory of a flow agent.",
        `${place}/steps/steps.json:2:18: error: /steps/go/prompt: There is no prompt no.md: looked for TREE/${agents}/steps/no.md. Write the file; a blank one does not count`,
        "  fix: Mend the reference or write the file.",
        `${place}/steps/steps.json:2:37: error: /steps/go/tools/0: there is no tool "reed"`,
        "  fix: Did you mean read?",
        `${place}/steps/steps.json:2:46: error: /steps/go/retrys: unknown key; known here: description, prompt, retryPrompt, inputs, output, check, onPass, onFail, retries, onExhausted, tools, approval, model, limits`,
        "  fix: Remove it, or spell it as one of the known keys.",
        `${place}/steps/steps.json:2:78: error: /steps/go/onPass/next: there is no step "nix"`,
        "  fix: There are: go.",
        "4 agents: 6 errors, 0 warnings",
        "",
      ],
    ]);
  });

  test("takes names, directories, files and any folder above agents, each agent once", async () => {
    using desk = new AgentDesk({
      ...agentOf(`${agents}/a`),
      ...agentOf("elsewhere/b"),
      ...agentOf("elsewhere/c"),
      ...agentOf("project/.codelia/agents/d"),
    });
    const named = async (...targets: string[]) => {
      const result = await desk.json(["validate", ...targets]);
      const shown = JSON.stringify(result);
      const names = Array.from(shown.matchAll(/"name":"([^"]*)"/g), ([, name]) => name);
      const problems = Array.from(shown.matchAll(/"code":"([^"]*)"/g), ([, problem]) => problem);
      return [...names, ...problems];
    };
    expect(await named("a", `${desk.tree.at(agents)}/a`, ".codelia/agents/a/agent.json")).toEqual(["a"]);
    expect(await named("../elsewhere", "../project", ".")).toEqual(["b", "c", "d", "a"]);
    expect(await named("aa", "../home", "../elsewhere/b/go.md", "../none")).toEqual([
      "aa",
      "home",
      "go.md",
      "../none",
      "NotFound",
      "NoAgents",
      "NotFound",
      "NotFound",
    ]);
    expect((await desk.agent(["validate", "b"])).stdout).toBe(
      "b: error: there is no agent of this name here, and nothing at this path\n  fix: Did you mean a? Give the name of an agent, or the path of its directory.\n1 agent: 1 error, 0 warnings\n",
    );
  });

  test("hostile folders: links out, names that act, FIFOs, directories for files; each is told, nothing hangs", async () => {
    using desk = new AgentDesk({
      ...agentOf("outside/agent"),
      [`${agents}/out`]: { link: "../../../outside/agent" },
      [`${agents}/gone`]: { link: "nowhere" },
      [`${agents}/loop`]: { link: "loop" },
      ...agentOf(`${agents}/acts\u001b[2J`),
      ...agentOf(`${agents}/fifo`, { "agent.json": { fifo: true } }),
      ...agentOf(`${agents}/prompt`, { "go.md": { link: "../../../../outside/agent/go.md" } }),
      ...agentOf(`${agents}/binary`, { "go.md": new Uint8Array([1, 0, 255]) }),
      ...agentOf(`${agents}/proto`, { "agent.json": '{"__proto__": {"steps": {}}}' }),
      [`${agents}/folder/agent.json/`]: "",
    });
    const { code, stdout } = await desk.agent(["validate"]);
    expect(stdout).not.toContain("\u001b");
    const told = stdout.split("\n").filter((line) => line.includes(": error: "));
    expect([
      code,
      told.map((line) => line.replace(".codelia/agents/", "").replaceAll(/known here: .*/g, "…")),
    ]).toEqual([
      1,
      [
        '"acts\\u001b[2J": error: an agent of this name cannot be run',
        "binary/steps.json:1:29: error: /steps/go/prompt: TREE/repo/.codelia/agents/binary/go.md: cannot read this prompt: it is no text, it holds a NUL",
        "fifo/agent.json:1:1: error: expected a regular file",
        "folder/agent.json:1:1: error: expected a regular file",
        "gone: error: this link leads nowhere, so that the agent cannot be run",
        "loop: error: this link leads nowhere, so that the agent cannot be run",
        "out: error: this link leads out of the project, so that the agent cannot be run",
        "prompt/steps.json:1:29: error: /steps/go/prompt: There is no prompt go.md: looked for TREE/repo/.codelia/agents/prompt/go.md. Write the file; a blank one does not count",
        "proto/agent.json:1:2: error: /__proto__: unknown key; …",
      ],
    ]);
  });
});

describe("codelia agent graph", () => {
  test("needs trust; draws to standard output or to a file, by its name or by --format", async () => {
    using desk = new AgentDesk(agentOf(`${agents}/a`));
    expect(await desk.agent(["graph", "a"])).toEqual({
      code: 3,
      stdout: "",
      stderr:
        "codelia: TREE/repo: this project is not trusted\nTrust it once with: codelia trust TREE/repo\nor for this run only with --trust.\n",
    });
    const mermaid =
      '---\ntitle: "a"\n---\nflowchart TD\n  n0(("start"))\n  n1["go"]\n  n2(["complete"])\n  n0 --> n1\n  n1 --> n2\n';
    expect(await desk.agent(["graph", "a", "--trust"])).toEqual({ code: 0, stdout: mermaid, stderr: "" });
    const written = await desk.agent(["graph", "a", "--trust", "-o", "a.svg"]);
    expect(written).toEqual({ code: 0, stdout: "", stderr: "Wrote TREE/repo/a.svg\n" });
    expect(readFileSync(desk.tree.at("repo/a.svg"), "utf8")).toStartWith("<svg ");
    expect((await desk.agent(["graph", "a", "--trust", "-o", "none/a.svg"])).code).toBe(1);
    const usage = await Promise.all([
      desk.agent(["graph", "--trust"]),
      desk.agent(["graph", "a", "--trust", "--format", "png"]),
    ]);
    expect(usage.map(({ code, stderr }) => [code, stderr.split("\n")[0]])).toEqual([
      [2, "codelia: say which agent to draw: its name, or the path of its directory"],
      [2, "codelia: --format png: expected one of mermaid, svg"],
    ]);
  });

  test("an agent that is not valid is not drawn: what is wrong is told", async () => {
    using desk = new AgentDesk(agentOf(`${agents}/a`, { "agent.json": '{"entry": "nix"}' }));
    expect(await desk.agent(["graph", "a", "--trust"])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        'codelia: TREE/repo/.codelia/agents/a/agent.json:1:11: /entry: there is no step "nix". There are: go.\nMend the agent; see all of it with: codelia agent validate a\n',
    });
  });
});

test("codelia agent run --dry-run shows every prompt, asks no model and leaves no run behind", async () => {
  using desk = new AgentDesk(
    agentOf(`${agents}/a`, {
      "agent.json": '{"parameters": {"what": {}}}',
      "go.md": "Go to {param-what}.\n",
    }),
  );
  const shown = (text: string) => ({
    code: 0,
    stdout: `== go\n\n-- prompt\n  Go to ${text}.\n\na: 1 step, 1 prompt. No model was asked; <…> are samples.\n`,
    stderr: "",
  });
  const run = ["run", "a", "--trust", "--dry-run"];
  expect(await desk.agent(run)).toEqual(shown("<parameter what>"));
  expect(await desk.agent([...run, "--param", "what=the\u001b[2J moon"])).toEqual(
    shown("the\\u001b[2J moon"),
  );
  expect((await desk.agent([...run, "--param", "wath=x"])).code).toBe(1);
  expect(existsSync(desk.tree.at("home/.codelia/flows"))).toBe(false);
});

test("codelia agent migrate needs trust, and says so when nothing is deprecated", async () => {
  using desk = new AgentDesk(agentOf(`${agents}/a`));
  expect((await desk.agent(["migrate"])).code).toBe(3);
  expect(await desk.agent(["migrate", "--trust"])).toEqual({
    code: 0,
    stdout: "1 agent: nothing in it is deprecated.\n",
    stderr: "",
  });
});
