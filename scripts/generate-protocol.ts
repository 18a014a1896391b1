// Writes the reference into docs/protocol.md. A test compares it with the sources.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { withReference } from "./protocol-page.ts";

const page = resolve(import.meta.dir, "../docs/protocol.md");
writeFileSync(page, withReference(readFileSync(page, "utf8")));
console.log("docs/protocol.md");
