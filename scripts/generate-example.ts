// Writes the example project as data, so that `codelia demo` works from the single executable.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { exampleFiles } from "./example-files.ts";

const file = resolve(import.meta.dir, "../packages/runtime/src/demo/example.json");
writeFileSync(file, `${JSON.stringify(exampleFiles(), undefined, 2)}\n`);
console.log(file);
