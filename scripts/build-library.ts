// Builds the library `@codelia/runtime` as a package of its own below dist/library (or another folder named as the first
// argument): our packages bundled into JavaScript that Node ≥ 22 and Bun run, dependencies from npm as they are pinned.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { readManifest } from "./workspace.ts";

const root = resolve(import.meta.dir, "..");
const out = resolve(root, process.argv[2] ?? "dist/library");
/** The packages that are bundled. */
const ours = ["shared-types", "config", "storage", "core", "models", "flows", "protocol", "runtime"];
const entry = "packages/runtime/src/library/index.ts";

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const dependencies = thirdParties();
await bundle();
declareTypes();
writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
cpSync(join(root, "LICENSE"), join(out, "LICENSE"));
cpSync(join(root, "docs/library.md"), join(out, "README.md"));
console.log(`${out} (@codelia/runtime ${version()})`);

/** What our packages take from npm, by name. */
function thirdParties(): Record<string, string> {
  const found = new Map<string, string>();
  for (const folder of ours) {
    const specs = readManifest(root, `packages/${folder}/package.json`)?.specs("dependencies");
    for (const [name, spec] of specs ?? []) if (!name.startsWith("@codelia/")) found.set(name, spec);
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function bundle(): Promise<void> {
  const build = await Bun.build({
    entrypoints: [join(root, entry)],
    outdir: out,
    target: "node",
    format: "esm",
    // What is loaded when it is needed stays a file of its own.
    splitting: true,
    external: Object.keys(dependencies),
  });
  if (!build.success) {
    for (const message of build.logs) console.error(message);
    process.exit(1);
  }
  refuseUndeclared();
}

/** @error when the bundle imports what the package does not depend on: it would be found here, and nowhere else */
function refuseUndeclared(): void {
  const scanner = new Bun.Transpiler({ loader: "js" });
  const files = readdirSync(out).filter((name) => name.endsWith(".js"));
  const imported = files.flatMap((name) => scanner.scanImports(readFileSync(join(out, name), "utf8")));
  const undeclared = imported
    .map(({ path }) => path)
    .filter((path) => !/^(?:node:|\.)/.test(path) && !isBuiltin(path))
    .filter(
      (path) => !Object.keys(dependencies).some((name) => path === name || path.startsWith(`${name}/`)),
    );
  if (undeclared.length === 0) return;
  console.error(`not among the dependencies: ${[...new Set(undeclared)].join(", ")}`);
  process.exit(1);
}

/** The types of every file that the library's are made from, with imports that need no workspace. */
function declareTypes(): void {
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      // Our packages as sources: what is found through node_modules counts as somebody else's and gets no declarations.
      paths: Object.fromEntries(
        ours.flatMap((name) => [
          [`@codelia/${name}`, [join(root, "packages", name, "src/index.ts")]],
          [`@codelia/${name}/*`, [join(root, "packages", name, "src/*/index.ts")]],
        ]),
      ),
      typeRoots: [join(root, "node_modules/@types")],
      rootDir: join(root, "packages"),
      outDir: join(out, "types"),
    },
    files: [join(root, entry)],
    include: [],
  };
  const file = join(out, "tsconfig.json");
  writeFileSync(file, JSON.stringify(config));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync("node", [tsc, "-p", file], { encoding: "utf8", cwd: root });
  rmSync(file);
  if (status !== 0) {
    console.error(stdout);
    process.exit(1);
  }
  const types = join(out, "types");
  for (const name of readdirSync(types, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".d.ts")) continue;
    const path = join(types, name);
    writeFileSync(path, standalone(readFileSync(path, "utf8"), dirname(path), types));
  }
}

function standalone(text: string, folder: string, types: string): string {
  return text
    .replaceAll(
      /(["'])@codelia\/([\w-]+)(?:\/([\w-]+))?\1/g,
      (_, quote: string, name: string, part?: string) => {
        const target = join(types, name, "src", part ?? "", "index.js");
        const path = relative(folder, target).replaceAll("\\", "/");
        return `${quote}${path.startsWith(".") ? path : `./${path}`}${quote}`;
      },
    )
    .replaceAll(/(["']\.{1,2}\/[^"']*)\.ts(["'])/g, "$1.js$2");
}

function version(): string {
  const text: unknown = JSON.parse(readFileSync(join(root, "packages/runtime/package.json"), "utf8"));
  if (typeof text === "object" && text !== null && "version" in text) return String(text.version);
  throw new Error("packages/runtime/package.json has no version");
}

function manifest(): object {
  return {
    name: "@codelia/runtime",
    version: version(),
    description: "Codelia as a library: sessions, runs, and tools of your own.",
    license: "MIT",
    type: "module",
    sideEffects: false,
    engines: { node: ">=22" },
    exports: { ".": { types: "./types/runtime/src/library/index.d.ts", default: "./index.js" } },
    dependencies,
  };
}
