import { describe, expect, test } from "bun:test";
import { codelia } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";
import {
  type Answer,
  type Reply,
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

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const base64 = "iVBORw0KGgo=";

class Desk extends TemporaryTree {
  readonly #url: string;
  readonly #wire: Wire;

  constructor(server: WireServer, wire: Wire) {
    const url = `${server.origin}${wire.basePath}`;
    const models = { providers: { gateway: { baseUrl: url } } };
    super({
      "repo/.git/": "",
      "repo/shot.png": png,
      "home/.codelia/config.json": JSON.stringify({ models }),
    });
    this.#url = url;
    this.#wire = wire;
  }

  codelia(...args: string[]) {
    const place = { cwd: this.at("repo"), home: this.at("home") };
    return codelia(args, { ...place, env: environment(this.#url) });
  }

  run(...args: string[]) {
    return this.codelia("run", ...args, "--trust", "-m", modelOf(this.#wire));
  }
}

function answering(wire: Wire, answer: Answer): Reply {
  return { headers: { "content-type": "text/event-stream" }, body: [written(wire, answer)] };
}

describe.each(wires.map((wire) => [wire.kind, wire] as const))("over the wire of %s", (_, wire) => {
  test("an image that the provider refuses does not end the session: it is left out, and the run and the next one go on", async () => {
    const ok = answering(wire, done);
    await using server = await WireServer.start(wire.schema, troubled(wire, "invalid", refusal), ok, ok);
    using desk = new Desk(server, wire);
    const first = await desk.run("what is this?", "--image", "shot.png");
    const second = await desk.run("and now?", "--continue");
    const shown = await desk.codelia("sessions", "show");
    expect({
      answers: [first.code, first.stdout, second.code, second.stdout],
      hasImage: server.requests.map(({ text }) => text.includes(base64)),
      told: server.requests.map(({ text }) =>
        text.includes("[image/png left out: the provider refused it: "),
      ),
      notice: first.stderr.includes("Images are left out from now on, because the provider refused them: "),
      shown: shown.stdout.includes("Images are left out from here on, because they were refused: "),
      violations: server.violations,
    }).toEqual({
      answers: [0, "Done.\n", 0, "Done.\n"],
      hasImage: [true, false, false],
      told: [false, true, true],
      notice: true,
      shown: true,
      violations: [],
    });
  });

  test("an image that the model reads is shown to it, and in every request of the session from then on", async () => {
    const reading: Answer = {
      parts: [{ type: "tool", id: "call_1", name: "read", arguments: '{"path": "shot.png"}' }],
      finish: "tool_calls",
      usage,
    };
    const ok = answering(wire, done);
    await using server = await WireServer.start(wire.schema, answering(wire, reading), ok, ok);
    using desk = new Desk(server, wire);
    const first = await desk.run("what is in shot.png?");
    const second = await desk.run("and now?", "--continue");
    expect({
      codes: [first.code, second.code],
      images: server.requests.map(({ text }) => text.split(base64).length - 1),
      said: server.requests.map(({ text }) => text.includes("[image/png of 8 bytes: it is shown below]")),
      violations: server.violations,
    }).toEqual({ codes: [0, 0], images: [0, 1, 1], said: [false, true, true], violations: [] });
  });
});
