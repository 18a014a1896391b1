// What a compaction keeps of loaded skills: that they hold, and where their text is.
import type { CarriedText } from "@codelia/core";
import type { LoadedSkill } from "@codelia/shared-types";
import { visibleName } from "@codelia/shared-types";

export function carriedSkills(skills: readonly LoadedSkill[]): CarriedText[] {
  if (skills.length === 0) return [];
  const lines = skills.map(({ name, path, ref }) => `- ${name}: ${visibleName(path)} (ref ${ref})\n`);
  return [
    {
      title:
        "Skills that were loaded and are in force. Where the text of one is not below, read it again before you go on " +
        "with it, with skill_load or by its ref with tool_output_read",
      text: lines.join(""),
    },
  ];
}
