// `codelia acp` with the official SDK's client on the other side: nothing of ours but the program.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type ContentBlock, methods } from "@agentclientprotocol/sdk";
import { sleepers, uniqueSleep } from "../../../test/support/processes.ts";
import { version } from "../src/version.ts";
import { choose, EditorDesk, failure } from "./editor-desk.ts";

const noModel =
  "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start a local server (Ollama, llama.cpp, LM Studio).\nSee: codelia models";
const call = (name: string, args: unknown) => ({ tool_calls: [{ name, arguments: args }] });
const readA = call("read", { path: "a.txt" });
const editA = call("edit", { path: "a.txt", old: "two", new: "2" });

test("an editor learns what the agent can do", async () => {
  await using desk = new EditorDesk();
  const editor = await desk.editor();
  expect(editor.initialized).toEqual({
    protocolVersion: 1,
    agentInfo: { name: "codelia", title: "Codelia", version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
    authMethods: [],
  });
});

test("an answer is streamed piece by piece, thoughts apart, and ends the turn", async () => {
  await using desk = new EditorDesk();
  await desk.trust();
  const model = desk.script([{ reasoning: "Let me see.", text: "Hello from here.", chunk: 6 }]);
  const editor = await desk.editor({ args: ["-m", model] });
  const response = await editor.prompt(await editor.newSession(desk.repo), "hello");
  const pieces = editor.updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk").length;
  expect([response, editor.text("agent_thought_chunk"), editor.text("agent_message_chunk"), pieces]).toEqual([
    { stopReason: "end_turn" },
    "Let me see.",
    "Hello from here.",
    3,
  ]);
});

describe("an edit", () => {
  const turns = [readA, editA, { text: "Done." }];
  const diff = { type: "diff" as const, path: "", oldText: "one\ntwo\n", newText: "one\n2\n" };

  test("that is allowed once is shown with old and new text, before and after the question", async () => {
    await using desk = new EditorDesk();
    await desk.trust();
    const editor = await desk.editor({ args: ["-m", desk.script(turns)], answer: choose("allow_once") });
    const { stopReason } = await editor.prompt(await editor.newSession(desk.repo), "two is 2");
    const path = desk.tree.at("repo/a.txt");
    const [question] = editor.questions;
    expect([stopReason, readFileSync(path, "utf8"), editor.questions.length, question?.toolCall]).toEqual([
      "end_turn",
      "one\n2\n",
      1,
      {
        toolCallId: "call_2_1",
        title: "edit a.txt",
        kind: "edit",
        status: "pending",
        content: [{ ...diff, path }],
        locations: [{ path }],
      },
    ]);
    expect(question?.options.map(({ optionId, kind }) => [optionId, kind])).toEqual([
      ["allow_once", "allow_once"],
      ["allow_session", "allow_always"],
      ["allow_always", "allow_always"],
      ["deny", "reject_once"],
    ]);
    const shown = {
      toolCallId: "call_2_1",
      title: "edit a.txt",
      kind: "edit" as const,
      locations: [{ path }],
    };
    expect(editor.calls()).toEqual([
      {
        sessionUpdate: "tool_call",
        toolCallId: "call_1_1",
        title: "read a.txt",
        kind: "read",
        status: "in_progress",
        locations: [{ path }],
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "call_1_1",
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: "```\n    1\tone\n    2\ttwo\n```" } }],
      },
      { sessionUpdate: "tool_call", ...shown, status: "pending", content: [{ ...diff, path }] },
      { sessionUpdate: "tool_call_update", ...shown, status: "in_progress", content: [{ ...diff, path }] },
      { sessionUpdate: "tool_call_update", toolCallId: "call_2_1", status: "completed" },
    ]);
  });

  test("that is rejected changes nothing, and the call has failed", async () => {
    await using desk = new EditorDesk();
    await desk.trust();
    const editor = await desk.editor({ args: ["-m", desk.script(turns)], answer: choose("deny") });
    const { stopReason } = await editor.prompt(await editor.newSession(desk.repo), "two is 2");
    expect([stopReason, readFileSync(desk.tree.at("repo/a.txt"), "utf8"), editor.calls().at(-1)]).toEqual([
      "end_turn",
      "one\ntwo\n",
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "call_2_1",
        status: "failed",
        content: [{ type: "content", content: { type: "text", text: "```\nThe user said no.\n```" } }],
      },
    ]);
  });

  test("needs no question in the mode auto-edit, which the editor sets", async () => {
    await using desk = new EditorDesk();
    await desk.trust();
    const editor = await desk.editor({ args: ["-m", desk.script(turns)] });
    const sessionId = await editor.newSession(desk.repo);
    await editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: "auto-edit" });
    await editor.prompt(sessionId, "two is 2");
    const started = editor.calls().find(({ sessionUpdate }) => sessionUpdate === "tool_call_update");
    expect([
      editor.questions,
      readFileSync(desk.tree.at("repo/a.txt"), "utf8"),
      started !== undefined,
    ]).toEqual([[], "one\n2\n", true]);
    const unknown = editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: "yolo" });
    expect(await failure(unknown)).toEqual({
      code: -32602,
      message: 'mode: there is no such choice: "yolo"',
      data: { code: "invalid_params" },
    });
  });

  test("is taken back by /undo", async () => {
    await using desk = new EditorDesk();
    await desk.trust();
    const args = ["-m", desk.script(turns), "--approval", "auto-edit"];
    const editor = await desk.editor({ args });
    const sessionId = await editor.newSession(desk.repo);
    await editor.prompt(sessionId, "two is 2");
    await editor.prompt(sessionId, "/undo");
    const path = desk.tree.at("repo/a.txt");
    expect([readFileSync(path, "utf8"), editor.text("agent_message_chunk")]).toEqual([
      "one\ntwo\n",
      `Done.Undone:\n- ${path}: restored\n`,
    ]);
  });
});

test("what was allowed for the session is not asked again", async () => {
  await using desk = new EditorDesk();
  await desk.trust();
  const touch = call("bash", { command: "touch made" });
  const editor = await desk.editor({
    args: ["-m", desk.script([touch, touch, { text: "Done." }])],
    answer: choose("allow_session"),
  });
  await editor.prompt(await editor.newSession(desk.repo), "touch it twice");
  expect(editor.questions.map(({ toolCall }) => [toolCall.kind, toolCall.title])).toEqual([
    ["execute", "run touch made"],
  ]);
});

describe("a cancel", () => {
  test("in the middle of a command ends it at once, and no process is left", async () => {
    await using desk = new EditorDesk();
    await desk.trust();
    const seconds = uniqueSleep();
    const model = desk.script([call("bash", { command: `sleep ${seconds}` }), { text: "never said" }]);
    const editor = await desk.editor({ args: ["-m", model, "--approval", "full"] });
    const sessionId = await editor.newSession(desk.repo);
    const ending = editor.prompt(sessionId, "sleep");
    await editor.seen((update) => update.sessionUpdate === "tool_call" && update.status === "in_progress");
    await editor.agent.notify(methods.agent.session.cancel, { sessionId });
    expect([await ending, editor.text("agent_message_chunk")]).toEqual([{ stopReason: "cancelled" }, ""]);
    expect(sleepers(seconds)).toEqual([]);
  });

  test("while a question is open counts as no, also when the editor never answers it", async () => {
    await using desk = new EditorDesk();
    await desk.trust();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const editor = await desk.editor({
      args: ["-m", desk.script([call("bash", { command: "touch made" }), { text: "Done." }])],
      answer: () => {
        resolve();
        return new Promise(() => undefined);
      },
    });
    const sessionId = await editor.newSession(desk.repo);
    const ending = editor.prompt(sessionId, "touch");
    await asked;
    await editor.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await ending).toEqual({ stopReason: "cancelled" });
  });

  test("of an editor that goes away ends the program and its commands", async () => {
    await using desk = new EditorDesk();
    await desk.trust();
    const seconds = uniqueSleep();
    const model = desk.script([call("bash", { command: `sleep ${seconds}` }), { text: "never said" }]);
    const editor = await desk.editor({ args: ["-m", model, "--approval", "full"] });
    const ending = editor.prompt(await editor.newSession(desk.repo), "sleep").catch(() => "closed");
    await editor.seen((update) => update.sessionUpdate === "tool_call" && update.status === "in_progress");
    expect([await editor.leave(), await ending]).toEqual([0, "closed"]);
    expect(sleepers(seconds)).toEqual([]);
  });
});

test("a session is loaded by another process with its history, and goes on", async () => {
  await using desk = new EditorDesk();
  await desk.trust();
  const first = await desk.editor({
    args: ["-m", desk.script([readA, { reasoning: "Hm.", text: "It says one and two." }])],
  });
  const sessionId = await first.newSession(desk.repo);
  await first.prompt(sessionId, "what does a.txt say?");
  expect(await first.leave()).toBe(0);

  const second = await desk.editor({
    args: ["-m", desk.script([readA, { text: "Still so." }], "again.json")],
  });
  const { sessions } = await second.agent.request(methods.agent.session.list, { cwd: desk.repo });
  expect(sessions.map((each) => [each.sessionId, each.title, each.cwd])).toEqual([
    [sessionId, "what does a.txt say?", desk.repo],
  ]);
  await second.agent.request(methods.agent.session.load, { sessionId, cwd: desk.repo, mcpServers: [] });
  const told = second.updates.length;
  expect([
    second.text("user_message_chunk"),
    second.text("agent_thought_chunk"),
    second.text("agent_message_chunk"),
    second.calls().map(({ toolCallId, status }) => [toolCallId, status]),
  ]).toEqual([
    "what does a.txt say?",
    "Hm.",
    "It says one and two.",
    [
      ["call_1_1", "failed"],
      ["call_1_1", undefined],
      ["call_1_1", "completed"],
    ],
  ]);
  const { stopReason } = await second.prompt(sessionId, "and now?");
  // The model's ids begin anew with a run; in the editor each call has its own.
  const later = second.updates.slice(told).filter(({ sessionUpdate }) => sessionUpdate === "tool_call");
  expect([stopReason, later.map((update) => ("toolCallId" in update ? update.toolCallId : ""))]).toEqual([
    "end_turn",
    ["call_1_1~2"],
  ]);
});

test("the model's own list is the editor's plan, live and when the session is loaded again", async () => {
  await using desk = new EditorDesk();
  await desk.trust();
  const list = (...states: string[]) =>
    call("todo", { items: states.map((state, index) => ({ text: `step\n${index + 1}`, state })) });
  const turns = [list("doing", "open"), list("done", "nonsense"), list("done", "doing"), { text: "So far." }];
  const first = await desk.editor({ args: ["-m", desk.script(turns)] });
  const sessionId = await first.newSession(desk.repo);
  await first.prompt(sessionId, "make a plan");
  const second = await desk.editor();
  await second.agent.request(methods.agent.session.load, { sessionId, cwd: desk.repo, mcpServers: [] });
  const empty = await second.newSession(desk.repo);
  const plans = ({ updates }: typeof first) =>
    updates.flatMap((update) =>
      update.sessionUpdate === "plan"
        ? [update.entries.map(({ content, priority, status }) => [content, priority, status])]
        : [],
    );
  const last = [
    ["step 1", "medium", "completed"],
    ["step 2", "medium", "in_progress"],
  ];
  expect([plans(first), plans(second), empty !== sessionId]).toEqual([
    [
      [
        ["step 1", "medium", "in_progress"],
        ["step 2", "medium", "pending"],
      ],
      last,
    ],
    [last],
    true,
  ]);
});

test("images, mentioned files and open buffers reach the model", async () => {
  await using desk = new EditorDesk();
  await desk.trust();
  const pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const path = desk.tree.at("repo/a.txt");
  const expected = ["unsaved ````text", "&lt;system-reminder>", `look at @${path} and @${path}#L2`];
  const model = desk.script([{ text: "Seen.", expect: { last_user_contains: expected } }]);
  const editor = await desk.editor({ args: ["-m", model] });
  const sessionId = await editor.newSession(desk.repo);
  const prompt: ContentBlock[] = [
    { type: "text", text: "look at " },
    { type: "resource_link", name: "a.txt", uri: `file://${path}` },
    { type: "text", text: " and " },
    {
      type: "resource",
      resource: { uri: `file://${path}#L2`, text: "unsaved ````text $skill <system-reminder>" },
    },
    { type: "image", mimeType: "image/png", data: pixel },
  ];
  const response = await editor.agent.request(methods.agent.session.prompt, { sessionId, prompt });
  expect([response, editor.text("agent_message_chunk")]).toEqual([{ stopReason: "end_turn" }, "Seen."]);
  const audio: ContentBlock[] = [{ type: "audio", mimeType: "audio/wav", data: "" }];
  const refused = await failure(
    editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: audio }),
  );
  expect([refused.code, refused.message.startsWith("audio cannot be sent")]).toEqual([-32602, true]);
});

test("skills are offered as commands, and /name loads one", async () => {
  await using desk = new EditorDesk({
    "repo/.agents/skills/greet/SKILL.md": "---\nname: greet\ndescription: How to greet.\n---\nSay ahoy.\n",
  });
  await desk.trust();
  const model = desk.script([{ text: "Ahoy.", expect: { request_contains: ["Say ahoy.", "$greet me"] } }]);
  const editor = await desk.editor({ args: ["-m", model] });
  const sessionId = await editor.newSession(desk.repo);
  await editor.seen(({ sessionUpdate }) => sessionUpdate === "available_commands_update");
  const offered = editor.updates.find(({ sessionUpdate }) => sessionUpdate === "available_commands_update");
  await editor.prompt(sessionId, "/greet me");
  expect([offered, editor.text("agent_message_chunk")]).toEqual([
    {
      sessionUpdate: "available_commands_update",
      availableCommands: [
        { name: "undo", description: "Put back the files that the last prompt's tools changed" },
        { name: "greet", description: "How to greet.", input: { hint: "what to do with it" } },
      ],
    },
    "Ahoy.",
  ]);
});

describe("errors say which one it is and what to do", () => {
  test("a project that is not trusted", async () => {
    await using desk = new EditorDesk();
    const editor = await desk.editor();
    const hint = `Trust it once with: codelia trust ${desk.repo}\nor for this run only with --trust.`;
    expect(await failure(editor.newSession(desk.repo))).toEqual({
      code: -32010,
      message: `${desk.repo}: this project is not trusted\n${hint}`,
      data: { code: "untrusted", hint },
    });
  });

  test("no model, a session that is not there, a prompt too many, a model that fails", async () => {
    await using desk = new EditorDesk();
    await desk.trust();
    const editor = await desk.editor();
    const sessionId = await editor.newSession(desk.repo);
    const none = await failure(editor.prompt(sessionId, "hello"));
    expect([none.code, none.data]).toEqual([-32010, { code: "no_model", hint: noModel }]);

    const missing = await failure(editor.prompt("20260101T000000-00000000", "hello"));
    expect([missing.code, missing.data]).toEqual([-32002, { sessionId: "20260101T000000-00000000" }]);
    const load = { sessionId: "20260101T000000-00000000", cwd: desk.repo, mcpServers: [] };
    const gone = await failure(editor.agent.request(methods.agent.session.load, load));
    expect([gone.code, gone.data]).toEqual([
      -32002,
      { code: "not_found", hint: "See: codelia sessions list --all" },
    ]);

    const broken = desk.script([{ error: { kind: "AuthError", message: "the key is refused" } }]);
    const value = { sessionId, configId: "model", value: broken };
    await editor.agent.request(methods.agent.session.setConfigOption, value);
    const failed = await failure(editor.prompt(sessionId, "hello"));
    expect([failed.code, failed.data]).toEqual([
      -32010,
      {
        code: "run_failed",
        kind: "AuthError",
        hint: "Check the provider's key: `codelia models` shows which variable it is taken from.",
      },
    ]);

    const waiting = desk.script([{ text: "late", delay_ms: 600_000 }], "waiting.json");
    await editor.agent.request(methods.agent.session.setConfigOption, { ...value, value: waiting });
    const long = editor.prompt(sessionId, "hello");
    const second = await failure(editor.prompt(sessionId, "and this"));
    expect([second.code, second.data]).toEqual([-32600, { code: "in_use", sessionId }]);
    await editor.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await long).toEqual({ stopReason: "cancelled" });
  });
});
