import { expect, test } from "bun:test";
import { keys } from "../../../test/support/emulated-terminal.ts";
import { rest, say, TuiDesk } from "./tui-desk.ts";

const markdown = `# Sum

Adds *two* numbers, 日本語 and 👍 included:

\`\`\`ts
// the sum
export const sum = (a: number, b: number) => a + b;
\`\`\`

1. first
2. second

| name | 値 |
|---|---|
| a | 一 |
`;

test("a prompt, the answer and the status line stand on a screen of 80 by 24", async () => {
  await using desk = new TuiDesk();
  desk.script([{ text: "The answer is **42**.", usage: { input_tokens: 1000, cached_input_tokens: 900 } }]);
  const terminal = await desk.open();
  await say(terminal, "What is it?");
  await terminal.waitFor("90% cached");
  await rest(terminal);
  expect(desk.screen(terminal)).toMatchInlineSnapshot(`
    "codelia 0.1.0
      /repo

    › What is it?

    The answer is 42.

    › Ask for something. /help says what else can be typed.

    scripted/../script.json · 1.0k in · 90% cached · 6 out · $0.0000"
  `);
});

test("Markdown, code, wide characters and the diff of an edit stand on a screen of 120 by 40", async () => {
  await using desk = new TuiDesk({ "repo/a.ts": "one\ntwo\nthree\n" });
  desk.script([
    { tool_calls: [{ name: "read", arguments: { path: "a.ts" } }] },
    { tool_calls: [{ name: "edit", arguments: { path: "a.ts", old: "two", new: "2" } }] },
    { text: markdown, chunk: 5 },
  ]);
  const terminal = await desk.open({ columns: 120, rows: 40, args: ["--trust", "--approval", "auto-edit"] });
  await say(terminal, "Show me a sum.");
  await terminal.waitFor("一");
  await rest(terminal);
  // How far it has scrolled depends on how high the live part once was; what was printed does not.
  expect(desk.plain(terminal.everything)).toMatchInlineSnapshot(`
    "codelia 0.1.0
      /repo

    › Show me a sum.

    ✓ read a.ts  N s
          1   one
          2   two
          3   three
    ✓ edit a.ts  N s
      --- a.ts
      +++ a.ts
      @@ -1,3 +1,3 @@
       one
      -two
      +2
       three

    Sum

    Adds two numbers, 日本語 and 👍 included:

    \`\`\`ts
      // the sum
      export const sum = (a: number, b: number) => a + b;
    \`\`\`

    1. first
    2. second

    ┌──────┬────┐
    │ name │ 値 │
    ├──────┼────┤
    │ a    │ 一 │
    └──────┴────┘

    › Ask for something. /help says what else can be typed.

    scripted/../script.json · 5.1k in · 63% cached · 63 out · $0.0000 · auto-edit"
  `);
});

test("text is edited over several lines, and asked again from the history", async () => {
  await using desk = new TuiDesk();
  desk.script([{ text: "First.", expect: { last_user_contains: "one two\nthree" } }]);
  const terminal = await desk.open();
  terminal.type(`twoo${keys.left}${keys.backspace}${keys.home}one ${keys.end}${keys.altEnter}thre four`);
  await terminal.waitFor(/› one two\n {2}thre four/);
  terminal.type(`${keys.ctrlW}${keys.backspace}e${keys.enter}`);
  await terminal.waitFor("First.");
  await rest(terminal);
  terminal.type(keys.up);
  await terminal.waitFor(/› one two\n {2}three\n\nscripted/);
  expect(desk.screen(terminal)).toMatchInlineSnapshot(`
    "codelia 0.1.0
      /repo

    › one two
      three

    First.

    › one two
      three

    scripted/../script.json · 1.6k in · 0% cached · 2 out · $0.0000"
  `);
});

test("what was pasted comes back folded with the prompt that it was a part of, and is sent in full again", async () => {
  await using desk = new TuiDesk();
  const pasted = Array.from({ length: 30_000 }, (_, index) => `line ${index} 日本`).join("\n");
  desk.script([{ text: "Read.", expect: { last_user_contains: ["line 0 日", "line 29999 日本 again"] } }]);
  const terminal = await desk.open();
  terminal.paste(pasted);
  await terminal.waitFor("[paste 1: 30000 lines]");
  terminal.type(` again${keys.enter}`);
  await terminal.waitFor("Read.");
  await rest(terminal);
  terminal.type(keys.up);
  await terminal.waitFor("› [paste 1: 30000 lines]\n");
  terminal.type(keys.enter);
  await terminal.waitFor(() => terminal.everything.split("Read.").length === 3);
});

test("a large paste is folded, deleted as a whole, and sent in full", async () => {
  await using desk = new TuiDesk();
  const pasted = Array.from({ length: 500 }, (_, index) => `line ${index} 日本`).join("\n");
  desk.script([{ text: "Read.", expect: { last_user_contains: `before ${pasted} after` } }]);
  const terminal = await desk.open();
  terminal.paste(pasted);
  await terminal.waitFor("[paste 1: 500 lines]");
  terminal.type(keys.backspace);
  await terminal.waitFor("Ask for something.");
  terminal.type("before ");
  terminal.paste(pasted);
  await terminal.waitFor("before [paste 2: 500 lines]");
  terminal.type(` after${keys.enter}`);
  await terminal.waitFor("Read.");
  expect(desk.screen(terminal)).toContain("› before [paste 2: 500 lines] after\n");
});

test("the path of an image that is dropped on the terminal becomes the image", async () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);
  await using desk = new TuiDesk({ "pictures/my shot.png": png });
  desk.script([{ text: "Seen.", expect: { last_user_contains: "image/png" } }]);
  const terminal = await desk.open();
  terminal.paste(desk.tree.at("pictures/my shot.png").replaceAll(" ", "\\ "));
  await terminal.waitFor("[image 1: my shot.png]");
  terminal.type(`what is it?${keys.enter}`);
  await terminal.waitFor("Seen.");
});
