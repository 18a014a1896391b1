// Writes the JSON Schemas below schemas/. A test compares them with the sources.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { generateJsonSchemas } from "./json-schemas.ts";

const folder = resolve(import.meta.dir, "../schemas");
mkdirSync(folder, { recursive: true });
for (const [name, content] of generateJsonSchemas()) {
  writeFileSync(join(folder, name), content);
  console.log(`schemas/${name}`);
}
