// Completions in real shells: what is typed with a tab, and what the shell makes of it.
import { beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { ApprovalModeSchema } from "@codelia/shared-types";
import { codelia } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { commands } from "../src/commands/index.ts";
import { completionScripts } from "../src/completions/index.ts";
import { approvalModes, descriptions } from "../src/descriptions/index.ts";
import { commandHelp, optionHelp, overview } from "../src/help.ts";
import { manPage } from "../src/man-page.ts";

const scripts = { bash: "", zsh: "", fish: "" };

beforeAll(() => {
  for (const shell of ["bash", "zsh", "fish"] as const) scripts[shell] = completionScripts[shell]?.() ?? "";
});

/** What is typed, and the command line that runs when Enter is pressed. */
const typed: readonly (readonly [keys: string, runs: string])[] = [
  ["codelia sess\t exp\t --form\t h\t", "sessions export --format html"],
  ["codelia run --app\t a\tu\t --max-t\t 3 go", "run --approval auto-edit --max-turns 3 go"],
  ["codelia skills val\t --str\t", "skills validate --strict"],
  ["codelia --vers\t", "--version"],
  ["codelia --app\t a\tu\t --cont\t", "--approval auto-edit --continue"],
  ["codelia -C fold\tinn\t", "-C folder/inner"],
  ["codelia context no\t", "context notes.txt"],
  ["codelia run -C fold\tinn\t", "run -C folder/inner"],
];

/** Types into an interactive shell in a real terminal. */
function inShell(shell: "bash" | "zsh", start: string): string[] {
  using tree = new TemporaryTree({ script: scripts[shell], "notes.txt": "", "folder/inner/": "" });
  const lines = [start, ...typed.map(([keys]) => keys), "exit", ""];
  const flags = { bash: "--norc --noprofile -i", zsh: "-f -i" };
  const { stdout } = spawnSync("script", ["-qec", `${shell} ${flags[shell]}`, "/dev/null"], {
    input: lines.join("\n"),
    cwd: tree.path,
    encoding: "utf8",
    env: { PATH: process.env.PATH ?? "", HOME: tree.path, TERM: "xterm" },
  });
  return (
    [...stdout.matchAll(/RUNS:<(.*?)>/g)]
      // zsh takes the slash of a folder away when Enter is pressed.
      .map(([, words = ""]) => words.replace(/\/$/, ""))
      .filter((words) => words !== "$*")
  );
}

describe("a tab completes commands, flags, values and files", () => {
  const expected = typed.map(([, runs]) => runs);

  test("in bash", () => {
    expect(inShell("bash", 'source ./script; codelia() { echo "RUNS:<$*>"; }')).toEqual(expected);
  });

  test("in zsh", () => {
    const start =
      'autoload -Uz compinit; compinit -D; source ./script; codelia() { print -r -- "RUNS:<$*>" }';
    expect(inShell("zsh", start)).toEqual(expected);
  });

  test("in fish", () => {
    using tree = new TemporaryTree({ script: scripts.fish, "notes.txt": "", "folder/inner.txt": "" });
    const lines = [
      "codelia sess",
      "codelia sessions export --format h",
      "codelia run --app",
      "codelia run -C fo",
      "codelia --app",
    ];
    const ask = lines.map((line) => `complete -C '${line}'`).join("; ");
    const { stdout } = spawnSync("fish", ["--no-config", "-c", `source ./script; ${ask}`], {
      cwd: tree.path,
      encoding: "utf8",
      env: { PATH: process.env.PATH ?? "", HOME: tree.path },
    });
    const offered = stdout.trim().split("\n");
    expect(offered.map((line) => line.split("\t")[0])).toEqual([
      "sessions",
      "html",
      "--approval",
      "folder/",
      "--approval",
    ]);
  });
});

describe("one description makes everything", () => {
  test("every command has one, and every described command is there", () => {
    expect(Object.keys(descriptions).toSorted()).toEqual(Object.keys(commands).toSorted());
    expect([...approvalModes]).toEqual(ApprovalModeSchema.options);
  });

  test("every flag is in the help, the man page and each shell's script", () => {
    const page = manPage("1.2.3").replaceAll("\\-", "-");
    const missing = Object.entries(descriptions).flatMap(([name, description]) => {
      const help = commandHelp(name) ?? "";
      return optionHelp(description).flatMap(({ name: flag, label }) => [
        ...(help.includes(`  ${label}  `) ? [] : [`help ${name} ${label}`]),
        ...(page.includes(`--${flag}`) ? [] : [`man ${flag}`]),
        ...(scripts.bash.includes(`--${flag}\\n`) ? [] : [`bash ${flag}`]),
        ...(scripts.zsh.includes(`--${flag}`) ? [] : [`zsh ${flag}`]),
        ...(scripts.fish.includes(`-l ${flag} `) ? [] : [`fish ${flag}`]),
      ]);
    });
    expect(missing).toEqual([]);
  });

  test("no line of the help is wider than a terminal of 120 columns", () => {
    const texts = [overview(), ...Object.keys(descriptions).map((name) => commandHelp(name) ?? "")];
    expect(texts.flatMap((text) => text.split("\n")).filter(({ length }) => length > 120)).toEqual([]);
  });
});

test("the program prints the script of a shell, and says which there are", async () => {
  using tree = new TemporaryTree({ "home/": "" });
  const place = { cwd: tree.path, home: tree.at("home") };
  expect(await codelia(["completions", "fish"], place)).toEqual({
    code: 0,
    stdout: scripts.fish,
    stderr: "",
  });
  expect(await codelia(["completions", "tcsh"], place)).toEqual({
    code: 2,
    stdout: "",
    stderr: "codelia: expected one of bash, zsh, fish\nSee: codelia help completions\n",
  });
});

test("the man page is well-formed: every request is one that man knows", () => {
  const lines = manPage("1.2.3").split("\n");
  const requests = lines.filter((line) => line.startsWith(".")).map((line) => line.split(" ")[0]);
  expect(new Set(requests)).toEqual(new Set([".B", ".PP", ".SH", ".SS", ".TH", ".TP", ".br"]));
  expect(lines[0]).toBe('.TH CODELIA 1 "" "Codelia 1.2.3" "User Commands"');
});
