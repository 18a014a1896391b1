import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Run } from "../../support/codelia.ts";
import { SafetyScene } from "../scene.ts";

/** Everything that acts on a terminal or hides in a line, in one text. */
const hostile = [
  "\u001b]52;c;ZXZpbA==\u0007",
  "\u001b]0;title\u001b\\",
  "\u001b[2J\u001b[1;1H",
  "\u009b31m\u009d52;c;eA==\u009c",
  "\rhidden\b\b\u0007\u0000",
  "\u202etxt.exe\u202c\u2066x\u2069",
  "a\u200bb\u2060c\ufeffd\u{e0041}",
  "\u2028\u2029",
].join("");

/** Line feeds and tabs are layout; everything else of these kinds acts or hides. */
const acting = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const controls = /(?![\n\t])\p{Cc}/u;

function actingIn({ stdout, stderr }: Pick<Run, "stdout" | "stderr">): string[] {
  return (stdout + stderr).split("\n").filter((line) => acting.test(line));
}

// A file name may hold anything but a slash and NUL.
const name = hostile.replaceAll("\u0000", "");

describe("text from files, tools and models does not act in", () => {
  const made = new SafetyScene({
    "repo/AGENTS.md": `# Rules\n${hostile}\n`,
    [`repo/${name}/AGENTS.md`]: `deep ${hostile}\n`,
    [`repo/${name}/${name}.txt`]: `${hostile}\n`,
    "repo/.codelia/config.json": JSON.stringify({ [hostile]: 1, agents: { initial: { maxFiles: hostile } } }),
  });
  const model = () => `scripted/${made.at("script.json")}`;
  const turns = [
    {
      text: `Thinking ${hostile}`,
      tool_calls: [{ name: "read", arguments: { path: `${name}/${name}.txt` } }],
    },
    { tool_calls: [{ name: "bash", arguments: { command: `printf '%s' '${name}'; cat */*.txt; ls` } }] },
    { tool_calls: [{ name: "write", arguments: { path: `new${name}.txt`, content: hostile } }] },
    { tool_calls: [{ name: "grep", arguments: { pattern: "evil|exe" } }] },
    { tool_calls: [{ name: hostile, arguments: {} }] },
    { tool_calls: [{ name: "read", arguments: { path: `missing${hostile}` } }] },
    { text: `Answer ${hostile}` },
  ];
  const run = (...args: string[]) =>
    made.codelia(["run", `Prompt ${name}`, "--trust", "--approval", "full", "-m", model(), ...args]);
  let progress: Run;
  let events: Run;

  beforeAll(async () => {
    made.add({ "script.json": JSON.stringify({ turns }) });
    made.remove("repo/.codelia/config.json");
    progress = await run();
    events = await run("--json");
  });
  afterAll(() => made[Symbol.dispose]());

  test("the progress of a run", () => {
    expect([progress.code, actingIn({ stdout: "", stderr: progress.stderr })]).toEqual([0, []]);
  });

  test("an answer in a pipe: controls are shown, characters of scripts and emoji stay", () => {
    const [line = ""] = progress.stdout.split("\n").filter((each) => each.startsWith("Answer"));
    expect([
      controls.test(progress.stdout),
      line.includes("\\u001b]52;c;"),
      line.includes("\u202etxt.exe"),
    ]).toEqual([false, true, true]);
  });

  test("events as JSON, which have the exact text all the same", () => {
    const last: unknown = JSON.parse(events.stdout.trim().split("\n").at(-1) ?? "{}");
    expect([events.code, actingIn(events)]).toEqual([0, []]);
    expect(last).toMatchObject({ type: "run.finished", text: `Answer ${hostile}` });
  });

  test.each([
    ["sessions list", ["sessions", "list"]],
    ["sessions list --json", ["sessions", "list", "--json"]],
    ["sessions show", ["sessions", "show"]],
    ["sessions search", ["sessions", "search", "Answer"]],
    ["sessions export as Markdown", ["sessions", "export", "--format", "md"]],
    ["sessions export as HTML", ["sessions", "export", "--format", "html"]],
    ["sessions export as JSON", ["sessions", "export", "--format", "json"]],
    ["sessions undo --dry-run", ["sessions", "undo", "--dry-run"]],
    ["context", ["context", "--trust"]],
    ["context --json", ["context", "--trust", "--json"]],
    ["context --tree", ["context", "--trust", "--tree"]],
    ["context of a path", ["context", "--trust", `${name}/${name}.txt`]],
    ["sandbox check", ["sandbox", "check", "--trust"]],
    ["trust of a folder with such a name", ["trust", name]],
    ["a folder that is not there", ["context", "-C", `missing${name}`]],
    ["a wrong argument", [name]],
    ["a wrong option", ["run", `--${name}`]],
    ["a wrong model", ["run", "x", "--trust", "-m", name]],
    ["a session that is not there", ["sessions", "show", name]],
  ])("%s", async (_, args) => {
    expect(actingIn(await made.codelia(args))).toEqual([]);
  });

  test.each([[["config", "--trust"]], [["config", "--json", "--trust"]], [["context", "--trust"]]])(
    "wrong settings of a repository: %j",
    async (args) => {
      made.add({
        "repo/.codelia/config.json": JSON.stringify({ [hostile]: 1, agents: { enabled: hostile } }),
      });
      expect(actingIn(await made.codelia(args))).toEqual([]);
      made.remove("repo/.codelia/config.json");
    },
  );

  test("instructions in a pipe: what would act is shown", async () => {
    const { stdout } = await made.codelia(["context", "--trust", "--show"]);
    expect([controls.test(stdout), stdout.includes("\\u001b[2J")]).toEqual([false, true]);
  });
});
