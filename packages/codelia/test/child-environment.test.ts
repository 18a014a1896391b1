import { expect, test } from "bun:test";
import { codelia } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

test("variables that settings name for a key or a token reach no command, whatever they are called", async () => {
  const settings = {
    models: { providers: { mine: { baseUrl: "http://localhost:9/v1", apiKeyEnv: "MY_LLM" } } },
    issues: { github: { tokenEnv: "HUB" } },
    mcp: { servers: { wiki: { url: "http://localhost:9/mcp", bearerTokenEnv: "WIKI", enabled: false } } },
  };
  const command = `echo \${MY_LLM-no} \${HUB-no} \${WIKI-no} \${PLAIN-no}`;
  using tree = new TemporaryTree({
    "repo/.git/": "",
    "home/.codelia/config.json": JSON.stringify(settings),
    "script.json": JSON.stringify({
      turns: [
        { tool_calls: [{ name: "bash", arguments: { command } }] },
        { text: "{{last_tool_output:/^(.*)$/m}}" },
      ],
    }),
  });
  const { code, stdout } = await codelia(
    ["run", "x", "--trust", "--approval", "full", "-m", `scripted/${tree.at("script.json")}`],
    {
      cwd: tree.at("repo"),
      home: tree.at("home"),
      // One is too short to be redacted.
      env: { MY_LLM: "key", HUB: "of-the-hub-1", WIKI: "of-the-wiki-1", PLAIN: "plain" },
    },
  );
  expect([code, stdout]).toEqual([0, "no no no plain\n"]);
});
