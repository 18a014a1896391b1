// Packages for the tests of the dependency check, written down as what each declares and imports.
// A manifest puts its dependencies first, so the first one stands at line 4, column 5.
import { checkDependencies } from "../dependency-rules.ts";
import type { Violation } from "../violation.ts";
import { fixtureRepository, json } from "./fixture-repository.ts";

export interface FixturePackage {
  /** Another name than the folder's. */
  name?: string;
  dependencies?: readonly string[];
  exports?: Readonly<Record<string, string>>;
  /** Text by path in src. */
  src?: Readonly<Record<string, string>>;
}

export type PackageTree = Readonly<Record<string, FixturePackage>>;

export function filesOf(tree: PackageTree): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [folder, { name, dependencies = [], exports = {}, src = {} }] of Object.entries(tree)) {
    files[`packages/${folder}/package.json`] = json({
      name: name ?? (folder === "codelia" ? folder : `@codelia/${folder}`),
      dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, "0.1.0"])),
      exports: { ".": "./src/index.ts", ...exports },
    });
    for (const [file, text] of Object.entries(src)) files[`packages/${folder}/src/${file}`] = text;
  }
  return files;
}

export function violationsIn(tree: PackageTree): Violation[] {
  using repository = fixtureRepository(filesOf(tree));
  return checkDependencies(repository.root).violations;
}

/** The violations of a repository that has this one package. */
export function inStorage(src: Record<string, string>): Violation[] {
  return violationsIn({ storage: { src } });
}

export function storageViolation(
  file: string,
  line: number,
  column: number,
  rule: string,
  message: string,
): Violation {
  return { file: `packages/storage/src/${file}`, line, column, rule, message };
}
