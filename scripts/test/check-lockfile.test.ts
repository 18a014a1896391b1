// The lockfile check against the real repository and its script, its rules for entries, and exact versions.
// Platform packages are in platform-families.test.ts.
import { describe, expect, test } from "bun:test";
import { checkLockfile } from "../lockfile-rules.ts";
import type { Violation } from "../violation.ts";
import { fixtureRepository, json, repositoryRoot, runScript } from "./fixture-repository.ts";
import { check, complete, installed, lockRepository, violationAt, violationsIn } from "./lock-entries.ts";

describe("the real repository", () => {
  test("has no violation, and was really read", () => {
    const { violations, packages, families, pins } = checkLockfile(repositoryRoot);
    expect(violations).toEqual([]);
    expect(packages).toBeGreaterThan(0);
    expect(families).toBeGreaterThan(0);
    expect(pins).toBeGreaterThan(0);
  });
});

describe("the script", () => {
  test("prints what it read in one line when the lockfile is complete", () => {
    using repository = lockRepository(complete, { "package.json": { dependencies: { tool: "1.0.0" } } });
    expect(runScript("check-lockfile.ts", repository.root)).toEqual({
      exitCode: 0,
      stdout: "lockfile: 13 packages, 2 families complete on six platforms, 1 exact pins\n",
      stderr: "",
    });
  });

  test("prints each violation with its place and exits with 1", () => {
    using repository = lockRepository({ "node_modules/a": { version: "1.0.0" } });
    expect(runScript("check-lockfile.ts", repository.root)).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "package-lock.json:4:5 integrity: has no integrity: remove the entry and run npm install again\n",
    });
  });

  test("exits with 1 when there is no lockfile", () => {
    using repository = fixtureRepository({});
    expect(runScript("check-lockfile.ts", repository.root).exitCode).toBe(1);
  });
});

describe("what is read", () => {
  const place = { file: "package-lock.json", line: 1, column: 1 };

  test("a lockfile that is absent, or names nothing but our own packages, is a violation", () => {
    const message = "names no package, so nothing was checked: run npm install in the repository's root";
    const empty = { ...place, rule: "empty", message };
    const nothing = { packages: 0, families: 0, pins: 0 };
    using repository = fixtureRepository({});
    expect(checkLockfile(repository.root)).toEqual({ violations: [empty], ...nothing });
    expect(check({})).toEqual({ violations: [empty], ...nothing });
    const own = { "": {}, "packages/a": {}, "node_modules/a": { resolved: "packages/a", link: true } };
    expect(check(own)).toEqual({ violations: [{ ...empty, line: 4, column: 5 }], ...nothing });
  });

  test("a lockfile of another version is a violation", () => {
    using repository = fixtureRepository({
      "package-lock.json": json({ lockfileVersion: 2, packages: { "node_modules/a": installed() } }),
    });
    expect(checkLockfile(repository.root).violations).toEqual([
      { ...place, rule: "version", message: "must have lockfileVersion 3: write it with npm 9 or newer" },
    ]);
  });
});

describe("optional dependencies", () => {
  const tool = { "node_modules/tool": installed({ optionalDependencies: { extra: "1.0.0" } }) };
  const message = "the lockfile lacks extra 1.0.0, so npm ci fails: pin a version that is complete";
  const missing = violationAt(tool, "node_modules/tool", "missing", message);

  test("must be in the lockfile", () => {
    expect(violationsIn(tool)).toEqual([missing]);
    expect(violationsIn({ ...tool, "node_modules/extra": installed() })).toEqual([]);
  });

  test("must be there in the version that is asked for", () => {
    const other = { ...tool, "node_modules/extra": installed({ version: "2.0.0" }) };
    expect(violationsIn(other)).toEqual([missing]);
    expect(violationsIn({ ...other, "node_modules/tool/node_modules/extra": installed() })).toEqual([]);
  });

  test("are looked up from the folder that asks for them upwards, not in another package's folder", () => {
    const nested = {
      "node_modules/a/node_modules/tool": tool["node_modules/tool"],
      "node_modules/a/node_modules/extra": installed(),
    };
    expect(violationsIn(nested)).toEqual([]);
    expect(violationsIn({ ...tool, "node_modules/other/node_modules/extra": installed() })).toEqual([
      missing,
    ]);
  });

  test("of the root and of our packages must be there too", () => {
    const entries = {
      "": { optionalDependencies: { extra: "1.0.0" } },
      "packages/a": { optionalDependencies: { extra: "1.0.0" } },
      "node_modules/b": installed(),
    };
    expect(violationsIn(entries)).toEqual([
      violationAt(entries, "", "missing", message),
      violationAt(entries, "packages/a", "missing", message),
    ]);
  });
});

describe("an entry", () => {
  test("must not need an install script", () => {
    const entries = { "node_modules/a": installed({ hasInstallScript: true }) };
    const message = "needs an install script, which npm 12 blocks: use a package that works without one";
    expect(violationsIn(entries)).toEqual([
      violationAt(entries, "node_modules/a", "install-script", message),
    ]);
  });

  test("must have integrity unless it is a link, ours, or part of another's archive", () => {
    const entries = {
      "": {},
      "packages/a": { version: "0.1.0" },
      "node_modules/a": { resolved: "packages/a", link: true },
      "node_modules/b": { version: "1.0.0" },
      "node_modules/c": installed(),
      "node_modules/c/node_modules/d": { version: "1.0.0", inBundle: true },
    };
    const message = "has no integrity: remove the entry and run npm install again";
    expect(violationsIn(entries)).toEqual([violationAt(entries, "node_modules/b", "integrity", message)]);
  });

  test.each(["https://registry.example.com/a/-/a-1.0.0.tgz", "git+ssh://git@github.com/a/a.git#1"])(
    "must not name a host: %s",
    (resolved) => {
      const entries = { "node_modules/a": installed({ resolved }) };
      const message = `names a host (${resolved}): keep omit-lockfile-registry-resolved in .npmrc`;
      expect(violationsIn(entries)).toEqual([violationAt(entries, "node_modules/a", "host", message)]);
    },
  );
});

describe("version specs", () => {
  const locked = { "node_modules/a": installed() };

  test("are exact in the root and in every package, whatever field they stand in", () => {
    const manifests = {
      "package.json": {
        devDependencies: { exact: "1.2.3", caret: "^1.2.3", tag: "latest" },
        overrides: { exact: "1.2.3", reference: "$exact", range: ">=1" },
      },
      "packages/a/package.json": { dependencies: { exact: "1.2.3-beta.1+5", any: "*", part: "1.2" } },
      "packages/b/package.json": { optionalDependencies: { alias: "npm:a@1.2.3" } },
      "packages/c/package.json": { peerDependencies: { path: "file:../a" } },
    };
    expect(check(locked, manifests)).toEqual({
      violations: [
        notExact("package.json", 4, "^1.2.3"),
        notExact("package.json", 5, "latest"),
        notExact("package.json", 10, ">=1"),
        notExact("packages/a/package.json", 4, "*"),
        notExact("packages/a/package.json", 5, "1.2"),
        notExact("packages/b/package.json", 3, "npm:a@1.2.3"),
        notExact("packages/c/package.json", 3, "file:../a"),
      ],
      packages: 1,
      families: 0,
      pins: 10,
    });
  });

  test("are exact in nested overrides too", () => {
    const manifests = { "package.json": { overrides: { a: { b: "~1.0.0" } } } };
    expect(check(locked, manifests).violations).toEqual([
      { ...notExact("package.json", 4, "~1.0.0"), column: 7 },
    ]);
  });
});

function notExact(file: string, line: number, spec: string): Violation {
  return { file, line, column: 5, rule: "pin", message: `"${spec}" is not an exact version: pin one` };
}
