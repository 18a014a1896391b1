import { expect, test } from "bun:test";
import { FakeModel } from "../../../bench/peers/fake-model.ts";
import { keptShares } from "../../../bench/peers/prefix.ts";
import { codelia } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

const words = ["ash", "beech", "cedar"];

test.each([
  ["anthropic/fake-model", {}],
  ["openai/fake-model", {}],
  ["google/fake-model", {}],
  ["gateway/fake-model", { providers: { gateway: { baseUrl: "SERVER/v1", apiKeyEnv: "GATEWAY_KEY" } } }],
])(
  "a run over the wire of %s reads file after file, and every request begins with the one before it",
  async (model, models) => {
    using tree = new TemporaryTree({ "repo/.git/": "", "repo/AGENTS.md": "Root rules.\n", "home/": "" });
    for (const word of words)
      tree.add({ [`repo/${word}/AGENTS.md`]: "Local rules.\n", [`repo/${word}/file.txt`]: `${word}\n` });
    const server = new FakeModel();
    const url = await server.listen();
    tree.add({ "home/.codelia/config.json": JSON.stringify({ models }).replaceAll("SERVER", url) });
    const conversation = server.begin({
      token: "token-of-this-test",
      files: words.map((word) => ({ path: tree.at(`repo/${word}/file.txt`), word })),
    });
    const result = await codelia(["run", "Read for token-of-this-test.", "--trust", "-m", model], {
      cwd: tree.at("repo"),
      home: tree.at("home"),
      env: {
        ANTHROPIC_API_KEY: "k",
        ANTHROPIC_BASE_URL: url,
        OPENAI_API_KEY: "k",
        OPENAI_BASE_URL: `${url}/v1`,
        GEMINI_API_KEY: "k",
        GOOGLE_GEMINI_BASE_URL: url,
        GATEWAY_KEY: "k",
      },
    });
    server.close();
    expect([result.code, conversation.fault, conversation.others]).toEqual([0, undefined, []]);
    expect(conversation.turns.map(({ toolResults }) => toolResults)).toEqual([0, 1, 2, 3]);
    expect(keptShares(conversation.turns.map(({ prompt }) => prompt))).toEqual([1, 1, 1]);
    const last = conversation.turns.at(-1)?.prompt.toString() ?? "";
    for (const word of words) expect(last.split(`${word}/AGENTS.md (mtime: `).length - 1).toBe(1);
  },
);
