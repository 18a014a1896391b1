// The lockfile check's rule about platform packages: a family serves all six platforms or breaks `npm ci`
// on somebody else's machine.
import { describe, expect, test } from "bun:test";
import type { Violation } from "../violation.ts";
import {
  buildEntries,
  buildSpecs,
  complete,
  installed,
  type LockEntries,
  platformNames,
  violationAt,
  violationsIn,
} from "./lock-entries.ts";

function toolLacks(entries: LockEntries, platforms: string): Violation {
  const message = `tool has no package for ${platforms}: pin a version that is complete`;
  return violationAt(entries, "node_modules/tool", "platforms", message);
}

function withLinuxLibc(libc: string[]): LockEntries {
  return {
    ...complete,
    "node_modules/@tool/linux-x64": installed({ os: ["linux"], cpu: ["x64"], libc }),
  };
}

/** Two packages: one for these systems on any processor of ours, one for Windows. */
function builtFor(os: string[]): LockEntries {
  return {
    "node_modules/tool": installed({ optionalDependencies: { "build-a": "1.0.0", "build-b": "1.0.0" } }),
    "node_modules/build-a": installed({ os, cpu: ["x64", "arm64"] }),
    "node_modules/build-b": installed({ os: "win32" }),
  };
}

describe("a family of platform packages", () => {
  test("is complete with a package for each of six platforms", () => {
    expect(violationsIn(complete)).toEqual([]);
  });

  test.each(platformNames)("must have one for %s", (name) => {
    const { [`@tool/${name}`]: _, ...optionalDependencies } = buildSpecs("@tool/");
    const entries = { ...complete, "node_modules/tool": installed({ optionalDependencies }) };
    expect(violationsIn(entries)).toEqual([toolLacks(entries, name.replace("-", " "))]);
  });

  test("serves Linux with a package that runs with glibc, not only with musl", () => {
    const glibcOrMusl = withLinuxLibc(["glibc", "musl"]);
    const onlyMusl = withLinuxLibc(["musl"]);
    expect(violationsIn(withLinuxLibc([]))).toEqual([]);
    expect(violationsIn(glibcOrMusl)).toEqual([]);
    expect(violationsIn(onlyMusl)).toEqual([toolLacks(onlyMusl, "linux x64")]);
  });

  test("has its libc from the name where npm wrote none", () => {
    const { "@tool/linux-x64": _, ...others } = buildSpecs("@tool/");
    const entries = {
      ...complete,
      "node_modules/tool": installed({
        optionalDependencies: { ...others, "@tool/linux-x64-musl": "1.0.0" },
      }),
      "node_modules/@tool/linux-x64-musl": installed({ os: ["linux"], cpu: ["x64"] }),
    };
    expect(violationsIn(entries)).toEqual([toolLacks(entries, "linux x64")]);
  });

  test("has a hole where an entry lost its os and cpu", () => {
    const entries = { ...complete, "node_modules/@tool/win32-x64": installed() };
    expect(violationsIn(entries)).toEqual([toolLacks(entries, "win32 x64")]);
    const bare = {
      "node_modules/tool": installed({ optionalDependencies: { "@tool/linux-x64": "1.0.0" } }),
      "node_modules/@tool/linux-x64": installed(),
    };
    const all = platformNames.map((name) => name.replace("-", " ")).join(", ");
    expect(violationsIn(bare)).toEqual([toolLacks(bare, all)]);
  });

  test("may serve several platforms with one package, or exclude some, as npm reads the lists", () => {
    expect(violationsIn(builtFor(["linux", "darwin"]))).toEqual([]);
    expect(violationsIn(builtFor(["!win32"]))).toEqual([]);
    const entries = builtFor(["!win32", "!darwin"]);
    expect(violationsIn(entries)).toEqual([toolLacks(entries, "darwin x64, darwin arm64")]);
  });

  test.each(["", "packages/codelia"])("has the beginning of its names in our own entry '%s'", (owner) => {
    const entries = {
      [owner]: { optionalDependencies: { ...buildSpecs("@oven/bun-"), "@vscode/rg-linux-x64": "1.0.0" } },
      ...buildEntries("@oven/bun-"),
      "node_modules/@vscode/rg-linux-x64": installed({ os: ["linux"], cpu: ["x64"] }),
    };
    const missing = "linux arm64, darwin x64, darwin arm64, win32 x64, win32 arm64";
    const message = `@vscode/rg-* has no package for ${missing}: pin a version that is complete`;
    expect(violationsIn(entries)).toEqual([violationAt(entries, owner, "platforms", message)]);
  });

  test("does not include optional packages that run everywhere", () => {
    const entries = {
      "node_modules/tool": installed({ optionalDependencies: { "source-map": "1.0.0" } }),
      "node_modules/source-map": installed(),
    };
    expect(violationsIn(entries)).toEqual([]);
  });
});
