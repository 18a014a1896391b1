import { describe, expect, test } from "bun:test";
import type {
  Message,
  ModelConnection,
  ModelRequest,
  StreamPart,
  ToolDefinition,
} from "@codelia/shared-types";
import { RecordingError, recordModel, replayModel } from "../src/recording/index.ts";
import type { Sleep } from "../src/scripted/index.ts";

const signal = new AbortController().signal;
const sleep: Sleep = async () => {};
const instant = { speed: "instant", sleep } as const;

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const system: Message = { role: "system", text: "You help." };
const tool: ToolDefinition = { name: "read", description: "Reads.", parameters: {} };
const asked = (...messages: Message[]): ModelRequest => ({ messages: [system, ...messages], tools: [tool] });

const parts: StreamPart[] = [
  { type: "text_delta", text: "a" },
  { type: "text_delta", text: "b" },
  { type: "text_end" },
  { type: "finish", reason: "stop" },
];

const aborted: StreamPart = {
  type: "failure",
  failure: { kind: "Aborted", message: "the request was aborted", retryable: false },
};

/** A recording of these requests, each answered by `parts`, 100 ms apart. */
async function recordingOf(...requests: ModelRequest[]): Promise<string[]> {
  const lines: string[] = [];
  const model: ModelConnection = {
    id: "test/model",
    contextWindow: undefined,
    async *stream() {
      yield* parts;
    },
  };
  let time = 0;
  const now = () => {
    time += 100;
    return time;
  };
  const recorder = recordModel(model, { append: async (line) => void lines.push(line) }, { now });
  for (const request of requests) await Array.fromAsync(recorder.stream(request, signal));
  return lines;
}

/** The message of the InvalidRequest that this request meets. */
async function refusal(lines: readonly string[], ...requests: ModelRequest[]): Promise<string | undefined> {
  const replay = replayModel(lines, instant);
  let last: StreamPart[] = [];
  for (const request of requests) last = await Array.fromAsync(replay.stream(request, signal));
  const [part] = last;
  if (part?.type !== "failure") return undefined;
  const { message, ...rest } = part.failure;
  expect({ parts: last.length, ...rest }).toEqual({ parts: 1, kind: "InvalidRequest", retryable: false });
  return message;
}

describe("a replay", () => {
  const recorded = asked(user("a"), user("b"));
  const other: Message = { role: "assistant", content: [] };

  test.each([
    [
      "messages[0] (system) is not the recorded one",
      { ...recorded, messages: [{ ...system, text: "Other." }] },
    ],
    ["messages[2] (user) is not the recorded one", asked(user("a"), user("B"))],
    ["messages[1] is of role assistant, and was recorded as user", asked(other, user("b"))],
    ["messages[2] (user) is missing", asked(user("a"))],
    ["messages[3] (assistant) is not in the recording", asked(user("a"), user("b"), other)],
    ["its tools are not the recorded ones", { ...recorded, tools: [{ ...tool, description: "Reads!" }] }],
  ] satisfies [string, ModelRequest][])("of another request fails: %s", async (difference, request) => {
    const lines = await recordingOf(asked(), recorded);
    expect(await refusal(lines, asked(), request)).toBe(
      `request 2 differs from the recorded one: ${difference}; record again`,
    );
  });

  test("tells images apart by their content", async () => {
    const image = (data: string): Message => ({
      role: "user",
      content: [{ type: "image", mediaType: "image/png", data }],
    });
    const lines = await recordingOf(asked(image("AAAA")));
    expect(await refusal(lines, asked(image("AAAA")))).toBeUndefined();
    expect(await refusal(lines, asked(image("AAAB")))).toBe(
      "request 1 differs from the recorded one: messages[1] (user) is not the recorded one; record again",
    );
  });

  test("does not mind another cache key or output limit", async () => {
    const lines = await recordingOf({ ...recorded, cacheKey: "one" });
    expect(await refusal(lines, { ...recorded, cacheKey: "two", maxOutputTokens: 5 })).toBeUndefined();
  });

  test("of more requests than were recorded fails", async () => {
    const lines = await recordingOf(recorded);
    const used = "the recording is used up: this is request 2, and it ends after request 1";
    expect(await refusal(lines, recorded, recorded)).toBe(used);
    expect(await refusal(lines.slice(0, 1), recorded)).toBe(
      "the recording is used up: this is request 1, and it ends after request 0",
    );
  });

  test("of a request whose line is gone says that it is missing", async () => {
    const [header = "", , second = ""] = await recordingOf(recorded, recorded);
    expect(await refusal([header, second], recorded)).toBe(
      "request 1 is missing in the recording; record again",
    );
  });

  test("at the recorded speed waits between the parts, at once does not", async () => {
    const lines = await recordingOf(recorded);
    const slept: number[] = [];
    const watched: Sleep = async (milliseconds) => void slept.push(milliseconds);
    for (const speed of ["instant", "recorded"] as const) {
      const replay = replayModel(lines, { speed, sleep: watched });
      expect(await Array.fromAsync(replay.stream(recorded, signal))).toEqual(parts);
    }
    expect(slept).toEqual([100, 100, 100, 100]);
  });

  test("that is aborted after any part, or while it waits, ends with Aborted", async () => {
    const lines = await recordingOf(recorded);
    for (let count = 0; count < parts.length; count += 1) {
      const controller = new AbortController();
      if (count === 0) controller.abort();
      const got: StreamPart[] = [];
      for await (const part of replayModel(lines, instant).stream(recorded, controller.signal)) {
        got.push(part);
        if (got.length === count) controller.abort();
      }
      expect(got).toEqual([...parts.slice(0, count), aborted]);
    }
    const controller = new AbortController();
    const forever = { speed: "recorded", sleep: () => new Promise<void>(() => {}) } as const;
    const waiting = Array.fromAsync(replayModel(lines, forever).stream(recorded, controller.signal));
    controller.abort();
    expect(await waiting).toEqual([aborted]);
  });

  test("that is aborted where the recording has no more is Aborted, not a wrong request", async () => {
    const [header = "", line = ""] = await recordingOf(recorded);
    const gone = replayModel([header], instant).stream(recorded, AbortSignal.abort());
    expect(await Array.fromAsync(gone)).toEqual([aborted]);

    const controller = new AbortController();
    const unfinished = line.replace(/,\{"at":\d+,"part":\{"type":"finish".*/, "]}");
    const got: StreamPart[] = [];
    for await (const part of replayModel([header, unfinished], instant).stream(recorded, controller.signal)) {
      got.push(part);
      if (got.length === 3) controller.abort();
    }
    expect(got).toEqual([...parts.slice(0, 3), aborted]);
  });
});

describe("a damaged recording", () => {
  /** What opening it throws. */
  function problemOf(lines: readonly string[]): { line: number; message: string } | undefined {
    try {
      replayModel(lines, instant);
      return undefined;
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      return { line: error.line, message: error.message };
    }
  }

  test("with a last line cut off at any byte loads the rest and reports the line", async () => {
    const [header = "", first = "", second = ""] = await recordingOf(asked(), asked());
    for (let length = 1; length < second.length; length += 1) {
      const replay = replayModel([header, first, second.slice(0, length)], instant);
      expect(replay.notices).toEqual(["line 3 of the recording is cut off and was left out"]);
      expect(await Array.fromAsync(replay.stream(asked(), signal))).toEqual(parts);
    }
  });

  test("with empty lines or carriage returns at the end loads whole", async () => {
    const lines = await recordingOf(asked());
    const replay = replayModel([...lines.map((line) => `${line}\r`), "\r", ""], instant);
    expect(replay.notices).toEqual([]);
    expect(await Array.fromAsync(replay.stream(asked(), signal))).toEqual(parts);
  });

  test("without a header is no recording", async () => {
    const [header = "", first = ""] = await recordingOf(asked());
    const noHeader = {
      line: 1,
      message:
        "line 1 of the recording: this is not the header of a recording of version 1; is it another file?",
    };
    expect(problemOf([])).toEqual({
      line: 1,
      message: "line 1 of the recording: there is no header, the recording is empty",
    });
    expect(problemOf([first])).toEqual(noHeader);
    expect(problemOf([header.slice(0, -1)])).toEqual(noHeader);
    expect(problemOf([header.replace(":1,", ":2,"), first])).toEqual(noHeader);
    expect(problemOf(["", header, first])).toEqual(noHeader);
  });

  test("names the line that is wrong and what is wrong with it", async () => {
    const [header = "", first = "", second = ""] = await recordingOf(asked(), asked());
    const torn = problemOf([header, first.slice(0, 50), second]);
    expect(torn?.line).toBe(2);
    expect(torn?.message).toStartWith("line 2 of the recording: this is not JSON (");
    expect([
      problemOf([header, first, "", second])?.line,
      problemOf([header, first, first]),
      problemOf([header, first, header])?.line,
      problemOf([header, first, second.replace('"message_count":1', '"message_count":2')]),
      problemOf([header, first, second.replace('"text_end"', '"finish","reason":"stop"')]),
      problemOf([header, first, second.replace('"text_end"', '"text_\\u001bend"')])?.line,
      problemOf([header, first.replace('"at":200', '"at":-1')])?.message.replace(/at: .*/, "at: …"),
      problemOf([header, first.replace('"v":1', '"v":1,"extra":0')])?.line,
    ]).toEqual([
      3,
      { line: 3, message: "line 3 of the recording: request 1 is there twice; record again" },
      3,
      { line: 3, message: "line 3 of the recording: message_count is 2, with 1 messages; record again" },
      {
        line: 3,
        message: "line 3 of the recording: parts[2] ends the response, and more follow; record again",
      },
      3,
      "line 2 of the recording: parts[1].at: …",
      2,
    ]);
  });
});
