// The dependency check's rules for single imports: doors, paths, built-in modules, forms (cycles: import-cycles.test.ts).
// Each test gives a tree of packages and expects the whole list of violations.
import { describe, expect, test } from "bun:test";
import { inStorage, storageViolation, violationsIn } from "./package-tree.ts";

describe("the doors of other packages", () => {
  const storage = {
    exports: { "./testing": "./src/testing/index.ts" },
    src: { "index.ts": "", "testing/index.ts": "" },
  };
  const config = (source: string) => ({
    storage,
    config: { dependencies: ["@codelia/storage"], src: { "a/b.ts": source } },
  });

  test("are its name and the subpaths that its exports declare", () => {
    expect(violationsIn(config('import "@codelia/storage";\nimport "@codelia/storage/testing";'))).toEqual(
      [],
    );
  });

  test("are not its other files, in any form of import", () => {
    const path = "@codelia/storage/src/files.ts";
    const source = [
      `import {} from "${path}";`,
      `import type { A } from "${path}";`,
      `export {} from "${path}";`,
      `export * from "${path}";`,
      `await import("${path}");`,
      `type B = import("${path}").B;`,
    ].join("\n");
    const violation = {
      file: "packages/config/src/a/b.ts",
      rule: "door",
      message: `${path} is private: import @codelia/storage, or export "./src/files.ts" in its package.json`,
    };
    expect(violationsIn(config(source))).toEqual([
      { ...violation, line: 1, column: 16 },
      { ...violation, line: 2, column: 24 },
      { ...violation, line: 3, column: 16 },
      { ...violation, line: 4, column: 15 },
      { ...violation, line: 5, column: 14 },
      { ...violation, line: 6, column: 17 },
    ]);
  });

  test("are not reached by a relative path out of src, not even within the package", () => {
    const source =
      'import "@codelia/storage";\nimport "../../../storage/src/index.ts";\nimport "../../package.json";';
    const violation = { file: "packages/config/src/a/b.ts", column: 8, rule: "outside" };
    expect(violationsIn(config(source))).toEqual([
      {
        ...violation,
        line: 2,
        message:
          "../../../storage/src/index.ts leaves src: import a package by its name, or move the file into src",
      },
      {
        ...violation,
        line: 3,
        message: "../../package.json leaves src: import a package by its name, or move the file into src",
      },
    ]);
  });

  test("are not for the package itself", () => {
    expect(inStorage({ "a.ts": 'import "@codelia/storage";' })).toEqual([
      storageViolation(
        "a.ts",
        1,
        8,
        "door",
        "a package imports its own files by relative path, not by its name",
      ),
    ]);
  });
});

describe("the doors of folders", () => {
  test("let a file import its own folder, its ancestors and the index.ts of other folders", () => {
    const violations = inStorage({
      "x.ts": "",
      "index.ts": 'export * from "./a/index.ts";\nexport * from "./text/index.ts";',
      "a/index.ts": "",
      "a/x.ts": "",
      "a/b/d.ts": "",
      "a/b/c.ts": [
        'import "./d.ts";',
        'import "../x.ts";',
        'import "../../x.ts";',
        'import "../../text/index.ts";',
        'import table from "./table.json";',
      ].join("\n"),
      "a/b/table.json": "{}",
      "text/index.ts": "",
    });
    expect(violations).toEqual([]);
  });

  test("keep the other files of a folder private", () => {
    const violations = inStorage({
      "agents/bundle.ts": 'import type { A } from "../text/visible.ts";',
      "agents/rules/index.ts": "",
      "agents/rules/one.ts": "",
      "agents/scope.ts": 'import "./rules/one.ts";',
      "text/index.ts": "",
      "text/visible.ts": "",
    });
    expect(violations).toEqual([
      storageViolation(
        "agents/bundle.ts",
        1,
        24,
        "door",
        "../text/visible.ts is private to its folder: import it through src/text/index.ts",
      ),
      storageViolation(
        "agents/scope.ts",
        1,
        8,
        "door",
        "./rules/one.ts is private to its folder: import it through src/agents/rules/index.ts",
      ),
    ]);
  });

  test("are taken from the outside: a room within a room is private too", () => {
    const violations = inStorage({
      "main.ts":
        'import "./agents/rules/index.ts";\nimport "./commands/run/index.ts";\nimport "./commands/one.ts";',
      "agents/index.ts": "",
      "agents/rules/index.ts": "",
      "commands/one.ts": "",
      "commands/run/index.ts": "",
    });
    expect(violations).toEqual([
      storageViolation(
        "main.ts",
        1,
        8,
        "door",
        "./agents/rules/index.ts is private to its folder: import it through src/agents/index.ts",
      ),
      storageViolation(
        "main.ts",
        3,
        8,
        "door",
        "./commands/one.ts is private to its folder: import it through src/commands/index.ts",
      ),
    ]);
  });

  test("cannot be passed by a path that names no file: a folder, or a file without its extension", () => {
    const violations = inStorage({
      "a.ts": 'import "./text";\nimport "./b";\nimport "./c.js";',
      "text/index.ts": "",
    });
    const remedy = "names no file: write its path with the extension";
    expect(violations).toEqual([
      storageViolation("a.ts", 1, 8, "unresolved", `./text ${remedy}`),
      storageViolation("a.ts", 2, 8, "unresolved", `./b ${remedy}`),
      storageViolation("a.ts", 3, 8, "unresolved", `./c.js ${remedy}`),
    ]);
  });
});

describe("built-in modules", () => {
  test("are imported with node: only, and packages that Bun has built in are packages", () => {
    const source = 'import "node:fs";\nimport "fs/promises";\nimport type {} from "path";\nimport "ws";';
    expect(violationsIn({ storage: { dependencies: ["ws"], src: { "a.ts": source } } })).toEqual([
      storageViolation(
        "a.ts",
        2,
        8,
        "built-in",
        "write node:fs/promises, so that no package can take its place",
      ),
      storageViolation("a.ts", 3, 21, "built-in", "write node:path, so that no package can take its place"),
    ]);
  });

  test("of Bun are not for src", () => {
    const remedy = "binds src to Bun: use a node: module or a web standard";
    expect(inStorage({ "a.ts": 'import "bun";\nawait import("bun:sqlite");' })).toEqual([
      storageViolation("a.ts", 1, 8, "built-in", `bun ${remedy}`),
      storageViolation("a.ts", 2, 14, "built-in", `bun:sqlite ${remedy}`),
    ]);
  });

  test("are all closed to shared-types, even as types", () => {
    const src = { "index.ts": 'import type {} from "node:path";' };
    expect(violationsIn({ "shared-types": { src } })).toEqual([
      {
        file: "packages/shared-types/src/index.ts",
        line: 1,
        column: 21,
        rule: "built-in",
        message: "shared-types must not import node:path: take what it does in as a parameter",
      },
    ]);
  });

  test.each(["core", "protocol"])("that reach the outside world are closed to %s", (folder) => {
    const open = ["node:path", "node:crypto", "node:url"];
    const closed = (
      "node:fs node:fs/promises node:net node:http node:http2 node:https node:tls node:dgram " +
      "node:child_process node:readline node:readline/promises node:tty"
    ).split(" ");
    const source = [...closed, ...open].map((name) => `import "${name}";\n`).join("");
    expect(violationsIn({ [folder]: { src: { "index.ts": source } } })).toEqual(
      closed.map((name, index) => ({
        file: `packages/${folder}/src/index.ts`,
        line: index + 1,
        column: 8,
        rule: "built-in",
        message: `${folder} must not import ${name}: take what it does in as a parameter`,
      })),
    );
  });
});

describe("forms of import", () => {
  test("import() takes a literal", () => {
    const forms = ['"node:os"', "`node:os`", '("node:os")', '"node:" + "os"', `\`node:\${name}\``];
    const source = forms.map((argument) => `import(${argument});`).join("\n");
    const message = "import() takes a literal, so that what it loads can be checked";
    expect(inStorage({ "a.ts": source })).toEqual([
      storageViolation("a.ts", 4, 8, "dynamic", message),
      storageViolation("a.ts", 5, 8, "dynamic", message),
    ]);
  });

  test("require is not one of them", () => {
    const message = "src is made of ES modules: write import instead of require";
    expect(
      inStorage({ "a.ts": 'const a = require("node:os");\nimport b = require("node:os");\nrequire();' }),
    ).toEqual([
      storageViolation("a.ts", 1, 19, "form", message),
      storageViolation("a.ts", 2, 20, "form", message),
      storageViolation("a.ts", 3, 1, "form", message),
    ]);
  });

  test("what is neither a relative path nor a package is refused", () => {
    const remedy = "is neither a relative path nor a package: use one of them";
    expect(
      inStorage({ "a.ts": 'import "#inside";\nimport "/etc/a.ts";\nimport "https://a.test/b.ts";' }),
    ).toEqual([
      storageViolation("a.ts", 1, 8, "form", `#inside ${remedy}`),
      storageViolation("a.ts", 2, 8, "form", `/etc/a.ts ${remedy}`),
      storageViolation("a.ts", 3, 8, "form", `https://a.test/b.ts ${remedy}`),
    ]);
  });
});
