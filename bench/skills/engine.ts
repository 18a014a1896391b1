// One look at a tree of skills in a process of its own, as a start does it; prints its figures as JSON.
// Arguments: the project, the folder of the index.
import { skillRoots } from "../../packages/runtime/src/skills/index.ts";
import { openCatalog } from "../../packages/runtime/src/skills/open.ts";
import { nodeDisk } from "../../packages/storage/src/index.ts";
import { questions } from "./tree.ts";

const [root = "", indexDirectory = ""] = process.argv.slice(2);
const settings = {
  enabled: true,
  initial: { maxEntries: 200, maxBytes: 32 * 1024 },
  search: { defaultLimit: 8, maxLimit: 50 },
  disabled: [],
};

function memory(): number {
  return process.memoryUsage.rss();
}

const before = memory();
const start = performance.now();
const opened = await openCatalog({
  roots: skillRoots({ chain: [root], root, userHome: `${root}/no-home` }),
  settings,
  indexDirectory,
  disk: nodeDisk,
  now: () => new Date(),
});
const catalogMs = performance.now() - start;
const catalogMemory = memory() - before;
const skills = await opened.whole();
const wholeMs = performance.now() - start;
await skills.saved;
const asked = performance.now();
skills.search("release notes");
const firstSearchMs = performance.now() - asked;
const searchMs = Array.from({ length: 400 }, (_, index) => {
  const from = performance.now();
  skills.search(questions[index % questions.length] ?? "");
  return performance.now() - from;
});
console.log(
  JSON.stringify({
    skills: skills.catalog.skills.length,
    catalogMs,
    catalogMemory,
    catalogBytes: Buffer.byteLength(opened.initial.text ?? ""),
    wholeMs,
    firstSearchMs,
    searchMs,
  }),
);
