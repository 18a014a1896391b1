// Which skills a user's message asks for: each once, in the order of the catalog.
import { findMentions } from "./mentions.ts";
import type { Mention, MentionedSkills, ResolvedSkill, SkillFailure, Skills } from "./types.ts";

/**
 * A link says which of several skills is meant, so a plain `$name` beside `[$name](path)` means that one too: where the
 * path is wrong, the name alone is no way around it.
 * @output skills that were found without doubt, and what is wrong with the others
 */
export function mentionedSkills(text: string, skills: Skills): MentionedSkills {
  const mentions = findMentions(text, (name) => isSkillName(skills, name));
  const linked = new Set(mentions.filter(({ path }) => path !== undefined).map(({ name }) => name));
  const resolved = new Map<string, ResolvedSkill>();
  const failures: { name: string; failure: SkillFailure }[] = [];
  for (const mention of mentions) {
    if (mention.path === undefined && linked.has(mention.name)) continue;
    const resolution = skills.resolve(selectorOf(mention));
    if (resolution.ok) resolved.set(resolution.resolved.realPath, resolution.resolved);
    // A word after a dollar sign that is no skill is none of ours.
    else if (mention.path !== undefined || resolution.failure.code !== "unknown_name")
      failures.push({ name: mention.name, failure: resolution.failure });
  }
  return { skills: inCatalogOrder([...resolved.values()], skills), failures };
}

function selectorOf({ name, path }: Mention): { name: string; path?: string } {
  return path === undefined ? { name } : { name, path };
}

/** The same skills give the same text, in whatever order a message names them. */
function inCatalogOrder(found: ResolvedSkill[], { catalog }: Skills): ResolvedSkill[] {
  if (found.length < 2) return found;
  const places = new Map(catalog.skills.map(({ path }, index) => [path, index]));
  const placeOf = ({ skill }: ResolvedSkill) => places.get(skill.path) ?? places.size;
  return found.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function isSkillName(skills: Skills, name: string): boolean {
  const found = skills.resolve({ name });
  return found.ok || found.failure.code === "ambiguous";
}
