import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { inTerminal } from "../../../test/support/terminal.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

const prompt = "or say why not: ";

function project(): TemporaryTree {
  const command = (text: string) => ({ tool_calls: [{ name: "bash", arguments: { command: text } }] });
  const turns = [
    command("echo one >> log"),
    command("echo one >> log"),
    command("echo \u001b[2J\u202etwo >> log"),
    { text: "Done.", expect: { last_tool_output_contains: "The user said: not that one" } },
  ];
  return new TemporaryTree({ "repo/.git/": "", "home/": "", "script.json": JSON.stringify({ turns }) });
}

test("in a terminal a person is asked with the whole command shown, and the answer counts", async () => {
  using tree = project();
  const { code, screen } = await inTerminal(
    ["run", "go", "--trust", "-m", `scripted/${tree.at("script.json")}`],
    {
      cwd: tree.at("repo"),
      home: tree.at("home"),
      prompt,
      answers: ["s", "not that one"],
    },
  );
  expect([code, readFileSync(tree.at("repo/log"), "utf8")]).toEqual([0, "one\none\n"]);
  expect(screen.split(prompt).length - 1).toBe(2);
  expect(screen).toContain("echo \\u001b[2J\\u202etwo >> log");
  expect(screen).not.toContain("\u001b[2J");
  expect(screen).toContain("Done.");
});

test("a no keeps the command from running", async () => {
  using tree = project();
  await inTerminal(["run", "go", "--trust", "-m", `scripted/${tree.at("script.json")}`], {
    cwd: tree.at("repo"),
    home: tree.at("home"),
    prompt,
    answers: ["n", "n", "n"],
  });
  expect(existsSync(tree.at("repo/log"))).toBe(false);
});
