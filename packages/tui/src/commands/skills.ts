// `/skills`: the picker of skills.
import type { WireSkill } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";
import type { Desk } from "../desk.ts";
import { shownLine } from "../screen/index.ts";
import { fitting } from "./fitting.ts";

interface Listed {
  readonly skill: WireSkill;
  readonly isEnabled: boolean;
}

const maxShown = 500;

export async function skillsCommand(desk: Desk): Promise<void> {
  const chosen = await desk.pick<Listed>({
    title: "Skills",
    choose: "name it in the prompt",
    load: async (query) =>
      (await find(desk, query)).map((listed) => ({
        value: listed,
        label: `${listed.isEnabled ? "●" : "○"} ${visibleName(listed.skill.name)} [${listed.skill.scope}]`,
        note: shownLine(listed.skill.description),
      })),
    alternate: {
      name: "switch on or off",
      act: async ({ skill, isEnabled }) => {
        const { cwd } = desk;
        await desk.client.call("skills.set_enabled", { cwd, path: skill.path, enabled: !isEnabled });
        return "stay";
      },
    },
  });
  if (chosen?.isEnabled) desk.write(`$${chosen.skill.name} `);
}

/** Those that are switched off are found by their words, since the search leaves them out. */
async function find({ client, cwd }: Desk, query: string): Promise<Listed[]> {
  const { skills, disabled } = await client.call("skills.list", { cwd });
  const off = fitting(query, disabled, ({ name, description }) => `${name} ${description}`);
  const on =
    query.trim() === ""
      ? skills.slice(0, maxShown)
      : (await client.call("skills.search", { cwd, query, limit: 50 })).results.map(({ skill }) => skill);
  return [
    ...on.map((skill) => ({ skill, isEnabled: true })),
    ...off.map((skill) => ({ skill, isEnabled: false })),
  ];
}
