// Whether a deny rule is about a call. Here doubt counts against the call: a deny rule has to hold.
import { visibleName } from "@codelia/shared-types";
import type { CallFacts, CommandFacts } from "./call-facts.ts";
import { joinedWords } from "./command-glob.ts";
import type { PathGlob } from "./path-glob.ts";
import type { PlacedRule } from "./placed-rule.ts";
import type { FilePath } from "./real-path.ts";

export interface Denial {
  /** In words: what the rule is about in this call. */
  readonly what: string;
  /** false: it may be about it, which is enough. */
  readonly isCertain: boolean;
}

/** @output undefined: the rule is not about this call. All fields of the rule must hold. */
export function denies(placed: PlacedRule, facts: CallFacts): Denial | undefined {
  const { rule } = placed;
  const found: Denial[] = [];
  const holds = (denial: Denial | undefined): boolean => {
    if (denial !== undefined) found.push(denial);
    return denial !== undefined;
  };
  if (rule.tool !== undefined && rule.tool !== facts.tool && rule.tool !== facts.calledAs) return undefined;
  if (placed.commandWords !== undefined && !holds(reaching(facts.command, placed.commandWords)))
    return undefined;
  if (placed.commandGlob !== undefined && !holds(matching(facts.command, placed.commandGlob)))
    return undefined;
  if (placed.pathGlob !== undefined && !holds(touching(facts, placed.pathGlob))) return undefined;
  if (rule.skill_name !== undefined) {
    if (facts.access.kind !== "skill" || facts.access.name !== rule.skill_name) return undefined;
    found.push(certain(`it loads the skill ${visibleName(rule.skill_name)}`));
  }
  if (rule.server !== undefined) {
    if (rule.server !== serverOf(facts)) return undefined;
    found.push(certain(`it uses the MCP server ${visibleName(rule.server)}`));
  }
  if (found.length === 0) return certain(`it uses the tool ${visibleName(facts.tool)}`);
  return {
    what: found.map(({ what }) => what).join(" and "),
    isCertain: found.every(({ isCertain }) => isCertain),
  };
}

function certain(what: string): Denial {
  return { what, isCertain: true };
}

function reaching(command: CommandFacts | undefined, words: readonly string[]): Denial | undefined {
  if (command === undefined) return undefined;
  const shown = visibleName(words.join(" "));
  const reach = command.reach(words);
  if (reach === "no") return undefined;
  return reach === "yes" ? certain(`it runs ${shown}`) : { what: `it could run ${shown}`, isCertain: false };
}

/** Against each simple command, and against the whole text, whose words may be more than the parse could tell. */
function matching(
  command: CommandFacts | undefined,
  glob: { matches(text: string): boolean },
): Denial | undefined {
  if (command === undefined) return undefined;
  const texts = command.analysis.programs.flatMap(({ words }) => {
    const values = words.map(({ value, text }) => value ?? text);
    return [joinedWords(values), values.join(" ")];
  });
  const found = [...texts, command.text, command.text.trim()].find((text) => glob.matches(text));
  return found === undefined ? undefined : certain(`it runs ${visibleName(found)}`);
}

function touching({ paths, command }: CallFacts, glob: PathGlob): Denial | undefined {
  const opened: readonly FilePath[] = [...paths, ...(command?.written ?? []), ...(command?.read ?? [])];
  const isMeant = ({ logical, real }: FilePath) =>
    glob.matches(logical) || (real !== undefined && glob.matches(real));
  const hit = opened.find(isMeant);
  if (hit !== undefined) return certain(`it touches ${visibleName(hit.logical)}`);
  const named = command?.named.find(isMeant);
  if (named !== undefined) return certain(`it names ${visibleName(named.logical)}`);
  // A word of a command may be no path at all: that nobody can tell where it leads says nothing.
  const unknown = opened.find(({ real }) => real === undefined);
  return unknown && { what: `nobody can tell where ${visibleName(unknown.logical)} leads`, isCertain: false };
}

/** Tools of MCP servers say which one they belong to. */
export function serverOf({ access }: CallFacts): string | undefined {
  return access.kind === "mcp" ? access.server : undefined;
}
