// Writes the fields of flow definitions into docs/flows.md, and the picture beside it. A test compares both with the
// sources.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { flowPicture } from "./flow-picture.ts";
import { withFlowReference } from "./flow-reference.ts";

const docs = resolve(import.meta.dir, "../docs");
const page = resolve(docs, "flows.md");
writeFileSync(page, withFlowReference(readFileSync(page, "utf8")));
writeFileSync(resolve(docs, "issue-fixer.svg"), await flowPicture());
console.log("docs/flows.md, docs/issue-fixer.svg");
