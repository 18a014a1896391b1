// The repositories that agents are run in: the same files to read, with one AGENTS.md or with thousands.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface BenchRepository {
  readonly root: string;
  readonly files: readonly { readonly path: string; readonly word: string }[];
}

export const readTurns = 20;

/** @effects writes a Git repository with one commit below `root`, which must not exist yet */
export function makeRepository(root: string, instructionFiles: number): BenchRepository {
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(
    join(root, "AGENTS.md"),
    "# Rules\n\nKeep functions short. Run `npm test` before you finish.\n",
  );
  const files = Array.from({ length: readTurns }, (_, index) => {
    const number = String(index + 1).padStart(2, "0");
    const path = join(root, "src", `module-${number}.ts`);
    const word = `answerOfModule${number}`;
    writeFileSync(path, moduleText(number, word));
    return { path, word };
  });
  for (let index = 1; index < instructionFiles; index++) {
    const directory = join(root, "packages", `group-${index % 50}`, `package-${index}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "AGENTS.md"), `# Package ${index}\n\nTests live beside the code.\n`);
  }
  git(root, "init", "--quiet", "--initial-branch=main");
  git(root, "add", "--all");
  git(
    root,
    "-c",
    "user.name=Bench",
    "-c",
    "user.email=bench@example.com",
    "commit",
    "--quiet",
    "-m",
    "Start",
  );
  return { root, files };
}

function moduleText(number: string, word: string): string {
  const lines = Array.from({ length: 20 }, (_, line) => `  total += values[${line}] ?? ${line};`);
  return [
    `// Module ${number} of the bench.`,
    `export function ${word}(values: readonly number[]): number {`,
    "  let total = 0;",
    ...lines,
    "  return total;",
    "}",
    "",
  ].join("\n");
}

function git(cwd: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync("git", args, { cwd });
  if (status !== 0)
    throw new Error(`git ${args.join(" ")} failed in ${cwd}: ${error?.message ?? stderr.toString()}`);
}
