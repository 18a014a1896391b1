// What goes along with a user's message that names skills.
import { expect, test } from "bun:test";
import { SessionLog } from "@codelia/core";
import type { PermissionDecision, UserMessage } from "@codelia/shared-types";
import { nodeDisk } from "@codelia/storage";
import { memoryHistory } from "../../../../test/support/memory-history.ts";
import { SessionSkills } from "../../src/session-skills/index.ts";
import { openCatalog } from "../../src/skills/index.ts";
import { SkillScene, skillText } from "./skills-scene.ts";

const repo = "project/.agents/skills";
const allow: PermissionDecision = { decision: "allow", by: "mode", reason: "test" };

function sessionSkills(scene: SkillScene): SessionSkills {
  return new SessionSkills({
    open: () => openCatalog(scene.options()),
    log: new SessionLog(memoryHistory()),
    blobs: { put: () => Promise.resolve("ref") },
    outputs: { open: () => Promise.reject(new Error("no text is that long")) },
    disk: nodeDisk,
    secrets: [],
  });
}

function saying(text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

/** The lines of the note, and the names of the bodies behind it. */
async function told(scene: SkillScene, skills: SessionSkills, text: string): Promise<string[]> {
  const records = await skills.accompany(saying(text), () => Promise.resolve(allow));
  const all = records.map((record) => record.text.replaceAll(scene.tree.path, "")).join("\n");
  return [
    ...[...all.matchAll(/^- .*$/gm)].map(([line]) => line),
    ...[...all.matchAll(/<skill_context name="([^"]*)"/g)].map(([, name = ""]) => `body of ${name}`),
  ];
}

test("bodies come in the order of the catalog, whatever the order of the message, each once", async () => {
  using scene = new SkillScene({
    [`${repo}/b/SKILL.md`]: skillText("b"),
    "home/.agents/skills/a/SKILL.md": skillText("a"),
  });
  expect(await told(scene, sessionSkills(scene), "first $a, then $b, then $a again")).toEqual([
    "- $b is loaded: follow it for this message. Its text is below.",
    "- $a is loaded: follow it for this message. Its text is below.",
    "body of b",
    "body of a",
  ]);
});

test("one that was deleted since it was found is told, and the others are loaded", async () => {
  using scene = new SkillScene({
    [`${repo}/a/SKILL.md`]: skillText("a"),
    [`${repo}/b/SKILL.md`]: skillText("b"),
  });
  const skills = sessionSkills(scene);
  await skills.initial();
  scene.tree.remove(`${repo}/a/SKILL.md`);
  expect(await told(scene, skills, "$a $b")).toEqual([
    "- $a is not loaded: /project/.agents/skills/a/SKILL.md is gone. Use skill_search to see what is there now.",
    "- $b is loaded: follow it for this message. Its text is below.",
    "body of b",
  ]);
});

test("a wrong path is told with the skill that could have been meant, which is not loaded in its place", async () => {
  using scene = new SkillScene({ [`${repo}/a/SKILL.md`]: skillText("a") });
  expect(await told(scene, sessionSkills(scene), "$a, that is [$a] (/nowhere)")).toEqual([
    "- $a is not loaded: /nowhere is no skill that was found. Did you mean: /project/.agents/skills/a/SKILL.md",
  ]);
});
