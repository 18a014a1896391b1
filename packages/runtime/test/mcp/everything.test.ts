import { describe, expect, test } from "bun:test";
import { killProcessesNaming, untilNobodyNames } from "../../../../test/support/processes.ts";
import { McpScene, only, packagedServer, uniqueWord } from "./mcp-scene.ts";

// server-everything, the reference server of MCP's makers.
describe("over stdio with server-everything", () => {
  test("tools, resources and prompts are found and used, and the server has none of the user's secrets", async () => {
    using scene = new McpScene({}, { MY_API_KEY: "a-secret-value-of-mine", PLAIN: "plain-value" });
    scene.configure({ everything: packagedServer("server-everything", "stdio") });
    await scene.approve("everything");
    const { status, outputs } = await scene.run([
      ["mcp__everything__echo", { message: "hello" }],
      ["mcp_call", { server: "everything", tool: "get-sum", arguments: { a: 2, b: 40 } }],
      ["mcp_search", { server: "everything", kind: "prompts", query: "no arguments" }],
      ["mcp_call", { server: "everything", prompt: "args-prompt", arguments: { city: "Kyoto" } }],
      ["mcp_search", { server: "everything", kind: "resources", query: "features" }],
      ["mcp_call", { server: "everything", resource: "demo://resource/static/document/features.md" }],
      ["mcp__everything__get-tiny-image", {}],
      ["mcp__everything__get-roots-list", {}],
      ["mcp__everything__get-env", {}],
    ]);
    const [echo, sum, prompts, prompt, resources, resource = "", image, roots = "", env = ""] = outputs;
    expect([status, echo, sum, prompts, prompt, resources, image]).toEqual([
      "done",
      "Echo: hello",
      "The sum of 2 and 40 is 42.",
      '{"count":1}\n{"name":"simple-prompt","description":"A prompt with no arguments","arguments":[]}\n',
      "user: What's weather in Kyoto?\n",
      '{"count":1}\n{"name":"features.md","description":"Static document file exposed from /docs: features.md","uri":"demo://resource/static/document/features.md"}\n',
      "Here's the image you requested:\n[image/png, 4035 bytes: it is shown below]\nThe image above is the MCP logo.",
    ]);
    expect(resource.split("\n").slice(0, 2)).toEqual([
      "[resource demo://resource/static/document/features.md]",
      "# Everything Server - Features",
    ]);
    expect([
      roots.includes(`file://${scene.cwd}`),
      /plain-value/.test(env),
      /secret|MY_API_KEY/.test(env),
    ]).toEqual([true, true, false]);
  });

  test("a call is cancelled in the middle, the session goes on, and no process is left", async () => {
    using scene = new McpScene();
    const word = uniqueWord();
    scene.configure({ everything: packagedServer("server-everything", "stdio", word) });
    await scene.approve("everything");
    const long = [
      "mcp__everything__trigger-long-running-operation",
      { duration: 3600, steps: 3600 },
    ] as const;
    const cancelled = await scene.run([long], {
      onEvent: (event, cancel) => {
        if (event.type === "tool.started") cancel();
      },
    });
    await untilNobodyNames(word);
    const resumed = await scene.run([["mcp__everything__echo", { message: "again" }]], {
      resume: cancelled.sessionId,
    });
    await untilNobodyNames(word);
    expect([cancelled.status, cancelled.outputs, resumed.status, resumed.outputs]).toEqual([
      "interrupted",
      ["Interrupted by the user before it ended."],
      "done",
      ["Echo: again"],
    ]);
  });

  test("a server that was killed is started again at the next call", async () => {
    using scene = new McpScene();
    const word = uniqueWord();
    scene.configure({ everything: packagedServer("server-everything", "stdio", word) });
    await scene.approve("everything");
    const echo = ["mcp__everything__echo", { message: "here" }] as const;
    // Whether the call right after the kill finds it gone already is the machine's affair.
    const { status, outputs, events } = await scene.run([echo, echo, echo], {
      onEvent: (event) => {
        if (event.type === "tool.finished" && event.call_id === "call_1_1") killProcessesNaming(word);
      },
    });
    expect([status, outputs[0], outputs[2], only(events, "tool.finished").length]).toEqual([
      "done",
      "Echo: here",
      "Echo: here",
      3,
    ]);
  });
});
