// Dependencies point downwards: the house plan (which package may import which) as a table, and its check.
// Covers every file in packages/*/src and what each package.json declares; test and bin are left out.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findCycles } from "./import-cycles.ts";
import {
  checkImport,
  checkLayer,
  type PackageRule,
  packageName,
  packageOf,
  type Room,
  targetOf,
} from "./import-rules.ts";
import { readImports } from "./source-imports.ts";
import { type Position, sortViolations, type Violation } from "./violation.ts";
import { type DependencyField, packageFolders, readManifest, sourceFiles } from "./workspace.ts";

// What opens files, sockets, processes or terminals: it comes in through a port instead.
const outsideWorld = "fs net http http2 https tls dgram child_process readline tty".split(" ");
const face: PackageRule = { mayImport: ["shared-types", "protocol"] };

const table: ReadonlyMap<string, PackageRule> = new Map([
  ["shared-types", { mayImport: [], forbidden: "all" }],
  ["storage", { mayImport: ["shared-types"] }],
  ["config", { mayImport: ["shared-types", "storage"] }],
  ["models", { mayImport: ["shared-types", "config", "storage"] }],
  ["core", { mayImport: ["shared-types", "config", "storage"], forbidden: outsideWorld }],
  ["flows", { mayImport: ["shared-types", "config", "storage", "core"] }],
  ["protocol", { mayImport: ["shared-types"], forbidden: outsideWorld }],
  ["runtime", { mayImport: ["shared-types", "config", "storage", "core", "models", "flows", "protocol"] }],
  ["cli", face],
  ["tui", face],
  ["web", face],
  ["acp", face],
  ["codelia", { mayImport: "any" }],
] satisfies [string, PackageRule][]);

// devDependencies are left out: tests use them, and src may not import what only they name.
const shippedFields: readonly DependencyField[] = [
  "dependencies",
  "optionalDependencies",
  "peerDependencies",
];

export interface DependencyReport {
  violations: Violation[];
  /** How many source files were read, and in how many packages. */
  files: number;
  packages: number;
}

/**
 * @input  the repository's root folder
 * @output the violations, sorted, and how much was read; to find no source file is a violation
 * @effect reads sources and manifests
 * @error  throws when a package.json is no JSON object
 */
export function checkDependencies(root: string): DependencyReport {
  const violations: Violation[] = [];
  const read = { files: 0, packages: 0 };
  for (const folder of packageFolders(root)) {
    const file = `packages/${folder}/package.json`;
    const fail = (message: string) => violations.push({ file, line: 1, column: 1, rule: "table", message });
    const rule = table.get(folder);
    if (!rule) {
      fail(`${folder} has no place in the house plan: add it to the table in scripts/dependency-rules.ts`);
      continue;
    }
    const manifest = readManifest(root, file);
    if (manifest?.name !== packageName(folder)) {
      fail(`must exist and have the name "${packageName(folder)}"`);
      continue;
    }
    const files = sourceFiles(root, folder);
    read.files += files.length;
    if (files.length > 0) read.packages += 1;
    violations.push(...checkPackage({ root, folder, rule, manifest, files: new Set(files) }));
  }
  if (read.files === 0) {
    const message = "no source file was found, so nothing was checked: give the repository's root folder";
    violations.push({ file: "packages", line: 1, column: 1, rule: "empty", message });
  }
  return { violations: sortViolations(violations), ...read };
}

function checkPackage(room: Room): Violation[] {
  const violations: Violation[] = [];
  const imported = new Set<string>();
  const edges = new Map<string, Map<string, Position>>();
  for (const name of room.files) {
    const file = `packages/${room.folder}/src/${name}`;
    const { imports, errors } = readImports(file, readFileSync(join(room.root, file), "utf8"));
    for (const { message, ...position } of errors) {
      violations.push({ file, ...position, rule: "syntax", message: `cannot be parsed: ${message}` });
    }
    const targets = new Map<string, Position>();
    edges.set(name, targets);
    for (const found of imports) {
      const { line, column, specifier = "", typeOnly } = found;
      const finding = checkImport(room, name, found);
      if (finding) violations.push({ file, line, column, ...finding });
      imported.add(packageOf(specifier) ?? specifier);
      const target = targetOf(name, specifier);
      if (target !== undefined && !typeOnly && !targets.has(target)) targets.set(target, { line, column });
    }
  }
  return [...violations, ...checkCycles(room, edges), ...checkDeclared(room, imported)];
}

function checkCycles(
  { folder }: Room,
  edges: ReadonlyMap<string, ReadonlyMap<string, Position>>,
): Violation[] {
  const graph = new Map([...edges].map(([file, targets]) => [file, [...targets.keys()]]));
  return findCycles(graph).map((cycle) => {
    const [first = "", second = first] = cycle;
    const position = edges.get(first)?.get(second) ?? { line: 1, column: 1 };
    const message = `${[...cycle, first].join(" -> ")}: move what they share into a file below them`;
    return { file: `packages/${folder}/src/${first}`, ...position, rule: "cycle", message };
  });
}

function checkDeclared(room: Room, imported: ReadonlySet<string>): Violation[] {
  const violations: Violation[] = [];
  const { manifest } = room;
  for (const field of shippedFields) {
    for (const name of manifest.specs(field).keys()) {
      const place = { file: manifest.file, ...manifest.positionOf(field, name) };
      const finding = checkLayer(room, name);
      if (finding) violations.push({ ...place, ...finding });
      if (field !== "dependencies" || imported.has(name)) continue;
      const message = `${name} is declared but not used: import it in src or remove it`;
      violations.push({ ...place, rule: "unused", message });
    }
  }
  return violations;
}
