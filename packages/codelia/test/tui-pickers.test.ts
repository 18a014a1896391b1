import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { keys } from "../../../test/support/emulated-terminal.ts";
import { rest, say, TuiDesk } from "./tui-desk.ts";

const skill = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`;

const skills = {
  "repo/.agents/skills/deploy/SKILL.md": skill("deploy", "Ships the program to production."),
  "repo/.agents/skills/review/SKILL.md": skill("review", "変更を読む。 Reads a change."),
  "home/.agents/skills/letters/SKILL.md": skill("letters", "Writes letters."),
};

test("the skill picker searches, shows the scope, switches off for good, and names a skill in the prompt", async () => {
  await using desk = new TuiDesk(skills);
  const terminal = await desk.open({ columns: 120, rows: 40 });
  terminal.type(`/skills${keys.enter}`);
  await terminal.waitFor("● review");
  const whole = desk.screen(terminal);
  terminal.type("prod");
  await terminal.waitFor("1 of 1");
  terminal.type(keys.tab);
  await terminal.waitFor("○ deploy");
  terminal.type(keys.ctrlU);
  await terminal.waitFor("● review");
  const config: unknown = JSON.parse(readFileSync(desk.tree.at("home/.codelia/config.json"), "utf8"));
  expect(config).toEqual({ skills: { disabled: [desk.tree.at("repo/.agents/skills/deploy/SKILL.md")] } });
  terminal.type("変更");
  await terminal.waitFor("1 of 1");
  terminal.type(keys.enter);
  await terminal.waitFor("› $review");
  expect(whole).toMatchInlineSnapshot(`
    "codelia 0.1.0
      /repo

    Skills
      search:
    › ● deploy [repo]  Ships the program to production.
      ● review [repo]  変更を読む。 Reads a change.
      ● letters [user]  Writes letters.
      1 of 3 · enter: name it in the prompt · tab: switch on or off · escape: back

    scripted/../script.json · 0 in · 0% cached · 0 out · $0.0000"
  `);
});

test("@ completes files that are not ignored, $ skills, and / commands", async () => {
  await using desk = new TuiDesk({
    ...skills,
    "repo/.gitignore": "*.log\n",
    "repo/src/main.ts": "",
    "repo/src/deep/maintain.ts": "",
    "repo/main.log": "",
    "repo/名前 x.txt": "",
  });
  const terminal = await desk.open();
  terminal.type("see @main");
  await terminal.waitFor("src/deep/maintain.ts");
  const files = desk.screen(terminal);
  terminal.type(keys.tab);
  await terminal.waitFor("› see @src/main.ts ");
  terminal.type("@名");
  await terminal.waitFor("› 名前 x.txt");
  terminal.type(keys.enter);
  await terminal.waitFor('› see @src/main.ts @"名前 x.txt"');
  terminal.type("$rev");
  await terminal.waitFor("$review");
  terminal.type(keys.tab);
  await terminal.waitFor(/\$review\s*\n\nscripted/);
  terminal.type(keys.ctrlU);
  await terminal.waitFor("Ask for something.");
  terminal.type("/co");
  await terminal.waitFor("/compact");
  expect([files, desk.screen(terminal)]).toMatchInlineSnapshot(`
    [
      
    "codelia 0.1.0
      /repo

    › see @main
    › src/main.ts
      src/deep/maintain.ts

    scripted/../script.json · 0 in · 0% cached · 0 out · $0.0000"
    ,
      
    "codelia 0.1.0
      /repo

    › /co
    › /context  which instructions and skills are in, and what was cut
      /cost     tokens, cache and cost
      /compact  make room in the context now

    scripted/../script.json · 0 in · 0% cached · 0 out · $0.0000"
    ,
    ]
  `);
});

test("the session picker goes on with a session, whose end is shown and whose prompts are in the history", async () => {
  await using desk = new TuiDesk();
  desk.script([{ text: "Blue it is." }]);
  const first = await desk.open();
  await say(first, "Paint the shed.");
  await first.waitFor("Blue it is.");
  await rest(first);
  first.type(keys.ctrlD);
  await first.exited();
  desk.script([{ text: "Red now.", expect: { request_contains: ["Paint the shed.", "Blue it is."] } }]);
  const second = await desk.open();
  second.type(`/sessions${keys.enter}`);
  await second.waitFor("Paint the shed.");
  second.type(keys.enter);
  await second.waitFor("Blue it is.");
  await second.waitFor("goes on.");
  second.type(keys.up + keys.up);
  await second.waitFor(/› Paint the shed\.\n\nscripted/);
  second.type(keys.ctrlU);
  await say(second, "Rather red.");
  await second.waitFor("Red now.");
  await rest(second);
  const shown = desk.plain(second.everything).replace(/\d{8}T\d{6}-[0-9a-f]+/g, "ID");
  expect(shown).toMatchInlineSnapshot(`
    "codelia 0.1.0
      /repo

    ── Paint the shed.

    › Paint the shed.

    Blue it is.

      ID goes on.

    › Rather red.

    Red now.

    › Ask for something. /help says what else can be typed.

    scripted/../script.json · 1.7k in · 0% cached · 2 out · $0.0000"
  `);
});

test("the model picker lists what is usable, and its choice answers the next prompt", async () => {
  await using desk = new TuiDesk();
  const terminal = await desk.open({ env: { ANTHROPIC_API_KEY: "sk-test" } });
  terminal.type(`/model${keys.enter}`);
  await terminal.waitFor("1 of ");
  terminal.type("haiku");
  await terminal.waitFor(/› anthropic\/\S*haiku/);
  terminal.type(keys.enter);
  await terminal.waitFor(/anthropic\/\S*haiku\S* answers from the next prompt on\./);
  await terminal.waitFor(/^anthropic\/\S*haiku\S* · 0 in/m);
});
