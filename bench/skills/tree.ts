// Trees of skills to measure with: every name and description different, every SKILL.md of 5 KB.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const words =
  "review release notes deploy database migrate schema test lint format build docs image convert parse report audit secure cache query index search design theme color token ticket issue branch merge commit".split(
    " ",
  );
const skillBytes = 5000;

/** Writes skills into `.agents/skills` of a directory. @output that folder */
export function writeSkills(directory: string, count: number): string {
  const folder = join(directory, ".agents", "skills");
  for (let index = 0; index < count; index++) {
    const name = `${word(index)}-${word(index * 7)}-${index}`;
    const described = Array.from({ length: 8 }, (_, each) => word(index * (each + 1) + each)).join(" ");
    const head = `---\nname: ${name}\ndescription: Use it to ${described}, case ${index}.\nlicense: MIT\n---\n\n# ${name}\n\n`;
    const body = "Do this step with care, and then the next one.\n".repeat(200);
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "SKILL.md"), (head + body).slice(0, skillBytes));
  }
  return folder;
}

/** Questions as a model asks them: names, words that all skills have, words that few have, and none. */
export const questions = [
  "release notes",
  "use it to review",
  "database migrate schema test",
  "parse-",
  "case 77",
  "audit",
  "リリースノート",
  "nothing of the kind",
];

function word(index: number): string {
  return words[index % words.length] ?? "";
}
