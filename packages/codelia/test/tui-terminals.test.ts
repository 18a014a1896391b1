import { expect, test } from "bun:test";
import { keys } from "../../../test/support/emulated-terminal.ts";
import { rest, say, TuiDesk } from "./tui-desk.ts";

const paragraph =
  "Words that go on for longer than a narrow terminal is wide, 日本語 among them, to be wrapped.";

test("in a narrow terminal figures give way to what the keys do now", async () => {
  await using desk = new TuiDesk();
  const terminal = await desk.open({ columns: 40 });
  terminal.type(keys.ctrlC);
  await terminal.waitFor("ctrl+c again leaves");
  expect(desk.screen(terminal).split("\n").at(-1)).toBe("scripte… · 0 in · …  ctrl+c again leaves");
});

test("after a resize the live part fits, and no line of it is left behind", async () => {
  await using desk = new TuiDesk();
  desk.script([{ text: `${paragraph}\n\nThe end.` }]);
  const terminal = await desk.open();
  await say(terminal, "Go.");
  await terminal.waitFor("The end.");
  await rest(terminal);
  terminal.type(`a first line ${"that goes on ".repeat(4)}${keys.altEnter}and a second`);
  await terminal.waitFor("and a second");
  terminal.resize(40, 24);
  await terminal.waitFor(/› a first line that goes on that goes\s*\n {2}on that/);
  const narrow = desk.screen(terminal);
  terminal.resize(120, 40);
  await terminal.waitFor(/^scripted\/\.\.\/script\.json · /m);
  const wide = desk.screen(terminal);
  expect([narrow, wide]).toMatchInlineSnapshot(`
    [
      
    "codelia 0.1.0
      /repo

    › Go.

    Words that go on for longer than a narro
    w terminal is wide, 日本語 among them,
    to be wrapped.

    The end.


    › a first line that goes on that goes
      on that goes on that goes on
      and a second

    scripte… · 1.6k in · 0% cached · 27 out…"
    ,
      
    "codelia 0.1.0
      /repo

    › Go.

    Words that go on for longer than a narrow terminal is wide, 日本語 among them,
    to be wrapped.

    The end.


    › a first line that goes on that goes on that goes on that goes on
      and a second

    scripted/../script.json · 1.6k in · 0% cached · 27 out · $0.0000"
    ,
    ]
  `);
});

test("control sequences of a model, a tool and a file are shown, and none of them acts", async () => {
  const evil = "\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u009b5n\u202ertl";
  await using desk = new TuiDesk({ "repo/evil.txt": `${evil}\n` });
  desk.script([
    { reasoning: evil, tool_calls: [{ name: "read", arguments: { path: "evil.txt" } }] },
    { tool_calls: [{ name: "bash", arguments: { command: `echo '${evil}'` } }] },
    { text: `# ${evil}\n\n\`${evil}\` [${evil}](http://x/${evil})\n\n\`\`\`sh\n${evil}\n\`\`\`\n` },
  ]);
  const terminal = await desk.open({ free: true });
  await say(terminal, "Look.");
  await terminal.waitFor(() => /```sh\n[\s\S]*```/.test(terminal.everything));
  await rest(terminal);
  const written = terminal.writes.join("");
  expect(
    ["\u001b]0;", "\u001b[2J", "\u001b[31mred", "\u009b", "\u202e"].filter((text) => written.includes(text)),
  ).toEqual([]);
  expect(terminal.everything).toContain("\\u001b[2J\\u001b[31mred\\u009b5n\\u202ertl");
});

test("only the sixteen colours are used, and none with NO_COLOR", async () => {
  await using desk = new TuiDesk();
  desk.script([{ text: "# Title\n\n```ts\nconst a = 1;\n```\n" }]);
  const styles = async (env: Record<string, string>) => {
    const terminal = await desk.open({ env });
    await say(terminal, "Go.");
    await terminal.waitFor("const a = 1;");
    await rest(terminal);
    const styled = terminal.writes
      .join("")
      .split("\u001b[")
      .map((part) => /^([\d;]*)m/.exec(part)?.[1]);
    return [...new Set(styled.filter((style) => style !== undefined))].toSorted();
  };
  expect([await styles({}), await styles({ NO_COLOR: "1" })]).toMatchInlineSnapshot(`
    [
      [
        "1",
        "2",
        "22",
        "24",
        "39",
        "4",
        "95",
        "96",
      ],
      [],
    ]
  `);
});

test("keys do what the settings say", async () => {
  await using desk = new TuiDesk();
  desk.configure({ tui: { keys: { newline: ["enter"], submit: ["ctrl+o"], leave: ["ctrl+x"] } } });
  desk.script([{ text: "Sent.", expect: { last_user_contains: "one\ntwo" } }]);
  const terminal = await desk.open();
  terminal.type(`one${keys.enter}two`);
  await terminal.waitFor(/› one\n {2}two/);
  terminal.type(keys.ctrlO);
  await terminal.waitFor("Sent.");
  await rest(terminal);
  terminal.type(`${keys.ctrlD}\u0018`);
  expect(await terminal.exited()).toBe(0);
});

test("a setting that cannot be is told before anything is drawn", async () => {
  await using desk = new TuiDesk();
  desk.configure({ tui: { keys: { submit: ["hyper+q"] } } });
  const terminal = desk.start();
  expect(await terminal.exited()).toBe(1);
  expect(desk.plain(terminal.everything).replaceAll("\n", "")).toContain(
    "tui.keys.submit.0: expected a key such as enter, ctrl+j, alt+left or f2",
  );
});

test("in plain mode lines are only ever added, choices are numbered, and the same commands work", async () => {
  await using desk = new TuiDesk();
  desk.script([
    { tool_calls: [{ name: "bash", arguments: { command: "touch made" } }] },
    { text: "**Done.**" },
  ]);
  const terminal = desk.start({ args: ["--trust", "--plain"] });
  await terminal.waitFor(/^>/m);
  terminal.type("Make it.\n");
  await terminal.waitFor("NUMBER, or empty for no:");
  terminal.type("1\n");
  // What is typed before it is asked for stands before the mark.
  await terminal.waitFor(/tokens in.*\n>/);
  terminal.type("/theme\n");
  await terminal.waitFor("empty to go back:");
  terminal.type("\n/quit\n");
  expect(await terminal.exited()).toBe(0);
  expect(terminal.writes.join("")).not.toContain("\u001b");
  expect(desk.plain(terminal.everything)).toMatchInlineSnapshot(`
    "codelia, line by line. /help says what can be typed; an empty line does nothing.
    > Make it.
    ? bash wants to do this:
        touch made
      It is asked because touch is not on the list of programs that only read.
    May it?
    1 yes, once
    2 yes, and the very same again in this session
    3 yes, always: remembers {"tool":"bash","command_glob":"touch made"}
    4 no, and say why
    NUMBER, or empty for no: 1
    … run touch made

    ✓ run touch made  N s
      exit code 0

    Done.
    3324 tokens in, 10 out, $0.0000
    > /theme
    Which colours?
    1 dark: bright colours, for a dark background
    2 light: dark colours, for a light background
    3 none: no colour and no other style
    NUMBER to use them, words to search, empty to go back:
    /quit
    >"
  `);
});
