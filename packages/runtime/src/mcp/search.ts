// Finds tools of MCP servers by name and words.
import { normalised, wordsOf } from "../skills/index.ts";
import type { OfferedTool } from "./session-servers.ts";

const maxQuery = 2000;
// A word in the name says more than one in the description.
const nameWeight = 5;
const exactWeight = 100;

/** @output those that fit, the best first; without words all, by name */
export function searchTools(tools: readonly OfferedTool[], query: string): OfferedTool[] {
  const wanted = [...new Set(words(query.slice(0, maxQuery)))];
  if (wanted.length === 0) return tools.toSorted(byName);
  return tools
    .map((offered) => ({ offered, score: scoreOf(offered, wanted, query.trim()) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || byName(a.offered, b.offered))
    .map(({ offered }) => offered);
}

function scoreOf({ tool, name, server }: OfferedTool, wanted: readonly string[], query: string): number {
  const inName = new Set(words(`${tool.name} ${tool.title ?? ""} ${server.name}`));
  const inDescription = new Set(words(tool.description));
  const isExact = query === name || query === tool.name;
  return wanted.reduce(
    (sum, word) => sum + (inName.has(word) ? nameWeight : 0) + (inDescription.has(word) ? 1 : 0),
    isExact ? exactWeight : 0,
  );
}

/** `readFile` and `read_file` are two words each. */
function words(text: string): string[] {
  return wordsOf(normalised(text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ")));
}

function byName(a: OfferedTool, b: OfferedTool): number {
  return a.name < b.name ? -1 : 1;
}
