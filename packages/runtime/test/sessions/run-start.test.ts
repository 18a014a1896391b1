import { describe, expect, test } from "bun:test";
import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { Params, ProtocolEvent, Result } from "@codelia/protocol";
import { createHandlers } from "../../src/rpc/index.ts";
import { journalLines, SessionScene } from "./session-scene.ts";

type Start = Partial<Params<"run.start">>;

/** A project with its runtime: what a face talks to. */
class Runtime extends SessionScene {
  readonly handlers = createHandlers(this.environment(), { settings: [], trust: true });
  readonly events: ProtocolEvent[] = [];

  /** @output as it is given to -m */
  model(name: string, ...turns: readonly unknown[]): string {
    this.tree.add({ [`${name}.json`]: JSON.stringify({ turns }) });
    return `scripted/${this.tree.at(`${name}.json`)}`;
  }

  start(
    params: Start,
    onEvent: (event: ProtocolEvent) => void = () => undefined,
  ): Promise<Result<"run.start">> {
    return this.handlers["run.start"](
      { cwd: this.tree.at("repo"), prompt: "", images: [], approval: "full", compact: true, ...params },
      {
        emit: (event) => {
          this.events.push(event);
          onEvent(event);
        },
        confirm: undefined,
      },
    );
  }

  resume(id: string, params: Start = {}): Promise<Result<"run.start">> {
    return this.start({ session: { how: "resume", id }, ...params });
  }

  directory(id: string): string {
    const folder = this.tree.at("home/.codelia/sessions");
    return join(folder, readdirSync(folder)[0] ?? "", id);
  }

  cutAfter(id: string, records: number): void {
    const lines = journalLines(this.directory(id)).slice(0, records);
    truncateSync(
      join(this.directory(id), "journal.jsonl"),
      Buffer.byteLength(lines.map((line) => `${line}\n`).join("")),
    );
  }
}

const says = (text: string, ...expected: string[]) => ({
  text,
  ...(expected.length === 0 ? {} : { expect: { request_contains: expected } }),
});

describe("the session of a run", () => {
  test("is found by the beginning or the end of its id, never by nothing or by several", async () => {
    using runtime = new Runtime();
    const model = runtime.model("m", says("Said."));
    const { session_id: id } = await runtime.start({ prompt: "one", model });
    for (const part of [id, id.slice(0, -3), id.slice(-5)]) {
      expect((await runtime.resume(part, { prompt: "more" })).session_id).toBe(id);
    }
    await runtime.start({ prompt: "two", model });
    const failures = ["2026", "", "../../repo", "zzzz"].map((part) =>
      runtime.resume(part, { prompt: "more" }).then(
        () => "no failure",
        (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
      ),
    );
    expect(await Promise.all(failures)).toEqual(["invalid_params", "not_found", "not_found", "not_found"]);
  });

  test("keeps its model, another one takes its place", async () => {
    using runtime = new Runtime();
    const { session_id: id } = await runtime.start({ prompt: "one", model: runtime.model("a", says("A.")) });
    const other = runtime.model("b", says("B.", "A."));
    expect((await runtime.resume(id, { prompt: "two", model: other })).text).toBe("B.");
    expect((await runtime.resume(id, { prompt: "three" })).text).toBe("B.");
    runtime.tree.remove("b.json");
    await expect(runtime.resume(id, { prompt: "four" })).rejects.toMatchObject({
      code: "not_found",
      message: `${runtime.tree.at("b.json")}: there is no such file`,
    });
    expect((await runtime.resume(id, { prompt: "five", model: runtime.model("c", says("C.")) })).text).toBe(
      "C.",
    );
  });

  test("wants a prompt when nothing was said in it yet, and when it was finished", async () => {
    using runtime = new Runtime();
    const { session_id: id } = await runtime.start({
      prompt: "one",
      model: runtime.model("m", says("Said.")),
    });
    const lines = journalLines(runtime.directory(id)).length;
    await expect(runtime.resume(id)).rejects.toThrow(
      `${id}: this session was finished, and the prompt is empty`,
    );
    expect(journalLines(runtime.directory(id)).length).toBe(lines);
    runtime.cutAfter(id, 2);
    await expect(runtime.resume(id)).rejects.toThrow(
      `${id}: this session was ended before anything was said, and the prompt is empty`,
    );
    expect((await runtime.resume(id, { prompt: "now" })).status).toBe("done");
  });

  test("goes on without a prompt after a failure, a limit and an end in the middle", async () => {
    using runtime = new Runtime();
    const read = { tool_calls: [{ name: "list", arguments: { path: "." } }] };
    const model = runtime.model("m", read, { error: { kind: "AuthError" } });
    const { session_id: id, status } = await runtime.start({ prompt: "one", model });
    expect(status).toBe("failed");
    expect((await runtime.resume(id, { max_turns: 1 })).status).toBe("limit");
    runtime.cutAfter(id, journalLines(runtime.directory(id)).length - 1);
    runtime.model("m", says("At last.", "Go on where you were interrupted."));
    expect(await runtime.resume(id)).toMatchObject({ status: "done", text: "At last." });
  });

  test("keeps images and what was said while it worked", async () => {
    using runtime = new Runtime();
    const slow = { tool_calls: [{ name: "bash", arguments: { command: "true" } }] };
    const model = runtime.model("m", slow, says("Heard.", "rather this"));
    const images = [{ media_type: "image/png", data: "iVBORw0KGgo=" }];
    const { session_id: id } = await runtime.start({ prompt: "look", model, images }, (event) => {
      const run = runtime.events.find(({ type }) => type === "run.started");
      if (event.type !== "tool.started" || run?.type !== "run.started") return;
      void runtime.handlers["run.steer"](
        { run_id: run.run_id, text: "rather this" },
        { emit: () => undefined, confirm: undefined },
      );
    });
    runtime.model("m", says("Still there.", "look", "image/png", "rather this", "Heard."));
    expect((await runtime.resume(id, { prompt: "and?" })).text).toBe("Still there.");
    const users = (await runtime.records(runtime.directory(id))).flatMap((record) =>
      record.type === "message.user" ? [[record.message.content, record.steering]] : [],
    );
    expect(users).toEqual([
      [
        [
          { type: "text", text: "look" },
          { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" },
        ],
        false,
      ],
      [[{ type: "text", text: "rather this" }], true],
      [[{ type: "text", text: "and?" }], false],
    ]);
  });

  test("has its todo list again", async () => {
    using runtime = new Runtime();
    const todo = (text: string) => ({
      tool_calls: [{ name: "todo", arguments: { items: [{ text, state: "open" }] } }],
    });
    const blank = { tool_calls: [{ name: "todo", arguments: { items: [{ text: " ", state: "open" }] } }] };
    const model = runtime.model("m", todo("first"), todo("the open step"), blank, says("Listed."));
    const { session_id: id } = await runtime.start({ prompt: "plan", model });
    // A window that is full at once: the list is carried over by the compaction.
    const talk = {
      tool_calls: [{ name: "bash", arguments: { command: "head -c 32000 /dev/zero | tr '\\0' x" } }],
    };
    runtime.tree.add({
      "m.json": JSON.stringify({
        contextWindow: 10_000,
        turns: [talk, says("Summed up."), says("Known.", "Your todo list:\n[ ] the open step")],
      }),
    });
    expect((await runtime.resume(id, { prompt: "go on" })).text).toBe("Known.");
  });
});
