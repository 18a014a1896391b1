// MCP servers in a run of a flow: real processes in real sandboxes.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Channel, ConfirmParams, FlowEvent } from "@codelia/protocol";
import type { FlowStep, McpServerConfig } from "@codelia/shared-types";
import { pathToRepository } from "../../../../test/support/codelia.ts";
import { processesNaming } from "../../../../test/support/processes.ts";
import type { RuntimeEnvironment } from "../../src/environment.ts";
import { hostileServer, uniqueWord, yes } from "../mcp/mcp-scene.ts";
import { call, FlowScene, says } from "./flow-scene.ts";

const silent: Channel = { emit: () => undefined, confirm: undefined };

/** Three steps without tools of their own, the second tried twice, of which each calls the server once. */
class ServerScene extends FlowScene {
  constructor(
    server: McpServerConfig,
    calls: readonly unknown[] = [call("mcp__srv__count", {})],
    first: Partial<FlowStep> = {},
  ) {
    const pass = says({ word: "x" });
    super({
      steps: {
        a: { onPass: { next: "b" }, ...first },
        b: { output: { word: { type: "string" } }, onPass: { next: "c" } },
        c: {},
      },
      model: {
        "Do a.": [...calls, { text: "done" }],
        "Do b.": [...calls, { text: "no word" }, ...calls, pass],
        "Do c.": [...calls, { text: "done" }],
      },
      files: {
        "home/.codelia/config.json": JSON.stringify({ mcp: { servers: { srv: server } } }),
        "repo/starts.log": "",
      },
    });
  }

  override get environment(): RuntimeEnvironment {
    return { ...super.environment, env: { PATH: pathToRepository, HOME: this.tree.at("home") } };
  }

  async approve(): Promise<void> {
    const params = { cwd: this.tree.at("repo"), name: "srv", revoke: false };
    await this.handlers["mcp.approve"](params, silent);
    this.tree.add({ "repo/starts.log": "" });
  }

  get starts(): number {
    return readFileSync(this.tree.at("repo/starts.log"), "utf8").split("\n").length - 1;
  }

  /** What the calls of the server gave, in order. */
  get outputs(): string[] {
    return this.events.flatMap((event) =>
      event.type === "flow.activity" && event.event.type === "tool.finished" ? [event.event.output] : [],
    );
  }
}

describe("an MCP server in a run of a flow", () => {
  test("is started once, serves all steps and retries, and is ended with the run", async () => {
    const word = uniqueWord();
    using scene = new ServerScene(hostileServer("good", word));
    await scene.approve();
    const { status } = await scene.start();
    expect([status, scene.outputs, scene.starts, processesNaming(word)]).toEqual([
      "done",
      ["1", "2", "3", "4"],
      1,
      [],
    ]);
  }, 120_000);

  test("that is not approved is asked about once a run, by whoever is asked then", async () => {
    const word = uniqueWord();
    using scene = new ServerScene(hostileServer("good", word));
    const asked: string[] = [];
    const confirm = (question: ConfirmParams) => {
      asked.push(question.title);
      return yes(question);
    };
    const { status } = await scene.start({ approval: "ask" }, { confirm });
    const calls = Array.from({ length: 4 }, () => "srv: count");
    expect([status, asked, scene.outputs, scene.starts, processesNaming(word)]).toEqual([
      "done",
      ["use the tools of the MCP server srv", ...calls],
      ["1", "2", "3", "4"],
      1,
      [],
    ]);
  }, 120_000);

  test("that was asked about in a query whose time ran out is asked about again by the next one", async () => {
    const word = uniqueWord();
    // Long enough for a server to start on a busy machine.
    const first = { limits: { timeMs: 8_000 } };
    using scene = new ServerScene(hostileServer("good", word), undefined, first);
    let asked = 0;
    const confirm = (question: ConfirmParams) => {
      asked += 1;
      return asked === 1 ? new Promise<never>(() => undefined) : yes(question);
    };
    const { status } = await scene.start({}, { confirm });
    expect([status, asked, scene.outputs, scene.starts, processesNaming(word)]).toEqual([
      "done",
      2,
      ["1", "2", "3", "4"],
      2,
      [],
    ]);
  }, 120_000);

  test("that changes its tools is refused for the rest of the run, and each refusal counts once", async () => {
    const word = uniqueWord();
    using scene = new ServerScene(hostileServer("turning", word), [call("mcp__srv__act", {})]);
    await scene.approve();
    const { status, refused_calls } = await scene.start();
    expect([status, refused_calls, scene.starts, processesNaming(word)]).toEqual(["done", 3, 1, []]);
  }, 120_000);

  test("is ended with all that it started when the run is cancelled in a call", async () => {
    const word = uniqueWord();
    using scene = new ServerScene(hostileServer("hang-in-call", word), [call("mcp__srv__echo", {})]);
    await scene.approve();
    const { handlers } = scene;
    const heard: FlowEvent["type"][] = [];
    let run = "";
    const outcome = await handlers["flow.start"](
      {
        cwd: scene.tree.at("repo"),
        agent: "flow",
        args: {},
        approval: "full",
        model: `scripted/${scene.tree.at("script.json")}`,
      },
      {
        emit: (event) => {
          if (event.type === "flow.started") run = event.run_id;
          if (event.type !== "flow.activity" || event.event.type !== "tool.started") return;
          heard.push(event.type);
          void handlers["flow.cancel"]({ run_id: run }, silent);
        },
        confirm: undefined,
      },
    );
    expect([heard.length, outcome.status, scene.starts, processesNaming(word)]).toEqual([
      1,
      "interrupted",
      1,
      [],
    ]);
  }, 120_000);
});
