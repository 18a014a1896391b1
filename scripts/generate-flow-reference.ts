// Writes the fields of flow definitions into docs/flows.md. A test compares them with the sources.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { withFlowReference } from "./flow-reference.ts";

const page = resolve(import.meta.dir, "../docs/flows.md");
writeFileSync(page, withFlowReference(readFileSync(page, "utf8")));
console.log("docs/flows.md");
