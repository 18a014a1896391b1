import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { methods } from "@codelia/protocol";
import { codelia } from "../../../test/support/codelia.ts";
import { keys } from "../../../test/support/emulated-terminal.ts";
import { rest, say, TuiDesk } from "./tui-desk.ts";

const edit = { tool_calls: [{ name: "write", arguments: { path: "new.txt", content: "one\ntwo\n" } }] };

async function command(terminal: Awaited<ReturnType<TuiDesk["open"]>>, text: string): Promise<void> {
  terminal.type(text);
  await terminal.waitFor(`› ${text}`);
  terminal.type(keys.enter);
}

test("/diff shows what the session changed, /undo puts it back after a question, /cost counts", async () => {
  await using desk = new TuiDesk({ "repo/a.txt": "a\n" });
  desk.script([
    edit,
    { text: "Written.", usage: { input_tokens: 100, cached_input_tokens: 50, output_tokens: 7 } },
  ]);
  const terminal = await desk.open({ rows: 60, args: ["--trust", "--approval", "auto-edit"] });
  await say(terminal, "Write it.");
  await terminal.waitFor("Written.");
  await rest(terminal);
  await command(terminal, "/diff");
  await terminal.waitFor("Changed in this session");
  await command(terminal, "/undo");
  await terminal.waitFor("Put these files back?");
  terminal.type("1");
  await terminal.waitFor("1 file is as it was before.");
  await command(terminal, "/diff");
  await terminal.waitFor("No file differs from what it was");
  await command(terminal, "/cost");
  await terminal.waitFor("tokens out");
  expect(desk.plain(terminal.everything)).toMatchInlineSnapshot(`
    "codelia 0.1.0
      /repo

    › Write it.

    ✓ write new.txt (2 lines)  N s
      --- (new file)
      +++ new.txt
      @@ -0,0 +1,2 @@
      +one
      +two

    Written.

    Changed in this session
      --- (new file)
      +++ new.txt
      @@ -0,0 +1,2 @@
      +one
      +two

    Undo “Write it.”
      remove /repo/new.txt
      1 file is as it was before.

    No file differs from what it was

    Cost since this session was entered here
      model             scripted/../script.json
      prompts           1
      turns             2
      tokens in         1734
        from the cache  50 (3%)
        written to it   1664
      tokens out        19
      cost              $0.0000

    › Ask for something. /help says what else can be typed.

    scripted/../script.json · 1.7k in · 3% cached · 19 out · $0.0000 · auto-edit"
  `);
});

test("/compact makes room on request, and says so; with nothing to leave out it says that", async () => {
  await using desk = new TuiDesk();
  const long = "word ".repeat(3000);
  desk.script([{ text: long }], { contextWindow: 100_000 });
  const terminal = await desk.open();
  await command(terminal, "/compact");
  await terminal.waitFor("nothing was said in this session yet");
  for (const prompt of ["First.", "Second.", "Third."]) {
    await say(terminal, prompt);
    await terminal.waitFor(() => terminal.everything.includes(`› ${prompt}\n\nword`));
    await rest(terminal);
  }
  desk.script([{ text: "They said word a lot." }], { contextWindow: 100_000 });
  await command(terminal, "/compact");
  await terminal.waitFor(/compacted: about \d+ tokens became \d+/);
  await rest(terminal);
  desk.script([{ text: "Yes.", expect: { request_contains: ["They said word a lot.", "First."] } }], {
    contextWindow: 100_000,
  });
  await say(terminal, "Still there?");
  await terminal.waitFor("Yes.");
});

test("/fork and /new choose where the next prompt goes", async () => {
  await using desk = new TuiDesk();
  const terminal = await desk.open();
  await say(terminal, "First.");
  await terminal.waitFor("Hello.");
  await rest(terminal);
  await command(terminal, "/fork");
  await terminal.waitFor("goes to a copy of");
  desk.script([{ text: "From the copy.", expect: { request_contains: "First." } }]);
  await say(terminal, "Second.");
  await terminal.waitFor("From the copy.");
  await rest(terminal);
  await command(terminal, "/new");
  await terminal.waitFor("begins a new session");
  await say(terminal, "Third.");
  // The script expects what only the copy knows: the new session does not.
  await terminal.waitFor("expected the request to contain");
  await rest(terminal);
  const { stdout } = await codelia(["sessions", "list", "--json"], {
    cwd: desk.tree.at("repo"),
    home: desk.tree.at("home"),
  });
  const { sessions } = methods["session.list"].result.parse(JSON.parse(stdout));
  expect(sessions.map(({ title, forked_from }) => [title, forked_from !== undefined])).toEqual([
    ["Third.", false],
    ["First.", true],
    ["First.", false],
  ]);
});

test("/theme is kept, /permissions changes what is asked, and what is unknown is said", async () => {
  await using desk = new TuiDesk();
  desk.script([edit, { text: "Written." }]);
  const terminal = await desk.open({ rows: 60 });
  await command(terminal, "/theme light");
  await terminal.waitFor("theme light, kept in");
  await command(terminal, "/permissions");
  await terminal.waitFor("What needs no question? Now: ask");
  terminal.type("2");
  await terminal.waitFor("auto-edit: edits inside the project are free, from the next prompt on.");
  await command(terminal, "/nonsense");
  await terminal.waitFor("unknown command /nonsense");
  await command(terminal, "/theme pink");
  await terminal.waitFor("expected one of dark, light, none");
  await say(terminal, "Write it.");
  await terminal.waitFor("Written.");
  expect(JSON.parse(readFileSync(desk.tree.at("home/.codelia/config.json"), "utf8"))).toEqual({
    tui: { theme: "light" },
  });
});
