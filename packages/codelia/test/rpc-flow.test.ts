import { expect, test } from "bun:test";
import { FlowListResultSchema } from "@codelia/protocol";
import { connect, streamTransport } from "@codelia/protocol/wire";
import { sleepers, uniqueSleep } from "../../../test/support/processes.ts";
import { startRpc } from "../../../test/support/rpc-process.ts";
import { agentFiles, FlowDesk } from "./flow-desk.ts";

test("a flow ends with all that it started when the client that started it is gone", async () => {
  const seconds = uniqueSleep();
  const check = { type: "command", command: ["sh", "-c", `sleep ${seconds}`] };
  const steps = { a: { prompt: "p.md", check, onPass: { complete: true } } };
  using desk = new FlowDesk(agentFiles("slow", { steps }));
  const child = startRpc({ ...desk.place, args: ["--trust"] });
  child.stderr.resume();
  const exited = new Promise((resolve) => child.on("close", resolve));
  const client = await connect(streamTransport(child.stdout, child.stdin), {
    client: { name: "test", version: "1" },
  });
  const seen: string[] = [];
  const params = {
    cwd: desk.place.cwd,
    agent: "slow",
    args: {},
    model: desk.model,
    approval: "full" as const,
  };
  const running = client.call("flow.start", params, { emit: ({ type }) => seen.push(type) });
  while (sleepers(seconds).length === 0) await Bun.sleep(5);
  child.stdin.end();
  expect((await running).status).toBe("interrupted");
  expect([await exited, sleepers(seconds), seen.at(0), seen.at(-1)]).toEqual([
    0,
    [],
    "flow.started",
    "flow.finished",
  ]);
  const { stdout } = await desk.agent(["runs", "--json"]);
  const { runs } = FlowListResultSchema.parse(JSON.parse(stdout));
  expect(runs.map(({ state }) => state)).toEqual(["stopped"]);
});
