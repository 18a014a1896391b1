import { describe, expect, test } from "bun:test";
import { codelia } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";
import {
  type Answer,
  troubled,
  usage,
  type Wire,
  WireServer,
  wires,
  written,
} from "../../models/test/wire/index.ts";

const done: Answer = { parts: [{ type: "text", deltas: ["Done."] }], finish: "stop", usage };
const refusal = "Could not process image";

function environment(url: string): Record<string, string> {
  return {
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: url,
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: url,
    GEMINI_API_KEY: "k",
    GOOGLE_GEMINI_BASE_URL: url,
  };
}

function modelOf({ kind, model }: Wire): string {
  return `${kind === "openai-compatible" ? "gateway" : kind}/${model}`;
}

describe.each(wires.map((wire) => [wire.kind, wire] as const))("over the wire of %s", (_, wire) => {
  test("an image that the provider refuses does not end the session: it is left out, and the run and the next one go on", async () => {
    const ok = { headers: { "content-type": "text/event-stream" }, body: [written(wire, done)] };
    await using server = await WireServer.start(wire.schema, troubled(wire, "invalid", refusal), ok, ok);
    const url = `${server.origin}${wire.basePath}`;
    const models = { providers: { gateway: { baseUrl: url } } };
    using tree = new TemporaryTree({
      "repo/.git/": "",
      "repo/broken.png": Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      "home/.codelia/config.json": JSON.stringify({ models }),
    });
    const run = (...args: string[]) =>
      codelia(["run", ...args, "--trust", "-m", modelOf(wire)], {
        cwd: tree.at("repo"),
        home: tree.at("home"),
        env: environment(url),
      });
    const first = await run("what is this?", "--image", "broken.png");
    const second = await run("and now?", "--continue");
    const hasImage = server.requests.map(({ text }) => text.includes("iVBORw0KGgo="));
    expect({
      answers: [first.code, first.stdout, second.code, second.stdout],
      hasImage,
      told: server.requests.map(({ text }) =>
        text.includes("[image/png left out: the provider refused it: "),
      ),
      notice: first.stderr.includes("Images are left out from now on, because the provider refused them: "),
      violations: server.violations,
    }).toEqual({
      answers: [0, "Done.\n", 0, "Done.\n"],
      hasImage: [true, false, false],
      told: [false, true, true],
      notice: true,
      violations: [],
    });
    const shown = await codelia(["sessions", "show"], { cwd: tree.at("repo"), home: tree.at("home") });
    expect(shown.stdout).toContain("Images are left out from here on, because they were refused: ");
  });
});
