// Checks of the tools that steps name: each is there, and a judge's only look.
import type { Steps } from "./check-steps.ts";
import { type Finding, listed, meant } from "./problem.ts";

export interface KnownTools {
  readonly all: readonly string[];
  /** Those that change nothing. */
  readonly looking: readonly string[];
}

export function checkTools(steps: Steps, { all, looking }: KnownTools): Finding[] {
  return [...steps].flatMap(
    ([
      id,
      {
        parts: { tools = [], check },
      },
    ]) => [
      ...tools.flatMap((name, index) => unknownTool(["steps", id, "tools", index], name, all)),
      ...(check?.type === "prompt" ? (check.tools ?? []) : []).flatMap((name, index) => {
        const path = ["steps", id, "check", "tools", index];
        return all.includes(name) ? tooMuch(path, name, looking) : unknownTool(path, name, looking);
      }),
    ],
  );
}

function unknownTool(path: Finding["path"], name: string, known: readonly string[]): Finding[] {
  if (known.includes(name)) return [];
  return [
    {
      path,
      code: "UnknownTool",
      message: `there is no tool "${name}"`,
      fix: meant(name, known, known.length),
    },
  ];
}

function tooMuch(path: Finding["path"], name: string, looking: readonly string[]): Finding[] {
  if (looking.includes(name)) return [];
  const message = `a judge only looks, and ${name} does more`;
  const fix = `Use ${listed(looking, looking.length)}, or a command check.`;
  return [{ path, code: "JudgeOnlyLooks", message, fix }];
}
