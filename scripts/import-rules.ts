// The rules for one import of one file: which packages, which doors, which built-in modules.
// Says what to do about the first rule that an import breaks; the table of packages comes in as data.
import { statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import type { SourceImport } from "./source-imports.ts";
import { type Manifest, readManifest } from "./workspace.ts";

export interface PackageRule {
  /** Folders of packages. */
  mayImport: readonly string[] | "any";
  /** Node modules it must not import, without `node:`; their subpaths are meant too. */
  forbidden?: readonly string[] | "all";
}

/** A package whose imports are checked. */
export interface Room {
  root: string;
  folder: string;
  rule: PackageRule;
  manifest: Manifest;
  /** Its source files, relative to src. */
  files: ReadonlySet<string>;
}

export interface Finding {
  rule: string;
  message: string;
}

// Bun answers for these npm packages as if they were Node's own modules.
const builtIntoBunOnly: ReadonlySet<string> = new Set(["ws", "undici"]);

/** @output the folder's package name on npm */
export function packageName(folder: string): string {
  return folder === "codelia" ? folder : `@codelia/${folder}`;
}

/** @output the package that a specifier names, without its subpath; undefined for paths and addresses */
export function packageOf(specifier: string): string | undefined {
  if (isRelative(specifier)) return undefined;
  return /^(?:@[\w.~-]+\/)?[\w.~-]+(?=\/|$)/.exec(specifier)?.[0];
}

/** @output the file, relative to src, that a relative specifier names; undefined for packages */
export function targetOf(from: string, specifier: string): string | undefined {
  return isRelative(specifier) ? posix.join(posix.dirname(from), specifier) : undefined;
}

/** @output what is wrong with depending on a package of this workspace, by import or by declaration */
export function checkLayer({ folder, rule }: Room, name: string): Finding | undefined {
  const other = workspaceFolder(name);
  const { mayImport } = rule;
  if (other === undefined || mayImport === "any" || mayImport.includes(other)) return undefined;
  const allowed = mayImport.length > 0 ? `only ${mayImport.join(", ")}` : "no other package";
  const message = `${folder} may import ${allowed}, not ${other}: move the contract down instead`;
  return { rule: "layer", message };
}

/** @output the rule that the import in the file `from` breaks, or undefined */
export function checkImport(room: Room, from: string, found: SourceImport): Finding | undefined {
  const { specifier, form } = found;
  if (form === "require") {
    return { rule: "form", message: "src is made of ES modules: write import instead of require" };
  }
  if (specifier === undefined) {
    return { rule: "dynamic", message: "import() takes a literal, so that what it loads can be checked" };
  }
  const target = targetOf(from, specifier);
  if (target !== undefined) return checkRelative(room, from, specifier, target);
  if (specifier === "bun" || specifier.startsWith("bun:")) {
    return {
      rule: "built-in",
      message: `${specifier} binds src to Bun: use a node: module or a web standard`,
    };
  }
  if (specifier.startsWith("node:")) return checkNodeModule(room, specifier);
  if (isBuiltin(specifier) && !builtIntoBunOnly.has(specifier)) {
    return { rule: "built-in", message: `write node:${specifier}, so that no package can take its place` };
  }
  const name = packageOf(specifier);
  if (name === undefined) {
    return {
      rule: "form",
      message: `${specifier} is neither a relative path nor a package: use one of them`,
    };
  }
  return checkPackageImport(room, specifier, name);
}

function checkNodeModule({ folder, rule }: Room, specifier: string): Finding | undefined {
  const { forbidden = [] } = rule;
  const [module = ""] = specifier.slice("node:".length).split("/");
  if (forbidden !== "all" && !forbidden.includes(module)) return undefined;
  const message = `${folder} must not import ${specifier}: take what it does in as a parameter`;
  return { rule: "built-in", message };
}

function checkPackageImport(room: Room, specifier: string, name: string): Finding | undefined {
  const { root, folder, manifest } = room;
  if (name === packageName(folder)) {
    return { rule: "door", message: "a package imports its own files by relative path, not by its name" };
  }
  const layer = checkLayer(room, name);
  if (layer) return layer;
  if (!manifest.specs("dependencies").has(name)) {
    return { rule: "undeclared", message: `add ${name} to the dependencies in ${manifest.file}` };
  }
  const other = workspaceFolder(name);
  const subpath = `.${specifier.slice(name.length)}`;
  if (other === undefined || subpath === ".") return undefined;
  // Exact subpaths only: a pattern in `exports` would open every file.
  if (readManifest(root, `packages/${other}/package.json`)?.exports.includes(subpath)) return undefined;
  const message = `${specifier} is private: import ${name}, or export "${subpath}" in its package.json`;
  return { rule: "door", message };
}

function checkRelative(room: Room, from: string, specifier: string, target: string): Finding | undefined {
  const { root, folder, files } = room;
  if (target.split("/")[0] === "..") {
    return {
      rule: "outside",
      message: `${specifier} leaves src: import a package by its name, or move the file into src`,
    };
  }
  if (!files.has(target) && !isFile(join(root, "packages", folder, "src", target))) {
    return { rule: "unresolved", message: `${specifier} names no file: write its path with the extension` };
  }
  const door = doorTo(files, posix.dirname(from), target);
  if (door === undefined || door === target) return undefined;
  const message = `${specifier} is private to its folder: import it through src/${door}`;
  return { rule: "door", message };
}

/**
 * The first door on the way: of the folders that the import enters, the outermost that has an index.ts.
 * A folder without one only groups others, and is entered freely as far as the next door.
 *
 * @output undefined when the import enters no folder: the target's folder is the file's own or an ancestor
 */
function doorTo(files: ReadonlySet<string>, ownFolder: string, target: string): string | undefined {
  const entered: string[] = [];
  let folder = posix.dirname(target);
  while (folder !== "." && folder !== ownFolder && !ownFolder.startsWith(`${folder}/`)) {
    entered.push(`${folder}/index.ts`);
    folder = posix.dirname(folder);
  }
  return entered.findLast((door) => files.has(door)) ?? entered[0];
}

function workspaceFolder(name: string): string | undefined {
  if (name === "codelia") return name;
  return name.startsWith("@codelia/") ? name.slice("@codelia/".length) : undefined;
}

function isRelative(specifier: string): boolean {
  return /^\.\.?(\/|$)/.test(specifier);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
