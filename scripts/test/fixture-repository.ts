// A repository in a temporary folder for the tests of the checks: `using` removes it at the end of the test.
// Runs the check scripts on it as a user would, to see what they print and how they exit.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const repositoryRoot = join(import.meta.dirname, "..", "..");

export interface FixtureRepository extends Disposable {
  root: string;
}

export function fixtureRepository(files: Readonly<Record<string, string>>): FixtureRepository {
  const root = mkdtempSync(join(tmpdir(), "codelia-check-"));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function runScript(
  script: string,
  root: string,
): { exitCode: number; stdout: string; stderr: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([
    process.execPath,
    join(repositoryRoot, "scripts", script),
    root,
  ]);
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}
