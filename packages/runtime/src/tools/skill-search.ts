// `skill_search`: finds skills by name, path and words; their bodies are not read.
import { neutraliseTags, type Tool } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import { z } from "zod";
import type { SessionSkills } from "../session-skills/index.ts";

const parameters = z.strictObject({
  query: z.string().max(4096),
  limit: z.int().min(1).optional(),
  scope: z.enum(["repo", "user"]).optional(),
});

export function createSkillSearchTool(skills: SessionSkills): Tool<z.infer<typeof parameters>> {
  return {
    name: "skill_search",
    description: "Find skills by name or words of their description.",
    parameters,
    async prepare({ query, limit, scope }) {
      return {
        title: `skill_search ${visibleName(query)}`,
        paths: [],
        access: { kind: "none" },
        async execute({ output }) {
          const { results, count, truncated } = (await skills.refreshed()).search(query, { limit, scope });
          const lines = results.map(({ skill: { name, description, path, scope: from }, reason, score }) =>
            JSON.stringify({ name, description, path, scope: from, reason, score }),
          );
          const summary = JSON.stringify({ count, truncated });
          await output.write(neutraliseTags([summary, ...lines].map((line) => `${line}\n`).join("")).text);
        },
      };
    },
  };
}
