// Lockfiles for the tests of the lockfile check, written down as entries by path.
// `complete` breaks no rule; a test changes the one thing that its rule is about.
import { checkLockfile, type LockfileReport } from "../lockfile-rules.ts";
import type { Violation } from "../violation.ts";
import { type FixtureRepository, fixtureRepository, json } from "./fixture-repository.ts";

export type LockEntries = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const builds = ["linux", "darwin", "win32"].flatMap((os) =>
  ["x64", "arm64"].map((cpu) => ({ os, cpu, name: `${os}-${cpu}` })),
);

export const platformNames: readonly string[] = builds.map(({ name }) => name);

export function installed(entry: LockEntries[string] = {}): LockEntries[string] {
  return { version: "1.0.0", integrity: "sha512-x", ...entry };
}

/** The specs of six platform packages whose names begin with the prefix. */
export function buildSpecs(prefix: string): Record<string, string> {
  return Object.fromEntries(platformNames.map((name) => [`${prefix}${name}`, "1.0.0"]));
}

/** Their entries. */
export function buildEntries(prefix: string): LockEntries {
  return Object.fromEntries(
    builds.map(({ os, cpu, name }) => [
      `node_modules/${prefix}${name}`,
      installed({ os: [os], cpu: [cpu], optional: true, ...(os === "linux" ? { libc: ["glibc"] } : {}) }),
    ]),
  );
}

export const complete: LockEntries = {
  "": { optionalDependencies: buildSpecs("@oven/bun-") },
  "node_modules/codelia": { resolved: "packages/codelia", link: true },
  "node_modules/tool": installed({ optionalDependencies: buildSpecs("@tool/") }),
  "packages/codelia": { version: "0.1.0" },
  ...buildEntries("@oven/bun-"),
  ...buildEntries("@tool/"),
};

export function lockRepository(
  entries: LockEntries,
  manifests: Readonly<Record<string, unknown>> = {},
): FixtureRepository {
  const files: Record<string, string> = { "package-lock.json": lockText(entries) };
  for (const [file, manifest] of Object.entries(manifests)) files[file] = json(manifest);
  return fixtureRepository(files);
}

export function check(entries: LockEntries, manifests?: Readonly<Record<string, unknown>>): LockfileReport {
  using repository = lockRepository(entries, manifests);
  return checkLockfile(repository.root);
}

export function violationsIn(entries: LockEntries): Violation[] {
  return check(entries).violations;
}

/** A violation of the entry with this path. */
export function violationAt(entries: LockEntries, path: string, rule: string, message: string): Violation {
  const lines = lockText(entries).split("\n");
  const line = 1 + lines.findIndex((text) => text.startsWith(`    "${path}": {`));
  return { file: "package-lock.json", line, column: 5, rule, message };
}

function lockText(entries: LockEntries): string {
  return json({ lockfileVersion: 3, packages: entries });
}
