import { describe, expect, test } from "bun:test";
import { type ConfirmParams, connectInProcess, type RunEvent } from "@codelia/protocol";
import { createHandlers } from "@codelia/runtime";
import { nodeDisk, nodeFileSystem } from "@codelia/storage";
import { bareIo } from "../../../test/support/cli-io.ts";
import { followRun } from "../src/commands/follow-run.ts";
import type { DrainingStream } from "../src/io.ts";

const hostile = {
  "a clipboard write (OSC 52)": "\u001b]52;c;ZXZpbA==\u0007",
  "a title and a link (OSC 0, OSC 8)": "\u001b]0;root@host\u001b\\\u001b]8;;http://evil\u001b\\x",
  "a cleared screen and a moved cursor (CSI)": "\u001b[2J\u001b[H\u001b[1A\u001b[31m",
  "eight-bit controls": "\u009b2J\u009d52;c;eA==\u009c",
  "carriage return, backspace and bell": "safe\rrm -rf /\b\b\u0007",
  "text that runs backwards (bidi)": "\u202etxt.exe\u202c\u2066x\u2069\u200f",
  "zero width characters and tags": "a\u200bb\u200dc\ufeffd\u2060\u{e0041}",
  "line and paragraph separators": "a\u2028b\u2029c",
};

const usage = { input_tokens: 1, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 1 };

function events(text: string): RunEvent[] {
  const call = { call_id: "1", tool: text };
  return [
    {
      type: "run.started",
      run_id: "r",
      session_id: "r",
      resumed: true,
      model: text,
      cwd: text,
      root: text,
      instruction_files: [text],
      notices: [text],
    },
    { type: "run.notice", text },
    { type: "turn.started", turn: 1 },
    { type: "user.message", text, steering: true },
    { type: "text.delta", text },
    { type: "reasoning.delta", text },
    { type: "tool.started", ...call, title: text },
    { type: "permission.decided", ...call, decision: "deny", by: "user", reason: text },
    {
      type: "tool.finished",
      ...call,
      title: text,
      output: `<system-reminder type="agents.resolve.paths">\n- /${text} (mtime: 1)\n</system-reminder>`,
      is_error: true,
      duration_ms: 1,
    },
    { type: "turn.restarted", attempt: 2, reason: text, delay_ms: 1 },
  ];
}

function question(text: string): ConfirmParams {
  const remember = [{ tool: text, command_glob: text }];
  return { call_id: "1", tool: text, title: text, detail: text, preview: text, why: text, remember };
}

/** Everything that a person's terminal gets. */
async function shown(text: string, json: boolean): Promise<string> {
  let screen = "";
  const stream: DrainingStream = {
    isTTY: true,
    drained: () => Promise.resolve(),
    write: (written) => {
      screen += written;
    },
  };
  const stdin = { isTTY: true, readAll: () => Promise.resolve(""), readLine: () => Promise.resolve("n") };
  const io = bareIo({ stdin, stdout: stream, stderr: stream, clock: () => 0 });
  const result = {
    run_id: "r",
    session_id: "r",
    status: "failed" as const,
    text,
    error: text,
    hint: text,
    turns: 1,
    usage,
    refused_calls: 0,
  };
  const others = createHandlers(
    {
      env: {},
      userHome: "/",
      fs: nodeFileSystem,
      disk: nodeDisk,
      version: "0",
      now: () => new Date(0),
      fetch: () => Promise.reject(new Error("no network")),
      executable: process.execPath,
    },
    { settings: [], trust: false },
  );
  const client = connectInProcess({
    ...others,
    "run.start": async (_, channel) => {
      for (const event of events(text)) channel.emit(event);
      await channel.confirm?.(question(text));
      channel.emit({ type: "run.finished", ...result });
      return result;
    },
  });
  const params = { cwd: "/", prompt: "x", images: [], approval: "ask" as const, compact: true };
  await followRun(client, params, io, { json });
  return screen;
}

describe.each([false, true])("on a terminal, with --json %p, nothing of a run acts:", (json) => {
  test.each(Object.entries(hostile))("%s", async (_, text) => {
    // The live line of ours is the only thing that may move the cursor.
    const screen = (await shown(text, json)).replaceAll("\r\u001b[2K", "");
    expect(screen.match(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu)).toBeNull();
    expect(screen.length).toBeGreaterThan(100);
  });
});
