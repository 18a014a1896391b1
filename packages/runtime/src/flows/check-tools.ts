// Which tools a flow names: each must exist, and a judge's may only look.
import { ConfigurationError } from "@codelia/flows";
import type { FlowDefinition } from "@codelia/shared-types";
import { nearNames } from "../near-names.ts";
import { lookingTools, toolNames } from "../tools/index.ts";

/** @error ConfigurationError UnknownTool, with all of them */
export function requireTools({ steps }: Pick<FlowDefinition, "steps">): void {
  const problems = Object.entries(steps).flatMap(([id, { tools = [], check }]) => [
    ...tools.flatMap((name) => unknownTool(`step "${id}"`, name)),
    ...(check?.type === "prompt" ? (check.tools ?? []).flatMap((name) => judgesTool(id, name)) : []),
  ]);
  if (problems.length > 0) throw new ConfigurationError("UnknownTool", problems.join("\n"));
}

function unknownTool(who: string, name: string): string[] {
  if (toolNames.includes(name)) return [];
  const near = nearNames(name, toolNames);
  const hint = near.length === 0 ? `There are: ${toolNames.join(", ")}.` : `Did you mean ${near.join(", ")}?`;
  return [`${who}: there is no tool ${JSON.stringify(name)}. ${hint}`];
}

function judgesTool(step: string, name: string): string[] {
  const who = `the check of step "${step}"`;
  if (!toolNames.includes(name)) return unknownTool(who, name);
  if (lookingTools.includes(name)) return [];
  return [
    `${who}: a judge only looks, and ${name} does more. Use ${lookingTools.slice(0, 4).join(", ")}, or a command check.`,
  ];
}
