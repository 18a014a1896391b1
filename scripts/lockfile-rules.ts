// The lockfile installs everywhere: complete for six platforms, no install scripts, no registry's host,
// nothing without integrity, and every manifest of ours pins exact versions.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type LockEntry, type Lockfile, readLockfile, resolveEntry } from "./lockfile.ts";
import { missingPlatforms, platformFamilies } from "./platform-families.ts";
import { sortViolations, type Violation } from "./violation.ts";
import { dependencyFields, isRecord, type Manifest, packageFolders, readManifest } from "./workspace.ts";

export interface LockfileReport {
  violations: Violation[];
  /** How many installed packages, platform families and version specs were checked. */
  packages: number;
  families: number;
  pins: number;
}

const file = "package-lock.json";
const exactVersion = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;

/**
 * @input  the repository's root folder
 * @output the violations, sorted, and how much was read; a lockfile without packages is a violation
 * @effect reads package-lock.json and our manifests
 * @error  throws when one of them is no JSON object
 */
export function checkLockfile(root: string): LockfileReport {
  const path = join(root, file);
  const lockfile = readLockfile(existsSync(path) ? readFileSync(path, "utf8") : "{}", file);
  const installed = [...lockfile.entries.values()].filter(isInstalled);
  const families = platformFamilies(lockfile);
  const violations: Violation[] = [];
  const fail = (entry: string, rule: string, message: string) =>
    violations.push({ file, ...lockfile.positionOf(entry), rule, message });

  if (installed.length === 0) {
    fail("", "empty", "names no package, so nothing was checked: run npm install in the repository's root");
  } else if (lockfile.version !== 3) {
    fail("", "version", "must have lockfileVersion 3: write it with npm 9 or newer");
  }
  for (const entry of lockfile.entries.values()) {
    for (const { rule, message } of checkEntry(lockfile, entry)) fail(entry.path, rule, message);
  }
  for (const family of families) {
    const missing = missingPlatforms(family);
    if (missing.length === 0) continue;
    const message = `${family.name} has no package for ${missing.join(", ")}: pin a version that is complete`;
    fail(family.owner.path, "platforms", message);
  }

  const manifests = [
    "package.json",
    ...packageFolders(root).map((folder) => `packages/${folder}/package.json`),
  ]
    .map((name) => readManifest(root, name))
    .filter((manifest) => manifest !== undefined);
  const pins = manifests.flatMap(versionSpecs);
  for (const { spec, ...place } of pins) {
    if (exactVersion.test(spec)) continue;
    violations.push({ ...place, rule: "pin", message: `"${spec}" is not an exact version: pin one` });
  }
  return {
    violations: sortViolations(violations),
    packages: installed.length,
    families: families.length,
    pins: pins.length,
  };
}

function checkEntry(lockfile: Lockfile, entry: LockEntry): { rule: string; message: string }[] {
  const findings: { rule: string; message: string }[] = [];
  for (const [name, spec] of entry.optionalDependencies) {
    const found = resolveEntry(lockfile, entry.path, name);
    if (found && (found.link || !exactVersion.test(spec) || found.version === spec)) continue;
    const message = `the lockfile lacks ${name} ${spec}, so npm ci fails: pin a version that is complete`;
    findings.push({ rule: "missing", message });
  }
  if (entry.hasInstallScript) {
    const message = "needs an install script, which npm 12 blocks: use a package that works without one";
    findings.push({ rule: "install-script", message });
  }
  if (isInstalled(entry) && !entry.inBundle && entry.integrity === undefined) {
    const message = "has no integrity: remove the entry and run npm install again";
    findings.push({ rule: "integrity", message });
  }
  if (!entry.link && entry.resolved?.includes("://")) {
    const message = `names a host (${entry.resolved}): keep omit-lockfile-registry-resolved in .npmrc`;
    findings.push({ rule: "host", message });
  }
  return findings;
}

function isInstalled(entry: LockEntry): boolean {
  return entry.path.includes("node_modules/") && !entry.link;
}

type VersionSpec = { file: string; line: number; column: number; spec: string };

function versionSpecs(manifest: Manifest): VersionSpec[] {
  const specs = dependencyFields.flatMap((field) =>
    [...manifest.specs(field)].map(([name, spec]) => ({
      file: manifest.file,
      ...manifest.positionOf(field, name),
      spec,
    })),
  );
  return [...specs, ...overrideSpecs(manifest, manifest.overrides)];
}

// Overrides nest; `$name` refers to a direct dependency, whose own spec is checked.
function overrideSpecs(manifest: Manifest, overrides: unknown): VersionSpec[] {
  if (!isRecord(overrides)) return [];
  return Object.entries(overrides).flatMap(([name, spec]) => {
    if (typeof spec !== "string") return overrideSpecs(manifest, spec);
    if (spec.startsWith("$")) return [];
    return [{ file: manifest.file, ...manifest.positionOf("overrides", name), spec }];
  });
}
