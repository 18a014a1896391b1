// One run of the real program that is asked to execute many commands, and what came of each: decision and file.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { z } from "zod";
import { codelia } from "../../support/codelia.ts";
import { TemporaryTree } from "../../support/tree.ts";

const Decided = z.object({
  type: z.literal("permission.decided"),
  call_id: z.string(),
  decision: z.enum(["allow", "deny"]),
  by: z.string(),
  reason: z.string(),
  rule: z
    .object({ effect: z.string(), scope: z.string(), rule: z.record(z.string(), z.unknown()) })
    .optional(),
});

export type Decision = z.infer<typeof Decided>;

export interface CommandOutcome {
  readonly decision: Decision | undefined;
  /** The file that the command is about is as it was. */
  readonly isIntact: boolean;
}

export interface CommandRun {
  readonly code: number;
  readonly outcomes: readonly CommandOutcome[];
}

const precious = "precious\n";

/** @input commands: `@` stands for a file of its own, which is there */
export async function runCommands(commands: readonly string[], args: readonly string[]): Promise<CommandRun> {
  using tree = new TemporaryTree({
    "home/": "",
    "repo/input": "words\n",
    "repo/other": "other words\n",
    ...Object.fromEntries(commands.map((_, index) => [`repo/v/${index}`, precious])),
  });
  spawnSync("git", ["init", "--quiet"], { cwd: tree.at("repo") });
  const calls = commands.map((command, index) => ({
    id: `c${index}`,
    name: "bash",
    arguments: { command: command.replaceAll("@", `v/${index}`), timeout_s: 60 },
  }));
  tree.add({ "script.json": JSON.stringify({ turns: [{ tool_calls: calls }, { text: "Done." }] }) });
  const { code, stdout } = await codelia(
    ["run", "go", "--trust", "--json", "-m", `scripted/${tree.at("script.json")}`, ...args],
    { cwd: tree.at("repo"), home: tree.at("home") },
  );
  const decisions = stdout
    .split("\n")
    .filter((line) => line.includes('"permission.decided"'))
    .map((line) => Decided.parse(JSON.parse(line)));
  return {
    code,
    outcomes: commands.map((_, index) => ({
      decision: decisions.find(({ call_id }) => call_id === `c${index}`),
      isIntact: isIntact(tree.at("repo/v", String(index))),
    })),
  };
}

function isIntact(path: string): boolean {
  return existsSync(path) && lstatSync(path).isFile() && readFileSync(path, "utf8") === precious;
}
