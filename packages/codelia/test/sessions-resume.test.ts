import { describe, expect, test } from "bun:test";
import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { RunEventSchema } from "@codelia/protocol";
import { z } from "zod";
import { repository } from "../../../test/support/codelia.ts";
import { inTerminal } from "../../../test/support/terminal.ts";
import { call, SessionDesk } from "./session-desk.ts";

describe("codelia run --resume", () => {
  test("goes on with a session by a part of its id, and says which of several it could be", async () => {
    using desk = new SessionDesk();
    const one = await desk.session("first task");
    const two = await desk.session("second task");
    const part = one.slice(-6);
    const resumed = await desk.run(
      "and then?",
      [{ text: "Then this.", expect: { request_contains: ["first task", "About first task."] } }],
      ["--resume", part],
    );
    expect([resumed.code, resumed.stdout]).toEqual([0, "Then this.\n"]);
    const beginning = "20";
    for (const args of [
      ["sessions", "show", beginning],
      ["sessions", "delete", beginning],
    ]) {
      const { code, stderr } = await desk.codelia(args);
      expect([code, stderr]).toEqual([
        1,
        `codelia: 20: more than one session has this in its id: ${one}, ${two}\nGive more of the id.\n`,
      ]);
    }
    const missing = await desk.run("go on", [{ text: "No." }], ["--resume", "99999999"]);
    expect([missing.code, missing.stderr]).toEqual([
      1,
      "codelia: 99999999: there is no such session\nSee: codelia sessions list --all\n",
    ]);
  });

  test("without an ID asks in a terminal, and takes the answer", async () => {
    using desk = new SessionDesk();
    await desk.session("the newer\n\u001b[2J one", { minute: 2 });
    await desk.session("the older one", { minute: 1 });
    const turns = [{ text: "Gone on.", expect: { request_contains: "the older one" } }];
    const { code, screen } = await inTerminal(["run", "go on", "--resume", ...desk.modelArgs(turns)], {
      cwd: desk.tree.at("repo"),
      home: desk.tree.at("home"),
      prompt: "Which one? ",
      answers: ["2"],
    });
    expect(code).toBe(0);
    expect(screen.replaceAll("\r", "").split("\n").slice(0, 2)).toEqual([
      "  1  2026-01-02 03:02  the newer \\u001b[2J one",
      "  2  2026-01-02 03:01  the older one",
    ]);
    expect(screen).toContain("Gone on.");
  });

  test("without an ID and without a terminal is a usage error that names --continue", async () => {
    using desk = new SessionDesk();
    await desk.session("a task");
    const { code, stdout, stderr } = await desk.run("go on", [{ text: "No." }], ["--resume"]);
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      "codelia: --resume needs an ID where nobody can be asked; --continue takes the last session\nSee: codelia help run\n",
    ]);
  });
});

test("--continue goes on with the last session of its own worktree", async () => {
  using desk = new SessionDesk();
  desk.git("worktree", "add", "--quiet", "../tree", "-b", "side");
  desk.git("worktree", "add", "--quiet", "../third", "-b", "third");
  await desk.session("work in main", { minute: 1 });
  await desk.session("work in side", { minute: 2, in: "tree" });
  const goOn = (place: string, expected: string) =>
    desk.run("more", [{ text: "More.", expect: { request_contains: expected } }], ["--continue"], {
      in: place,
    });
  const main = await goOn("repo", "work in main");
  const side = await goOn("tree", "work in side");
  expect([main.stdout, side.stdout]).toEqual(["More.\n", "More.\n"]);
  const { code, stderr } = await desk.run("more", [{ text: "No." }], ["--continue"], { in: "third" });
  expect([code, stderr]).toEqual([
    1,
    `codelia: ${desk.tree.at("third")}: there is no session here\nThere are sessions of other worktrees: see codelia sessions list, and give an ID.\n`,
  ]);
});

test("a session in use is running for others: it can be read, and neither resumed nor deleted", async () => {
  using desk = new SessionDesk();
  // The command holds the session until the FIFO has been opened at its other end.
  desk.tree.add({ "repo/hold": { fifo: true } });
  const turns = [call("bash", { command: "timeout 600 cat hold" }), { text: "Done." }];
  const main = join(repository, "packages/codelia/src/main.ts");
  const args = ["run", "hold it", "--json", "--approval", "full", ...desk.modelArgs(turns)];
  const child = Bun.spawn([process.execPath, main, ...args], {
    cwd: desk.tree.at("repo"),
    env: { PATH: process.env.PATH ?? "", HOME: desk.tree.at("home"), PWD: desk.tree.at("repo") },
    stdin: null,
    stdout: "pipe",
    stderr: "ignore",
  });
  const id = await untilToolStarted(child.stdout);
  try {
    const { sessions, problems } = await desk.list();
    expect([sessions.map(({ state }) => state), problems]).toEqual([["running"], []]);
    const shown = await desk.codelia(["sessions", "show", id]);
    expect([shown.code, shown.stderr]).toEqual([0, ""]);
    expect(shown.stdout).toContain("> hold it\n\n… run timeout 600 cat hold (no result)\n");
    const inUse = `${desk.directory(id)}: is in use by process ${child.pid} on `;
    const resumed = await desk.run("me too", [{ text: "No." }], ["--resume", id]);
    expect([resumed.code, resumed.stdout, resumed.stderr.includes(inUse)]).toEqual([1, "", true]);
    const deleted = await desk.codelia(["sessions", "delete", id]);
    expect([deleted.code, deleted.stdout, deleted.stderr.includes(inUse)]).toEqual([1, "", true]);
    expect(desk.sessionIds()).toEqual([id]);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
  expect((await desk.list()).sessions.map(({ state }) => state)).toEqual(["interrupted"]);
  expect(await desk.codelia(["sessions", "delete", id])).toEqual({
    code: 0,
    stdout: `Deleted ${id}\n`,
    stderr: "",
  });
  // The command outlives its program; with this it ends.
  closeSync(openSync(desk.tree.at("repo/hold"), constants.O_RDWR | constants.O_NONBLOCK));
});

/** @output the session's id, once its first tool call is under way */
async function untilToolStarted(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split("\n").slice(0, -1);
    const events = lines.map((line) => {
      const { seq: _, ...event } = z.looseObject({ seq: z.number() }).parse(JSON.parse(line));
      return RunEventSchema.parse(event);
    });
    const started = events.find((event) => event.type === "run.started");
    if (started !== undefined && events.some(({ type }) => type === "tool.started"))
      return started.session_id;
  }
  throw new Error(`the run ended: ${text}`);
}
