// Reads the workspace from disk for the checks: its package folders, their manifests, their sources.
// A manifest that is no JSON object is an error; a field of another shape counts as absent.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Position, positionAt } from "./violation.ts";

export type DependencyField =
  | "dependencies"
  | "devDependencies"
  | "optionalDependencies"
  | "peerDependencies";

export const dependencyFields: readonly DependencyField[] = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
];

export interface Manifest {
  /** Relative to the repository. */
  file: string;
  name: string | undefined;
  /** The subpaths that `exports` opens, `.` included. */
  exports: readonly string[];
  overrides: unknown;
  specs(field: DependencyField): ReadonlyMap<string, string>;
  /** Where a key stands, searched after the key of the field it belongs to. */
  positionOf(field: string, key: string): Position;
}

/** @output the names of the folders in `packages`, sorted */
export function packageFolders(root: string): string[] {
  const packages = join(root, "packages");
  if (!existsSync(packages)) return [];
  const entries = readdirSync(packages, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}

/** @output the TypeScript and JavaScript files in src, relative to it, with forward slashes, sorted */
export function sourceFiles(root: string, folder: string): string[] {
  const src = join(root, "packages", folder, "src");
  if (!existsSync(src)) return [];
  const files = readdirSync(src, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted();
}

/**
 * @input  file relative to the repository
 * @output the manifest, or undefined when there is no such file
 * @error  throws when the file is no JSON object
 */
export function readManifest(root: string, file: string): Manifest | undefined {
  const path = join(root, file);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8");
  const manifest = parseObject(text, file);
  return {
    file,
    name: typeof manifest.name === "string" ? manifest.name : undefined,
    exports: exportedSubpaths(manifest.exports),
    overrides: manifest.overrides,
    specs: (field) => stringMap(manifest[field]),
    positionOf: (field, key) => {
      const start = Math.max(0, text.indexOf(`${JSON.stringify(field)}:`));
      return positionAt(text, text.indexOf(`${JSON.stringify(key)}:`, start));
    },
  };
}

export function parseObject(text: string, file: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error(`${file} must hold a JSON object`);
  return value;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The string values of an object; other values, and values that are no object, are left out. */
export function stringMap(value: unknown): ReadonlyMap<string, string> {
  const strings = new Map<string, string>();
  if (!isRecord(value)) return strings;
  for (const [key, text] of Object.entries(value)) if (typeof text === "string") strings.set(key, text);
  return strings;
}

function exportedSubpaths(exports: unknown): string[] {
  if (!isRecord(exports)) return typeof exports === "string" ? ["."] : [];
  const open = Object.entries(exports).filter(([key, target]) => key.startsWith(".") && target !== null);
  return open.map(([key]) => key);
}
