import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import type { ConfirmParams, ProtocolEvent, Result } from "@codelia/protocol";
import type { WireClient } from "@codelia/protocol/wire";
import { uniqueSleep } from "../../../test/support/processes.ts";
import { begun, code, RpcDesk } from "./rpc-desk.ts";
import { call } from "./session-desk.ts";

async function exported(
  client: WireClient,
  cwd: string,
  id: string,
  format: "md" | "html" | "json" | "text",
) {
  let text = "";
  let cursor: string | undefined;
  let parts = 0;
  do {
    const part: Result<"session.export"> = await client.call("session.export", {
      cwd,
      id,
      format,
      ...(cursor === undefined ? {} : { cursor }),
    });
    text += part.text;
    cursor = part.next_cursor;
    parts += 1;
  } while (cursor !== undefined);
  return { text, parts };
}

describe("a program that drives the agent", () => {
  test("runs a prompt, answers its questions and hears everything in order", async () => {
    await using rpc = new RpcDesk();
    const client = await rpc.connect();
    const asked: ConfirmParams[] = [];
    const seen: ProtocolEvent[] = [];
    const turns = [
      call("write", { path: "b.txt", content: "yes\n" }),
      call("write", { path: "c.txt", content: "no\n" }),
      { text: "All done." },
    ];
    const result = await client.call("run.start", rpc.run("Change it", turns), {
      emit: (event) => seen.push(event),
      confirm: async (question) => {
        asked.push(question);
        const [started] = seen;
        const runId = started?.type === "run.started" ? started.run_id : "";
        if (asked.length === 1) {
          expect(await client.call("run.steer", { run_id: runId, text: "Go on." })).toEqual({ found: true });
        }
        return { decision: question.detail.endsWith("b.txt") ? "allow_once" : "deny" };
      },
    });
    expect([result.status, result.text, result.turns, result.refused_calls]).toEqual([
      "done",
      "All done.",
      3,
      0,
    ]);
    expect(asked.map(({ detail }) => detail)).toEqual([`${rpc.cwd}/b.txt`, `${rpc.cwd}/c.txt`]);
    expect(readdirSync(rpc.cwd).toSorted()).toEqual([".git", "a.txt", "b.txt"]);
    expect(
      seen.filter(({ type }) => type !== "usage" && type !== "text.delta").map(({ type }) => type),
    ).toEqual([
      "run.started",
      "user.message",
      "turn.started",
      "permission.decided",
      "tool.started",
      "tool.finished",
      "user.message",
      "turn.started",
      "permission.decided",
      "tool.finished",
      "turn.started",
      "run.finished",
    ]);
    await client.close();
    expect([await rpc.exited, rpc.stderr]).toEqual([0, ""]);
  });

  test("without anybody to ask is refused as a script is", async () => {
    await using rpc = new RpcDesk();
    const client = await rpc.connect();
    const params = rpc.run("Change it", [
      call("write", { path: "b.txt", content: "no\n" }),
      { text: "Not done." },
    ]);
    const result = await client.call("run.start", params);
    expect([result.status, result.refused_calls]).toEqual(["needs_permission", 1]);
  });

  test("looks at sessions, copies them, exports them and pages through their list", async () => {
    await using rpc = new RpcDesk();
    const client = await rpc.connect();
    const { cwd } = rpc;
    const params = rpc.run("First", [
      call("todo", { items: [{ text: "look", state: "doing" }] }),
      ...Array.from({ length: 120 }, () => call("read", { path: "a.txt" })),
      { text: "Read it." },
    ]);
    const { session_id: id } = await client.call("run.start", params);
    const opened = await client.call("session.open", { cwd });
    expect(opened).toEqual({
      session: opened.session,
      cwd,
      model: params.model,
      prompts: 1,
      answers: 122,
      open_calls: [],
      todo: [{ text: "look", state: "doing" }],
      notices: [],
    });
    expect([opened.session.id, opened.session.state, opened.session.title]).toEqual([id, "done", "First"]);

    const { session: copy } = await client.call("session.fork", { cwd, id });
    expect([copy.forked_from, copy.state]).toEqual([id, "done"]);
    const again = await client.call("run.start", {
      ...rpc.run("And then", [{ text: "More." }]),
      session: { how: "resume", id: copy.id },
    });
    expect([again.status, again.session_id]).toEqual(["done", copy.id]);

    for (const format of ["md", "html", "json", "text"] as const) {
      const { text, parts } = await exported(client, cwd, id, format);
      const command = format === "text" ? ["show", id] : ["export", id, "--format", format];
      const { stdout } = await rpc.desk.codelia(["sessions", ...command]);
      expect(stdout).toBe(text);
      expect([format, parts > 1]).toEqual([format, true]);
    }
    const { text: json } = await exported(client, cwd, id, "json");
    const history = await client.call("session.history", { cwd, id, limit: 10_000 });
    expect(history.next_cursor).toBeUndefined();
    expect(JSON.parse(json)).toEqual({
      format: 1,
      session: history.session,
      entries: history.entries,
      notices: [],
    });
    // From the end, in pages, while the session goes on: nothing is lost, nothing comes twice.
    const fromEnd = { cwd, id, from: "end" as const, limit: 50 };
    const last = await client.call("session.history", fromEnd);
    await client.call("run.start", {
      ...rpc.run("Meanwhile", [{ text: "Something else." }]),
      session: { how: "resume", id },
    });
    let earlier = [...last.entries];
    let at = last.next_cursor;
    while (at !== undefined) {
      const page = await client.call("session.history", { ...fromEnd, cursor: at });
      earlier = [...page.entries, ...earlier];
      at = page.next_cursor;
    }
    const newer = { cwd, id, limit: 1000, cursor: last.newer_cursor ?? "" };
    const later = await client.call("session.history", newer);
    const everything = await client.call("session.history", { cwd, id, limit: 10_000 });
    expect(earlier).toEqual(history.entries);
    expect([...earlier, ...later.entries]).toEqual(everything.entries);
    const crossed = { ...fromEnd, cursor: last.newer_cursor ?? "" };
    expect(await client.call("session.history", crossed).catch(code)).toBe("invalid_params");
    const otherWay = { cwd, id, limit: 10, cursor: last.next_cursor ?? "" };
    expect(await client.call("session.history", otherWay).catch(code)).toBe("invalid_params");

    const wrong = { cwd, id, format: "md" as const, cursor: "1.1" };
    expect(await client.call("session.export", wrong).catch(code)).toBe("invalid_params");

    const all = await client.call("session.list", { cwd, all: false, limit: 10 });
    const first = await client.call("session.list", { cwd, all: false, limit: 1 });
    const cursor = first.next_cursor ?? "";
    const second = await client.call("session.list", { cwd, all: false, limit: 1, cursor });
    expect([all.next_cursor, second.next_cursor]).toEqual([undefined, undefined]);
    expect([...first.sessions, ...second.sessions]).toEqual(all.sessions);
    expect(all.sessions.map((session) => session.id)).toEqual([id, copy.id]);
    expect(await client.call("session.list", { cwd, all: false, limit: 1, cursor: "x" }).catch(code)).toBe(
      "invalid_params",
    );
    await client.close();
  });

  test("is told why a session cannot be gone on with", async () => {
    await using rpc = new RpcDesk();
    const client = await rpc.connect();
    const seconds = uniqueSleep();
    const { promise, emit } = begun();
    const cancel = new AbortController();
    const params = {
      ...rpc.run("Wait", [call("bash", { command: `sleep ${seconds}` })]),
      approval: "full" as const,
    };
    const running = client.call("run.start", params, { emit, signal: cancel.signal });
    const id = await promise;
    const opened = await client.call("session.open", { cwd: rpc.cwd, id });
    expect([opened.session.state, opened.obstacle?.message]).toEqual([
      "running",
      `${id}: this session is in use`,
    ]);
    const session = { how: "resume" as const, id };
    expect(await client.call("run.start", { ...params, session }).catch(code)).toBe("in_use");
    cancel.abort();
    expect((await running).status).toBe("interrupted");
    expect((await client.call("session.open", { cwd: rpc.cwd, id })).obstacle).toBeUndefined();
    await client.close();
  });

  test("sets the default model, and only one that can be used", async () => {
    await using rpc = new RpcDesk([
      "--trust",
      "-c",
      'models.providers.local={"kind":"openai-compatible","baseUrl":"http://127.0.0.1:9/v1"}',
    ]);
    const client = await rpc.connect();
    const file = rpc.desk.tree.at("home/.codelia/config.json");
    const set = await client.call("models.set", { model: "local/some" });
    expect(set).toEqual({ model: "local/some", changed: true, file });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ models: { default: "local/some" } });
    expect((await client.call("models.set", { model: "local/some" })).changed).toBe(false);
    expect((await client.call("models.list", {})).default_model).toBe("local/some");
    expect(await client.call("models.set", { model: "nobody/x" }).catch(code)).toBe("no_model");
    await client.close();
  });

  test("asks which instructions apply to a path, and leaves out what it does not need", async () => {
    await using rpc = new RpcDesk();
    rpc.desk.tree.add({ "repo/AGENTS.md": "Root.\n", "repo/sub/AGENTS.md": "Sub.\n" });
    const client = await rpc.connect();
    const { cwd } = rpc;
    const resolved = await client.call("agents.resolve", { cwd, path: "sub/x.ts" });
    expect([resolved.path, resolved.exists, resolved.files.map(({ path }) => path)]).toEqual([
      `${cwd}/sub/x.ts`,
      false,
      [`${cwd}/sub/AGENTS.md`],
    ]);
    const whole = await client.call("context.inspect", { cwd });
    const without = await client.call("context.inspect", {
      cwd,
      include_agents: false,
      include_skills: true,
    });
    expect(whole.agents.files.map(({ path }) => path)).toEqual([`${cwd}/AGENTS.md`]);
    expect([without.agents.files, without.agents.text, without.skills?.total]).toEqual([[], undefined, 0]);
    expect(without.agents).toEqual({ ...whole.agents, files: [], text: undefined });
    await client.close();
  });
});
