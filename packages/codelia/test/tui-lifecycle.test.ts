import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { codeliaCommand, EmulatedTerminal, keys } from "../../../test/support/emulated-terminal.ts";
import { rest, say, TuiDesk } from "./tui-desk.ts";

/** A call that is under way until the test lets it go on. */
const held = { tool_calls: [{ name: "bash", arguments: { command: "echo begun; cat gate" } }] };

function openGate(desk: TuiDesk): void {
  const gate = openSync(desk.tree.at("repo/gate"), "w");
  writeSync(gate, "opened\n");
  closeSync(gate);
}

const clears = ["\u001b[2J", "\u001b[3J", "\u001b[H", "\u001bc", "\u001b[?1049h"];

test("a thousand lines are in the scrollback, once and in order, and nothing was ever cleared", async () => {
  await using desk = new TuiDesk();
  const lines = Array.from({ length: 1000 }, (_, index) => `- item ${index}`);
  desk.script([{ text: `${lines.join("\n")}\n\nThat is all.`, chunk: 400 }]);
  const terminal = await desk.open();
  await say(terminal, "Count.");
  await terminal.waitFor("That is all.");
  await rest(terminal);
  const shown = terminal.everything.split("\n");
  expect(shown.filter((line) => line.startsWith("- item"))).toEqual(lines);
  const written = terminal.writes.join("");
  expect(clears.filter((clear) => written.includes(clear))).toEqual([]);
});

test("while a call runs, a frame writes what changed and no more", async () => {
  await using desk = new TuiDesk({ "repo/gate": { fifo: true } });
  desk.script([
    { text: Array.from({ length: 60 }, (_, index) => `Line ${index}.  `).join("\n"), ...held },
    { text: "Done." },
  ]);
  const terminal = await desk.open({ free: true });
  await say(terminal, "Go.");
  await terminal.waitFor("run echo begun");
  const before = terminal.writes.length;
  await terminal.waitFor(() => terminal.writes.length > before + 5);
  terminal.type("x");
  await terminal.waitFor("› x");
  const frames = terminal.writes.slice(before).join("").split("\u001b[?2026h").slice(1);
  expect(frames.filter((frame) => Buffer.byteLength(frame) > 200)).toEqual([]);
  expect(frames.filter((frame) => frame.includes("Line "))).toEqual([]);
  openGate(desk);
  await terminal.waitFor("Done.");
});

test("what is said while it works reaches the run, and what is queued follows it", async () => {
  await using desk = new TuiDesk({ "repo/gate": { fifo: true } });
  desk.script([held, { text: "Heard.", expect: { last_user_contains: "in blue" } }], {
    after_last: "repeat_last",
  });
  const terminal = await desk.open({ free: true });
  await say(terminal, "Paint it.");
  await terminal.waitFor("run echo begun");
  await say(terminal, "in blue");
  await terminal.waitFor("said: in blue");
  terminal.type(`then in blue too${keys.tab}`);
  await terminal.waitFor("next: then in blue too");
  openGate(desk);
  await terminal.waitFor("› then in blue too");
  // The second run plays the script from its start.
  await terminal.waitFor(/then in blue too\n[\s\S]*run echo begun/);
  openGate(desk);
  await rest(terminal);
  expect(desk.plain(terminal.everything)).toMatchInlineSnapshot(`
    "codelia 0.1.0
      /repo

    › Paint it.
      Commands run without a sandbox: sandbox.enabled is off.

    ✓ run echo begun; cat gate  N s
      begun
      opened
      exit code 0

    › in blue

    Heard.

    › then in blue too
      Commands run without a sandbox: sandbox.enabled is off.

    ✓ run echo begun; cat gate  N s
      begun
      opened
      exit code 0

    Heard.

    › Ask for something. /help says what else can be typed.

    scripted/../script.json · 6.9k in · 46% cached · 24 out · $0.0000 · full"
  `);
});

test("Escape cancels the run, and what was queued comes back to be edited", async () => {
  await using desk = new TuiDesk({ "repo/gate": { fifo: true } });
  desk.script([held, { text: "Never." }]);
  const terminal = await desk.open({ free: true });
  await say(terminal, "Go.");
  await terminal.waitFor("run echo begun");
  terminal.type(`later${keys.tab}`);
  await terminal.waitFor("next: later");
  terminal.type(keys.escape);
  await terminal.waitFor("interrupted");
  await rest(terminal);
  expect(desk.screen(terminal)).toMatchInlineSnapshot(`
    "codelia 0.1.0
      /repo

    › Go.
      Commands run without a sandbox: sandbox.enabled is off.

    ✓ run echo begun; cat gate  N s
      begun
      killed on request
      interrupted

    › later

    scripted/../script.json · 1.6k in · 0% cached · 10 out · $0.0000 · full"
  `);
});

test.each([
  ["Ctrl-C twice", 0, (terminal: EmulatedTerminal) => terminal.type(keys.ctrlC + keys.ctrlC)],
  ["Ctrl-D", 0, (terminal: EmulatedTerminal) => terminal.type(keys.ctrlD)],
  ["/quit", 0, (terminal: EmulatedTerminal) => terminal.type(`/quit${keys.enter}`)],
  ["SIGTERM", 143, (terminal: EmulatedTerminal) => terminal.kill("SIGTERM")],
  ["a failure of the program", 1, (terminal: EmulatedTerminal) => terminal.kill("SIGUSR2")],
] as const)("%s leaves the terminal as it was found", async (_, code, leave) => {
  await using desk = new TuiDesk({
    "crash.ts": 'process.on("SIGUSR2", () => { throw new Error("this is a test"); });',
    "home/.bashrc": "",
  });
  const [bun = "", main = ""] = codeliaCommand;
  const quoted = [bun, "--preload", "../crash.ts", main, "--trust", "-m", "scripted/../script.json"]
    .map((word) => `'${word}'`)
    .join(" ");
  // A shell around it sees the terminal before and after; signals are for the program alone.
  const script = `trap : TERM USR2 INT; stty -a > ../before; ${quoted}; echo "code $?"; stty -a > ../after; echo left.`;
  await using terminal = new EmulatedTerminal(["-c", script], {
    cwd: desk.tree.at("repo"),
    home: desk.tree.at("home"),
    command: ["bash", "--norc", "--noprofile"],
  });
  await terminal.waitFor("Ask for something.");
  leave(terminal);
  await terminal.waitFor("left.");
  expect(terminal.screen).toContain(`code ${code}`);
  expect(readFileSync(desk.tree.at("after"), "utf8")).toBe(readFileSync(desk.tree.at("before"), "utf8"));
  const written = terminal.writes.join("");
  expect(terminal.isPasteMarked).toBe(false);
  expect(written.lastIndexOf("\u001b[?25h")).toBeGreaterThan(written.lastIndexOf("\u001b[?25l"));
  expect(written.lastIndexOf("\u001b[<u")).toBeGreaterThan(written.lastIndexOf("\u001b[>1u"));
  expect(terminal.screen).not.toContain("Ask for something.");
});
