import { describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { SafetyScene } from "../scene.ts";

const hundred = 100 * 1024 * 1024;
/** What the model is shown of an output, with what is said about the rest. */
const shownAtMost = 60 * 1024;

describe("a line of 100 MB", () => {
  test("from a command is shown in part and kept whole", async () => {
    using made = new SafetyScene({});
    const command = `head -c ${hundred} /dev/zero | tr '\\0' x`;
    const { code, outcomes } = await made.run([["bash", { command }]]);
    const [{ output, isError } = { output: "", isError: true }] = outcomes;
    const files = readdirSync(made.at("home/.codelia"), { recursive: true, withFileTypes: true });
    const sizes = files
      .filter((file) => file.isFile())
      .map((file) => statSync(join(file.parentPath, file.name)).size);
    expect([code, isError, output.length < shownAtMost, Math.max(...sizes)]).toEqual([
      0,
      false,
      true,
      hundred + "\nexit code 0\n".length,
    ]);
  });

  test("in a file is read and searched in part", async () => {
    using made = new SafetyScene({});
    const { code, outcomes } = await made.run([
      ["bash", { command: `head -c ${hundred} /dev/zero | tr '\\0' x > long.txt` }],
      ["read", { path: "long.txt" }],
      ["grep", { pattern: "x" }],
      ["grep", { pattern: "x", path: "long.txt" }],
    ]);
    expect([code, outcomes.map(({ output }) => output.length < shownAtMost)]).toEqual([
      0,
      [true, true, true, true],
    ]);
  });

  test("that is drawn over with carriage returns and colours is shown in part", async () => {
    using made = new SafetyScene({});
    const command = `yes "$(printf '\\033[31mred\\r')" | tr -d '\\n' | head -c ${hundred}`;
    const { code, outcomes } = await made.run([["bash", { command }]]);
    expect([code, outcomes.map(({ output }) => output.length < shownAtMost)]).toEqual([0, [true]]);
  });
});

/** Sends a line without an end, as fast as it is taken. @output how much, when the other side has had enough */
async function sendLine(response: ServerResponse, start: string): Promise<number> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(start);
  const chunk = "x".repeat(64 * 1024);
  let sent = 0;
  let goOn: () => void = () => undefined;
  response.on("drain", () => goOn());
  response.on("close", () => goOn());
  while (sent < hundred && !response.destroyed) {
    sent += chunk.length;
    const drained = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    if (!response.write(chunk) && !response.destroyed) await drained;
  }
  response.end();
  return sent;
}

test.each([
  ["anthropic/claude-sonnet-4-5", "event: message_start\ndata: "],
  ["openai/gpt-5", "data: "],
  ["google/gemini-2.5-pro", 'data: {"candidates": [{"content": "'],
  ["anthropic/claude-haiku-4-5", ": a comment "],
])(
  "100 MB on the wire without a line end (%s) end the run with words, long before all is taken",
  async (model, start) => {
    using made = new SafetyScene({});
    const sent: Promise<number>[] = [];
    const server = createServer((request, response) => {
      request.resume();
      sent.push(sendLine(response, start));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const run = await made.codelia(["run", "go", "--trust", "-m", model], {
      env: {
        ANTHROPIC_API_KEY: "k",
        ANTHROPIC_BASE_URL: url,
        OPENAI_API_KEY: "k",
        OPENAI_BASE_URL: `${url}/v1`,
        GEMINI_API_KEY: "k",
        GOOGLE_GEMINI_BASE_URL: url,
      },
    });
    server.closeAllConnections();
    server.close();
    const amounts = await Promise.all(sent);
    expect([
      run.code,
      run.stdout,
      run.stderr.includes("the answer is longer than 16777216 bytes"),
      amounts.length,
    ]).toEqual([1, "", true, 1]);
    expect(amounts[0]).toBeLessThan(hundred);
  },
);
