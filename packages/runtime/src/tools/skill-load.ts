// `skill_load`: the body of one skill, once for each version while it is in the context.
import { neutraliseTags, type Tool, ToolError } from "@codelia/core";
import { z } from "zod";
import type { SessionSkills } from "../session-skills/index.ts";

const parameters = z.strictObject({
  name: z.string().max(4096).optional(),
  path: z.string().max(4096).optional().describe("of SKILL.md; goes before name"),
});

export function createSkillLoadTool(skills: SessionSkills): Tool<z.infer<typeof parameters>> {
  return {
    name: "skill_load",
    description: "Load a skill's instructions by its name, or by its path where two have one name.",
    parameters,
    async prepare(selector) {
      const resolution = await skills.resolve(selector);
      if (!resolution.ok) throw new ToolError(resolution.failure.message);
      const { resolved } = resolution;
      const { id, name, path, dir } = resolved.skill;
      return {
        title: `skill_load ${name}`,
        paths: [],
        access: { kind: "skill", name, path: resolved.realPath },
        async execute({ output, presentSkill }) {
          const presentation = await skills.present(resolved);
          if (presentation.kind === "failed") throw new ToolError(presentation.failure.message);
          await output.write(presentation.text);
          if (presentation.kind === "known") return;
          const { mtimeMs, ref } = presentation.skill;
          const metadata = JSON.stringify({ skill_id: id, name, path, dir, mtime_ms: mtimeMs, ref });
          await output.write(
            `${presentation.text.endsWith("\n") ? "" : "\n"}${neutraliseTags(metadata).text}\n`,
          );
          presentSkill(presentation.skill);
        },
      };
    },
  };
}
