import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keys } from "../../../test/support/emulated-terminal.ts";
import { rest, say, TuiDesk } from "./tui-desk.ts";

const command = (text: string) => ({ tool_calls: [{ name: "bash", arguments: { command: text } }] });

test("a question shows the whole command with what it hides, why it is asked, and the rule that always would store", async () => {
  await using desk = new TuiDesk();
  desk.script([command("npm test \u001b[2J\u202e"), { text: "Done." }]);
  const terminal = await desk.open();
  await say(terminal, "Test it.");
  await terminal.waitFor("no, and say why");
  expect(desk.screen(terminal)).toMatchInlineSnapshot(`
    "codelia 0.1.0
      /repo

    › Test it.

    ? bash wants to do this:
        npm test \\u001b[2J\\u202e
      It is asked because it is more than plain words: the command holds a control
      character (and 1 more).

    May it?
    › 1 yes, once
      2 yes, and the very same again in this session
      3 no, and say why
      enter answers · esc: no

    scripted/../script.json · 1.6k in · 0% cached · 10 out · $0.0000  ctrl+c cancels"
  `);
  expect(terminal.writes.join("")).not.toContain("\u001b[2J");
});

test("a no with a reason keeps the command from running and tells the model why", async () => {
  await using desk = new TuiDesk();
  desk.script([
    command("touch made"),
    { text: "Understood.", expect: { last_tool_output_contains: "The user said: rather not" } },
  ]);
  const terminal = await desk.open();
  await say(terminal, "Make it.");
  await terminal.waitFor("no, and say why");
  terminal.type(keys.up + keys.enter);
  await terminal.waitFor("why not (may be empty):");
  terminal.type(`rather noot${keys.backspace}${keys.backspace}t`);
  await terminal.waitFor("rather not");
  terminal.type(keys.enter);
  await terminal.waitFor("Understood.");
  expect(existsSync(desk.tree.at("repo/made"))).toBe(false);
});

test("always stores the narrow rule that was shown, and the same command is not asked again", async () => {
  await using desk = new TuiDesk();
  desk.script([command("touch made"), command("touch made"), { text: "Done." }]);
  const terminal = await desk.open();
  await say(terminal, "Make it.");
  await terminal.waitFor(/3 yes, always: remembers (.+)/);
  terminal.type("3");
  await terminal.waitFor("Done.");
  await rest(terminal);
  expect(JSON.parse(readFileSync(desk.tree.at("home/.codelia/config.json"), "utf8"))).toMatchInlineSnapshot(`
    {
      "permissions": {
        "allow": [
          {
            "command_glob": "touch made",
            "tool": "bash",
          },
        ],
      },
    }
  `);
  expect(terminal.everything.split("wants to do this").length - 1).toBe(1);
});

test("a server can be approved for always, and later starts do not ask", async () => {
  await using desk = new TuiDesk();
  const server = join(import.meta.dir, "../../runtime/test/mcp/servers/hostile-server.ts");
  desk.configure({ mcp: { servers: { box: { command: process.execPath, args: [server, "good"] } } } });
  const first = await desk.open();
  await say(first, "Hello?");
  await first.waitFor("3 yes, always: remembers approval of box with exactly these tools");
  first.type("3");
  await first.waitFor("Hello.");
  await rest(first);
  const second = await desk.open();
  await say(second, "Hello again?");
  await second.waitFor("Hello.");
  expect(second.everything).not.toContain("MCP server box");
});

test("who is writing when a question comes up does not answer it", async () => {
  await using desk = new TuiDesk();
  desk.script([command("touch made"), { text: "Done." }]);
  const terminal = await desk.open();
  // In one write: the text is there before any question can be.
  terminal.type(`Make it.${keys.enter}I was writ`);
  await terminal.waitFor("you were writing");
  terminal.type(`ing 1${keys.enter}2`);
  // Keys are taken in order: when the selection answers, all of them have been.
  terminal.type(keys.down);
  await terminal.waitFor("enter answers");
  expect(existsSync(desk.tree.at("repo/made"))).toBe(false);
  terminal.type(keys.escape);
  await terminal.waitFor("denied: The user said no.");
  await terminal.waitFor("› I was writing 12");
});

test("Ctrl-C at a question denies it and cancels the run, and nothing is said about nobody being there to be asked", async () => {
  await using desk = new TuiDesk();
  desk.script([command("touch made"), { text: "Never." }]);
  const terminal = await desk.open();
  await say(terminal, "Make it.");
  await terminal.waitFor("no, and say why");
  terminal.type(keys.ctrlC);
  await terminal.waitFor("interrupted");
  await rest(terminal);
  expect(desk.screen(terminal)).toMatchInlineSnapshot(`
    "codelia 0.1.0
      /repo

    › Make it.

    ? bash wants to do this:
        touch made
      It is asked because touch is not on the list of programs that only read.
      denied: The run was cancelled.

    ✗ run touch made  N s
      interrupted

    › Ask for something. /help says what else can be typed.

    scripted/../script.json · 1.6k in · 0% cached · 7 out · $0.0000"
  `);
  expect([existsSync(desk.tree.at("repo/made")), terminal.everything.includes("Never.")]).toEqual([
    false,
    false,
  ]);
});

test("a project that is not trusted is asked about before anything of it is used", async () => {
  await using desk = new TuiDesk({ "repo/AGENTS.md": "Be brief.\n" });
  const terminal = desk.start({ args: [] });
  await terminal.waitFor("3 no, leave");
  const question = desk.screen(terminal);
  terminal.type("1");
  await terminal.waitFor("Ask for something.");
  await say(terminal, "Hi.");
  await terminal.waitFor("Hello.");
  await rest(terminal);
  terminal.type(`/context${keys.enter}`);
  await terminal.waitFor("Instructions:");
  expect([question, desk.screen(terminal)]).toMatchInlineSnapshot(`
    [
      
    "codelia 0.1.0
      /repo
      This project is not trusted, so nothing of it is used. To trust it: codelia
      trust /repo (or --trust for one run).

    /repo is not trusted. May its instructions, settings and
    skills take part?
    › 1 yes, from now on
      2 yes, this time
      3 no, leave
      enter answers · esc: no

    scripted/../script.json · 0 in · 0% cached · 0 out · $0.0000"
    ,
      
    "codelia 0.1.0
      /repo
      This project is not trusted, so nothing of it is used. To trust it: codelia
      trust /repo (or --trust for one run).

    › Hi.

    Hello.

    Context of a session that starts here
      root   /repo (.git)
      trust  trusted

    Instructions: 10 of at most 32768 bytes
      10 bytes  /repo/AGENTS.md

    Skills: 0 of at most 32768 bytes
      listed        0 of 0
      switched off  0

    › Ask for something. /help says what else can be typed.

    scripted/../script.json · 1.7k in · 0% cached · 2 out · $0.0000"
    ,
    ]
  `);
});
