// Compiles the product to one executable: dist/codelia (or another file named as the first argument).
import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

const root = resolve(import.meta.dir, "..");
const outfile = resolve(root, process.argv[2] ?? "dist/codelia");
mkdirSync(dirname(outfile), { recursive: true });

// Bytecode and ESM together start fastest: 36 ms to a first request instead of 92 without. In parts of its own, code that
// is loaded when needed leaves behind what only it uses, schemas above all.
const build = await Bun.build({
  entrypoints: [resolve(root, "packages/codelia/src/main.ts")],
  // The program is started inside repositories nobody has trusted yet: nothing there may configure the Bun in it.
  compile: {
    outfile,
    autoloadBunfig: false,
    autoloadDotenv: false,
    autoloadPackageJson: false,
    autoloadTsconfig: false,
    // Most code of a run is executed a few dozen times. Compiled as early as usual, it costs more than it saves: 198 ms
    // of processor time for twenty turns instead of 115. Searching megabytes takes some 10 ms longer, once.
    jitPolicy: 16,
  },
  format: "esm",
  splitting: true,
  bytecode: true,
  minify: true,
});
if (!build.success) {
  for (const message of build.logs) console.error(message);
  process.exit(1);
}
console.log(`${outfile} (${(statSync(outfile).size / 1024 / 1024).toFixed(1)} MB)`);
