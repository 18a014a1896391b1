// The dependency check against the real repository and its script; packages, their table and declarations.
// Doors, built-in modules, forms and cycles of imports are in import-rules.test.ts.
import { describe, expect, test } from "bun:test";
import { checkDependencies } from "../dependency-rules.ts";
import { fixtureRepository, repositoryRoot, runScript } from "./fixture-repository.ts";
import { filesOf, type PackageTree, violationsIn } from "./package-tree.ts";

const ground = ["shared-types", "config", "storage"];
const face = ["shared-types", "protocol"];
const mayImport = new Map<string, readonly string[] | "any">([
  ["acp", face],
  ["cli", face],
  ["codelia", "any"],
  ["config", ["shared-types", "storage"]],
  ["core", ground],
  ["flows", [...ground, "core"]],
  ["models", ground],
  ["protocol", ["shared-types"]],
  ["runtime", [...ground, "core", "models", "flows", "protocol"]],
  ["shared-types", []],
  ["storage", ["shared-types"]],
  ["tui", face],
  ["web", face],
]);

const clean: PackageTree = {
  "shared-types": { src: { "index.ts": "export const a = 1;" } },
  storage: {
    dependencies: ["@codelia/shared-types"],
    src: { "index.ts": 'export * from "./files.ts";', "files.ts": 'import "@codelia/shared-types";' },
  },
};

describe("the real repository", () => {
  test("has no violation, and was really read", () => {
    const { violations, files, packages } = checkDependencies(repositoryRoot);
    expect(violations).toEqual([]);
    expect(files).toBeGreaterThan(0);
    expect(packages).toBeGreaterThan(0);
  });
});

describe("the script", () => {
  test("prints what it read in one line when every dependency points downwards", () => {
    using repository = fixtureRepository(filesOf(clean));
    expect(runScript("check-dependencies.ts", repository.root)).toEqual({
      exitCode: 0,
      stdout: "dependencies: 3 files in 2 packages point downwards\n",
      stderr: "",
    });
  });

  test("prints each violation with its place and exits with 1", () => {
    using repository = fixtureRepository(filesOf({ cli: { src: { "index.ts": '\nimport "bun";' } } }));
    expect(runScript("check-dependencies.ts", repository.root)).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "packages/cli/src/index.ts:2:8 built-in: bun binds src to Bun: use a node: module or a web standard\n",
    });
  });

  test("exits with 1 when there is no file to check", () => {
    using repository = fixtureRepository(filesOf({ storage: {} }));
    expect(runScript("check-dependencies.ts", repository.root).exitCode).toBe(1);
  });
});

describe("what is read", () => {
  test("a repository without source files is a violation, with or without packages", () => {
    const empty = {
      file: "packages",
      line: 1,
      column: 1,
      rule: "empty",
      message: "no source file was found, so nothing was checked: give the repository's root folder",
    };
    using repository = fixtureRepository({ "README.md": "" });
    expect(checkDependencies(repository.root)).toEqual({ violations: [empty], files: 0, packages: 0 });
    expect(violationsIn({ storage: {} })).toEqual([empty]);
  });

  test("every kind of source file counts, and files beside src do not", () => {
    using repository = fixtureRepository({
      ...filesOf({ storage: { src: { "a.ts": "", "b/c.tsx": "", "d.mts": "", "e.js": "", "f.md": "" } } }),
      "packages/storage/test/a.test.ts": 'import "bun:test";',
      "packages/README.md": "",
    });
    expect(checkDependencies(repository.root)).toEqual({ violations: [], files: 4, packages: 1 });
  });

  test("a file that cannot be parsed is a violation, because it may hide imports", () => {
    expect(violationsIn({ storage: { src: { "index.ts": "export const = 1;" } } })).toEqual([
      {
        file: "packages/storage/src/index.ts",
        line: 1,
        column: 14,
        rule: "syntax",
        message: "cannot be parsed: Unexpected token",
      },
    ]);
  });
});

describe("the table", () => {
  const rows = [...mayImport].map(([folder, allowed]) => ({
    folder,
    others: [...mayImport.keys()]
      .filter((other) => other !== folder)
      .map((other) => ({
        name: other === "codelia" ? other : `@codelia/${other}`,
        refusal:
          allowed === "any" || allowed.includes(other)
            ? undefined
            : `${folder} may import ${allowed.length > 0 ? `only ${allowed.join(", ")}` : "no other package"}, ` +
              `not ${other}: move the contract down instead`,
      })),
  }));

  test.each(rows)(
    "lets $folder import what the house plan allows, and nothing else",
    ({ folder, others }) => {
      const dependencies = others.map(({ name }) => name);
      const source = dependencies.map((name) => `import type {} from "${name}";\n`).join("");
      const refused = (file: string, firstLine: number, column: number) =>
        others.flatMap(({ refusal }, index) =>
          refusal ? [{ file, line: firstLine + index, column, rule: "layer", message: refusal }] : [],
        );
      expect(violationsIn({ [folder]: { dependencies, src: { "index.ts": source } } })).toEqual([
        ...refused(`packages/${folder}/package.json`, 4, 5),
        ...refused(`packages/${folder}/src/index.ts`, 1, 21),
      ]);
    },
  );

  test("refuses a declaration that points upwards even if no file imports it", () => {
    const files = filesOf({ models: { src: { "index.ts": "" } } });
    const manifest = '{\n"name": "@codelia/models",\n"peerDependencies": {\n"@codelia/core": "0.1.0" } }';
    using repository = fixtureRepository({ ...files, "packages/models/package.json": manifest });
    expect(checkDependencies(repository.root).violations).toEqual([
      {
        file: "packages/models/package.json",
        line: 4,
        column: 1,
        rule: "layer",
        message:
          "models may import only shared-types, config, storage, not core: move the contract down instead",
      },
    ]);
  });

  test("refuses a package folder that it does not name", () => {
    expect(violationsIn({ ...clean, fleet: { src: { "index.ts": "" } } })).toEqual([
      {
        file: "packages/fleet/package.json",
        line: 1,
        column: 1,
        rule: "table",
        message: "fleet has no place in the house plan: add it to the table in scripts/dependency-rules.ts",
      },
    ]);
  });

  test("refuses a package whose name is not its folder's, or that has no manifest", () => {
    const files = filesOf({ ...clean, core: { name: "@codelia/kernel" } });
    using repository = fixtureRepository({ ...files, "packages/cli/src/index.ts": "" });
    expect(checkDependencies(repository.root).violations).toEqual(
      ["cli", "core"].map((folder) => ({
        file: `packages/${folder}/package.json`,
        line: 1,
        column: 1,
        rule: "table",
        message: `must exist and have the name "@codelia/${folder}"`,
      })),
    );
  });
});

describe("declarations", () => {
  test("an imported package, external or of the workspace, must be declared", () => {
    const source = 'import { z } from "zod";\nexport type { A } from "@codelia/shared-types";\n';
    const place = { file: "packages/storage/src/index.ts", rule: "undeclared" };
    expect(violationsIn({ storage: { src: { "index.ts": source } } })).toEqual([
      {
        ...place,
        line: 1,
        column: 19,
        message: "add zod to the dependencies in packages/storage/package.json",
      },
      {
        ...place,
        line: 2,
        column: 24,
        message: "add @codelia/shared-types to the dependencies in packages/storage/package.json",
      },
    ]);
  });

  test("devDependencies declare nothing for src, and are free for tests", () => {
    const manifest =
      '{ "name": "@codelia/storage", "devDependencies": { "zod": "1.0.0", "@codelia/cli": "1.0.0" } }';
    using repository = fixtureRepository({
      "packages/storage/package.json": manifest,
      "packages/storage/src/index.ts": 'import "zod";',
    });
    expect(checkDependencies(repository.root).violations).toEqual([
      {
        file: "packages/storage/src/index.ts",
        line: 1,
        column: 8,
        rule: "undeclared",
        message: "add zod to the dependencies in packages/storage/package.json",
      },
    ]);
  });

  test("an import of a subpath uses its package", () => {
    const src = { "index.ts": 'import "zod/v4";\nawait import("@scope/name/deep/file.js");' };
    expect(violationsIn({ storage: { dependencies: ["zod", "@scope/name"], src } })).toEqual([]);
  });

  test("a declared package that no file imports is a violation", () => {
    const src = { "index.ts": 'import "yaml";' };
    const dependencies = ["yaml", "zod", "@codelia/shared-types"];
    const place = { file: "packages/storage/package.json", column: 5, rule: "unused" };
    expect(violationsIn({ storage: { dependencies, src } })).toEqual([
      { ...place, line: 5, message: "zod is declared but not used: import it in src or remove it" },
      {
        ...place,
        line: 6,
        message: "@codelia/shared-types is declared but not used: import it in src or remove it",
      },
    ]);
  });
});
